"""The stateless era's requests: what the envelope must hold, and which headers repeat the body."""

from tests.conformance.requirements import Requirement, page, report, schema, stateless_text

_VALIDATION = stateless_text("basic/transports/streamable-http.mdx", "Server Validation")
_ENCODING = stateless_text("basic/transports/streamable-http.mdx", "Value Encoding")

REQUIREMENTS = (
    Requirement(
        "stateless.capabilities-required",
        "clientCapabilities is an object; missing or of another type it is 400 with -32602.",
        page("Era 2026-07-28"),
    ),
    Requirement(
        "stateless.capabilities-typed",
        "A known capability of the wrong type is 400 with -32602.",
        schema("2026-07-28", "ClientCapabilities"),
    ),
    Requirement(
        "stateless.client-info-optional",
        "A client that does not name itself is served like any other.",
        stateless_text("basic/index.mdx", "General fields: _meta"),
    ),
    Requirement(
        "stateless.client-info-typed",
        "A client that names itself does so with name and version as strings; otherwise 400 with -32602.",
        schema("2026-07-28", "Implementation"),
    ),
    Requirement(
        "stateless.progress-token-typed",
        "A progress token is a string or an integer; otherwise 400 with -32602.",
        stateless_text("basic/patterns/progress.mdx"),
    ),
    Requirement(
        "stateless.trace-lenient",
        "A trace that is well-formed is carried on, and a malformed one never fails a request.",
        stateless_text("basic/index.mdx", "OpenTelemetry"),
    ),
    Requirement(
        "stateless.log-level-known",
        "An unrecognised log level is -32602; a known one changes nothing.",
        stateless_text("server/utilities/logging.mdx"),
    ),
    Requirement(
        "stateless.nothing-remembered",
        "Capabilities hold for the request that declares them and for no other.",
        stateless_text("basic/index.mdx", "Statelessness"),
    ),
    Requirement(
        "stateless.method-header",
        "Mcp-Method is required and equals the method, letter for letter.",
        page("Era 2026-07-28"),
    ),
    Requirement(
        "stateless.name-header",
        "Mcp-Name is required on tools/call and equals params.name.",
        page("Era 2026-07-28"),
    ),
    Requirement(
        "stateless.name-header-held-when-sent",
        "On prompts/get and resources/read Mcp-Name may be absent; sent, it must equal the body.",
        _VALIDATION,
    ),
    Requirement(
        "stateless.name-header-encoded",
        "Mcp-Name may come as =?base64?…?= and is decoded before it is compared; bad base64 is a mismatch.",
        report("modelcontextprotocol/go-sdk", 1234),
    ),
    Requirement(
        "stateless.header-characters",
        "Only blanks and visible ASCII are legal in a mirrored header; blanks round the value are no part of it.",
        _ENCODING,
    ),
    Requirement(
        "stateless.one-line-each",
        "A mirrored header that occurs twice is a mismatch.",
        _VALIDATION,
    ),
    Requirement(
        "stateless.parameter-headers-ignored",
        "Mcp-Param headers that no tool declares are ignored.",
        stateless_text("basic/transports/streamable-http.mdx", "Server Behavior for Custom Headers"),
    ),
    Requirement(
        "stateless.header-names-any-case",
        "Header names are found in any case.",
        stateless_text("basic/transports/streamable-http.mdx", "Case Sensitivity"),
    ),
    Requirement(
        "stateless.headers-before-method",
        "A header mismatch is reported before an unknown method.",
        _VALIDATION,
    ),
    Requirement(
        "stateless.unknown-method",
        "A method that is not served is 404 with -32601; so are those that the revision removed.",
        stateless_text("basic/transports/streamable-http.mdx", "Protocol Version Header"),
    ),
)
