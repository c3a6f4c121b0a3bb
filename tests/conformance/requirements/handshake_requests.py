"""The handshake era's requests: initialize, ping, and what these clients need not know."""

from tests.conformance.requirements import Requirement, handshake_text, page, schema

REQUIREMENTS = (
    Requirement(
        "handshake.same-version",
        "initialize with a served handshake version is answered with that version.",
        handshake_text("basic/lifecycle.mdx", "Version Negotiation"),
    ),
    Requirement(
        "handshake.other-version",
        "initialize with any other version, also the stateless one, is answered with 2025-06-18.",
        page("Versões do protocolo"),
    ),
    Requirement(
        "handshake.version-required",
        "initialize without a version as a string is -32602.",
        schema("2025-06-18", "InitializeRequest"),
    ),
    Requirement(
        "handshake.initialize-result",
        "initialize answers version, capabilities, server and instructions in the shape of the page.",
        page("initialize (handshake da era 2025)"),
    ),
    Requirement(
        "handshake.no-session",
        "Requests are served without any handshake before them, and no session id is made.",
        page("Transporte"),
    ),
    Requirement(
        "handshake.ping",
        "ping is answered with exactly an empty result.",
        handshake_text("basic/utilities/ping.mdx", "Behavior Requirements"),
    ),
    Requirement(
        "handshake.no-mirrored-headers",
        "Mcp-Method and Mcp-Name are not asked for, and not looked at.",
        page("Cabeçalhos da requisição"),
    ),
    Requirement(
        "handshake.unknown-method",
        "A method that is not served is -32601 inside a 200; server/discover is one of them.",
        page("Métodos"),
    ),
    Requirement(
        "handshake.bare-results",
        "Results carry no member of the stateless era: no resultType, no cache pair, no server in _meta.",
        schema("2025-06-18", "Result"),
    ),
    Requirement(
        "handshake.no-questions",
        "A client of this era can never be asked in the chat, whatever it declares.",
        page("tools/list"),
    ),
)
