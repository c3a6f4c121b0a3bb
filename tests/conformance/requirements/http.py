"""HTTP round the messages: which requests are let in, what each refusal says, what every answer carries."""

from tests.conformance.requirements import Requirement, handshake_text, page, report, stateless_text

_TRANSPORT = "basic/transports/streamable-http.mdx"

REQUIREMENTS = (
    Requirement(
        "http.one-path",
        "The endpoint is the root in every spelling, and no answer of it is a redirect.",
        report("BerriAI/litellm", 34845),
    ),
    Requirement(
        "http.origin",
        "An Origin that is neither the server's own nor local is 403, judged whole and before everything else.",
        page("Cabeçalhos da requisição"),
    ),
    Requirement(
        "http.host",
        "A Host that is not the server's own is refused; health answers under any.",
        report("PrefectHQ/fastmcp", 4468),
    ),
    Requirement(
        "http.proxies",
        "What X-Forwarded headers say counts only from a proxy of the settings, and public URLs never come from them.",
        report("PrefectHQ/fastmcp", 4468),
    ),
    Requirement(
        "http.refusal-reason",
        "A refused Host or Origin says in the log and in JSON what came and which setting admits it.",
        report("PrefectHQ/fastmcp", 4468),
    ),
    Requirement(
        "http.preflight",
        "A preflight from an admitted origin needs no token, and every header that clients send is allowed.",
        report("IBM/mcp-context-forge", 2152),
    ),
    Requirement(
        "http.cors",
        "An admitted origin may read every answer, refusals included, with the headers that it needs; no credentials.",
        stateless_text(_TRANSPORT, "Security & Endpoint"),
    ),
    Requirement(
        "http.only-post",
        "Every method but POST and OPTIONS is 405 with Allow, and needs no token to hear that.",
        stateless_text(_TRANSPORT, "Earlier Revisions"),
    ),
    Requirement(
        "http.no-stream",
        "Whatever Accept says, the answer is one JSON object.",
        page("Cabeçalhos da requisição"),
    ),
    Requirement(
        "http.no-session",
        "Mcp-Session-Id and Last-Event-ID are ignored, and no session id is made.",
        page("Transporte"),
    ),
    Requirement(
        "http.media-type",
        "A Content-Type other than application/json is 415; parameters and case do not matter.",
        page("Cabeçalhos da requisição"),
    ),
    Requirement(
        "http.uncompressed",
        "A compressed body is 415, so that none can grow past the limit.",
        report("headroomlabs-ai/headroom", 3326),
    ),
    Requirement(
        "http.body-limit",
        "A body over 1 MB is 413 with the body of the page, by its declared length or by what arrives.",
        page("Cabeçalhos da requisição"),
    ),
    Requirement(
        "http.one-length",
        "A Content-Length that is no number, or two that differ, are 400.",
        report("headroomlabs-ai/headroom", 3326),
    ),
    Requirement(
        "http.slow-body",
        "A body that does not arrive in time is refused, not waited for.",
        stateless_text("basic/patterns/cancellation.mdx", "Timeouts"),
    ),
    Requirement(
        "http.json-rpc-refusals",
        "Every refusal has a JSON-RPC error as its body, so that a client which probes for an era understands it.",
        report("modelcontextprotocol/csharp-sdk", 1799),
    ),
    Requirement(
        "http.answer-headers",
        "An answer carries Cache-Control no-store, its media type and the revision in use.",
        page("Cabeçalhos da resposta"),
    ),
    Requirement(
        "http.accepted",
        "A notification is 202 without a body and without a media type.",
        report("alexandre-schaffner/revv", 145),
    ),
    Requirement(
        "http.unavailable",
        "A part of us that is down is 503 with Retry-After, at once, in every era.",
        page("Cabeçalhos da resposta"),
    ),
    Requirement(
        "http.fault",
        "A fault of ours is -32603 with an id to ask about, never with its cause.",
        handshake_text("basic/index.mdx", "Responses"),
    ),
    Requirement(
        "http.hang-up",
        "A client that hangs up breaks nothing: what it asked for is done or not begun.",
        stateless_text("basic/patterns/cancellation.mdx"),
    ),
)
