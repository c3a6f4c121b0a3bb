"""The protected resource metadata of RFC 9728: where a client learns which issuer to ask. Pure."""

import json
from urllib.parse import urlsplit

from mcp_frontend.oauth.challenge import BASELINE_SCOPES

WELL_KNOWN_PATH = "/.well-known/oauth-protected-resource"


def metadata_url(resource: str) -> str:
    """The well-known path between host and path of the resource (RFC 9728 3.1)."""
    parts = urlsplit(resource)
    return f"{parts.scheme}://{parts.netloc}{WELL_KNOWN_PATH}{parts.path.rstrip('/')}"


def metadata_document(resource: str, issuer: str) -> bytes:
    """The document, UTF-8 JSON. Its `resource` is the URL that people type, byte for byte."""
    document = {
        "resource": resource,
        "authorization_servers": [issuer],
        "scopes_supported": list(BASELINE_SCOPES),
        "bearer_methods_supported": ["header"],
        "resource_name": "Kadu",
    }
    return json.dumps(document).encode()
