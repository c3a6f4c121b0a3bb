"""What the issuer says of itself: RFC 8414 and OpenID Connect Discovery 1.0, one document for both. Pure."""

from typing import Any

from tool_service.authorization_server.client_metadata import AUTHENTICATION_METHODS, GRANT_TYPES
from tool_service.authorization_server.grants import IDENTITY_SCOPES
from tool_service.authorization_server.public_keys import ALGORITHM
from tool_service.domain.scopes import ALIASES, ALL

WELL_KNOWN_PATHS = ("/.well-known/oauth-authorization-server", "/.well-known/openid-configuration")
JWKS_PATH = "/.well-known/jwks.json"


def issuer_metadata(issuer: str, documentation: str) -> dict[str, Any]:
    """The document; `issuer` stands in it byte for byte, since clients compare texts."""
    return {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}/authorize",
        "token_endpoint": f"{issuer}/token",
        "registration_endpoint": f"{issuer}/register",
        "revocation_endpoint": f"{issuer}/revoke",
        "jwks_uri": issuer + JWKS_PATH,
        "scopes_supported": sorted(ALL | ALIASES.keys() | IDENTITY_SCOPES),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": [*GRANT_TYPES, "client_credentials"],
        "token_endpoint_auth_methods_supported": list(AUTHENTICATION_METHODS),
        "revocation_endpoint_auth_methods_supported": list(AUTHENTICATION_METHODS),
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": True,
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": [ALGORITHM],
        "claims_supported": [
            "sub",
            "iss",
            "aud",
            "exp",
            "iat",
            "auth_time",
            "nonce",
            "name",
            "email",
            "email_verified",
        ],
        "ui_locales_supported": ["pt-BR", "en"],
        "service_documentation": documentation,
        # Not registered yet (MSC4191 and its kin use the name): where people take access back.
        "account_management_uri": f"{issuer}/account",
    }
