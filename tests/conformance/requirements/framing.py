"""One JSON-RPC message per POST: what is one, what is none, and what comes back of its id."""

from tests.conformance.requirements import Requirement, handshake_text, page, report, schema, stateless_text

REQUIREMENTS = (
    Requirement(
        "framing.parse-error",
        "A body that is not JSON in UTF-8 is refused with 400 and -32700.",
        schema("2026-07-28", "ParseError"),
    ),
    Requirement(
        "framing.no-ambiguous-json",
        "A body that two parsers could read differently (equal keys, lone surrogates) is refused.",
        report("docker/mcp-gateway", 414),
    ),
    Requirement(
        "framing.no-batch",
        "A body that is an array is refused with 400 in every era.",
        page("Métodos"),
    ),
    Requirement(
        "framing.one-object",
        "A body that is JSON but no request and no notification is refused with 400 and -32600.",
        stateless_text("basic/transports/streamable-http.mdx", "Sending Messages"),
    ),
    Requirement(
        "framing.id-types",
        "A request id is a string or an integer; null, a fraction or another type is no notification but an error.",
        report("damionrashford/RivalSearchMCP", 5),
    ),
    Requirement(
        "framing.id-echoed",
        "Results and errors carry the id of their request with value and type unchanged.",
        stateless_text("basic/index.mdx", "Responses"),
    ),
    Requirement(
        "framing.exact-keys",
        "Members are found by their exact names; a look-alike in other case is no such member.",
        report("docker/mcp-gateway", 414),
    ),
    Requirement(
        "framing.exact-integers",
        "Integers beyond 2^53 reach the tool unrounded.",
        report("modelcontextprotocol/go-sdk", 1201),
    ),
    Requirement(
        "framing.no-responses",
        "A posted response is refused: the server sends no requests that one could answer.",
        handshake_text("basic/transports.mdx", "Sending Messages to the Server"),
    ),
    Requirement(
        "framing.notifications-accepted",
        "A message without id is answered 202 with an empty body, whatever its method and in every era.",
        page("Métodos"),
    ),
    Requirement(
        "framing.notifications-need-no-envelope",
        "A notification needs neither envelope nor Mcp headers, also with the newest version in its header.",
        stateless_text("basic/transports/streamable-http.mdx", "Sending Messages"),
    ),
    Requirement(
        "framing.notifications-of-served-versions",
        "A notification whose header names a version that is not served is refused with -32022.",
        stateless_text("basic/versioning.mdx", "Protocol Version Negotiation"),
    ),
)
