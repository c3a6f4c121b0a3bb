"""Who may speak at all: the metadata, the challenges, and what makes a token good."""

from tests.conformance.requirements import Requirement, handshake_text, page, report, stateless_text

_TOKENS = "https://www.rfc-editor.org/rfc/rfc9068 (Validating JWT Access Tokens)"
_BEARER = "https://www.rfc-editor.org/rfc/rfc6750"

REQUIREMENTS = (
    Requirement(
        "authorization.metadata",
        "The protected resource metadata is public, open to every origin, and names resource and issuer.",
        stateless_text("basic/authorization/authorization-server-discovery.mdx"),
    ),
    Requirement(
        "authorization.metadata-place",
        "The metadata is at the root and, for a resource with a path, below the well-known path too.",
        "https://www.rfc-editor.org/rfc/rfc9728 (Obtaining Protected Resource Metadata)",
    ),
    Requirement(
        "authorization.challenge",
        "Without a token every message is 401, before it is read, with metadata URL and scopes in one challenge.",
        page("Métodos"),
    ),
    Requirement(
        "authorization.no-error-without-token",
        "A challenge names an error only when there was a token.",
        f"{_BEARER} (Error Codes)",
    ),
    Requirement(
        "authorization.bad-token",
        "A token that is no token of ours is 401 with invalid_token.",
        handshake_text("basic/authorization.mdx", "Error Handling"),
    ),
    Requirement(
        "authorization.header-only",
        "A token counts in one Authorization line only: not in the query, not in two lines.",
        stateless_text("basic/authorization/index.mdx", "Access Token Usage"),
    ),
    Requirement(
        "authorization.scheme-any-case",
        "The name of the scheme is read in any case.",
        "https://www.rfc-editor.org/rfc/rfc9110 (Authentication Scheme)",
    ),
    Requirement(
        "authorization.audience",
        "Only a token made for this very resource is good, with or without the slash at its end.",
        stateless_text("basic/authorization/security-considerations.mdx", "Token Audience Binding and Validation"),
    ),
    Requirement(
        "authorization.signature",
        "A token that is unsigned, signed by a stranger or by another algorithm is refused.",
        _TOKENS,
    ),
    Requirement(
        "authorization.issuer",
        "A token of another issuer is refused; issuers are compared letter for letter.",
        _TOKENS,
    ),
    Requirement(
        "authorization.times",
        "A token is good from its beginning to its end, each time anew, give or take a small difference of clocks.",
        _TOKENS,
    ),
    Requirement(
        "authorization.token-type",
        "Only an access token is one: an id token of the same issuer is refused.",
        _TOKENS,
    ),
    Requirement(
        "authorization.step-up",
        "The 403 of a missing scope challenges with all that the call needs beside all that the token has.",
        report("modelcontextprotocol/typescript-sdk", 1582),
    ),
    Requirement(
        "authorization.membership",
        "A person who is no member of the organization any more has to sign in again.",
        stateless_text("basic/authorization/index.mdx", "Error Handling"),
    ),
    Requirement(
        "authorization.issuer-down",
        "While the issuer's keys cannot be read nobody is sent to a login: 503.",
        page("Cabeçalhos da resposta"),
    ),
    Requirement(
        "authorization.token-stays-here",
        "The access token goes no further than this server.",
        page("Despacho in-process"),
    ),
)
