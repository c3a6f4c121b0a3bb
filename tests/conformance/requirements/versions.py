"""Which era a message speaks, in which revision it is answered, and what is said to unknown ones."""

from tests.conformance.requirements import Requirement, handshake_text, page, report, schema, stateless_text

REQUIREMENTS = (
    Requirement(
        "versions.body-decides",
        "A request with the envelope's version key belongs to the stateless era, whatever its headers say.",
        page("Versões do protocolo"),
    ),
    Requirement(
        "versions.no-downgrade",
        "The stateless version in the header without an envelope is 400 with -32602, for every method.",
        page("Versões do protocolo"),
    ),
    Requirement(
        "versions.header-required",
        "An envelope without the version header is a header mismatch.",
        stateless_text("basic/transports/streamable-http.mdx", "Server Validation"),
    ),
    Requirement(
        "versions.header-equals-envelope",
        "A version header that differs from the envelope is a header mismatch.",
        page("Era 2026-07-28"),
    ),
    Requirement(
        "versions.mismatch-before-unsupported",
        "A message that contradicts itself about its version hears that first, also when one of the two is unknown.",
        "https://github.com/modelcontextprotocol/conformance (scenario server-stateless, header mismatch)",
    ),
    Requirement(
        "versions.unsupported",
        "A version that is not served is 400 with -32022, which lists the served ones and repeats the asked one.",
        schema("2026-07-28", "UnsupportedProtocolVersionError"),
    ),
    Requirement(
        "versions.string",
        "An envelope version that is no string is 400 with -32602.",
        stateless_text("basic/index.mdx", "General fields: _meta"),
    ),
    Requirement(
        "versions.no-date-order",
        "Versions compare as whole strings: neither order nor likeness of dates counts.",
        stateless_text("basic/versioning.mdx", "Protocol Version Negotiation"),
    ),
    Requirement(
        "versions.absent-header",
        "A message with neither envelope nor version header is taken for 2025-03-26.",
        handshake_text("basic/transports.mdx", "Protocol Version Header"),
    ),
    Requirement(
        "versions.handshake-header",
        "A message without envelope whose header names a served handshake version is answered in that version.",
        page("Versões do protocolo"),
    ),
    Requirement(
        "versions.meta-is-no-envelope",
        "A _meta without the version key, such as one with a progress token, does not make a message stateless.",
        page("Versões do protocolo"),
    ),
    Requirement(
        "versions.answered",
        "The revision in use comes back in MCP-Protocol-Version; one that is not served never does.",
        page("Cabeçalhos da resposta"),
    ),
    Requirement(
        "versions.handshake-by-body",
        "An initialize whose header names any 2025 revision is negotiated by its body.",
        report("xpzouying/xiaohongshu-mcp", 697),
    ),
    Requirement(
        "versions.one-header-line",
        "Two lines of the version header are a header mismatch, since readers would disagree on which one counts.",
        stateless_text("basic/transports/streamable-http.mdx", "Server Validation"),
    ),
)
