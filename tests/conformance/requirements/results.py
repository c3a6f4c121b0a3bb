"""What the results hold: discovery, tools, questions, errors, and their agreement with the official types."""

from tests.conformance.requirements import Requirement, page, report, schema, stateless_text

REQUIREMENTS = (
    Requirement(
        "results.official-types",
        "Every result and error validates against the official types of its revision, without unknown members.",
        schema("2026-07-28", "ServerResult"),
    ),
    Requirement(
        "results.discover",
        "server/discover answers in the shape of the page.",
        page("server/discover (era 2026-07-28)"),
    ),
    Requirement(
        "results.capabilities-true",
        "An advertised capability has its list method; methods of others are unknown.",
        schema("2026-07-28", "MethodNotFoundError"),
    ),
    Requirement(
        "results.type-and-server",
        "Every stateless result says its resultType and names the server in _meta.",
        page("Era 2026-07-28"),
    ),
    Requirement(
        "results.not-reusable",
        "Discovery and lists carry ttlMs 0 and cacheScope private; calls and questions carry neither.",
        schema("2026-07-28", "CacheableResult"),
    ),
    Requirement(
        "results.tools",
        "Each tool has name, title, description, inputSchema and all four hints, openWorldHint false.",
        page("tools/list"),
    ),
    Requirement(
        "results.tool-order",
        "The order of tools and of their members never changes between equal requests.",
        stateless_text("server/tools.mdx", "Capabilities"),
    ),
    Requirement(
        "results.one-page",
        "tools/list has one page: no nextCursor, and a cursor is -32602.",
        stateless_text("server/utilities/pagination.mdx"),
    ),
    Requirement(
        "results.call",
        "A call answers the route's JSON as one text block; isError is there only when true.",
        page("tools/call"),
    ),
    Requirement(
        "results.call-params",
        "tools/call needs name as a string; arguments are an object, and absent or null they are empty.",
        report("apify/apify-mcp-server", 1360),
    ),
    Requirement(
        "results.retry-params",
        "inputResponses is an object and requestState a string; otherwise -32602.",
        schema("2026-07-28", "CallToolRequestParams"),
    ),
    Requirement(
        "results.question",
        "A question is an input_required result with one form and the state to bring back.",
        stateless_text("basic/patterns/mrtr.mdx", "InputRequiredResult"),
    ),
    Requirement(
        "results.ask-only-declared",
        "A question goes only to clients that declare form elicitation in this very request.",
        report("mastra-ai/mastra", 19189),
    ),
    Requirement(
        "results.unicode",
        "Text outside ASCII travels as UTF-8, and no input can make an answer that is not.",
        stateless_text("basic/transports/index.mdx"),
    ),
    Requirement(
        "results.handler-errors",
        "Errors of a handler ride on 200 in both eras.",
        stateless_text("basic/transports/streamable-http.mdx", "Backward Compatibility"),
    ),
    Requirement(
        "results.scope",
        "A missing scope is 403 and names every scope that the call needs.",
        stateless_text("basic/authorization/index.mdx", "Error Handling"),
    ),
    Requirement(
        "results.retry-after",
        "An unavailable service is 503 and says in header and body when to come back.",
        page("Cabeçalhos da resposta"),
    ),
)
