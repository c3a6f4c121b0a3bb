"""From metadata to a client: by registration (RFC 7591) or by a metadata document at the client's own URL."""

import json
from datetime import datetime
from typing import Any

from tool_service.authorization_server.client_metadata import ClientMetadata, MetadataRefused, read_metadata
from tool_service.authorization_server.clients import OAuthClient, Registration, digest


def default_method(said: Any) -> str:
    """How a client authenticates itself that does not say: with a secret (RFC 7591 2), unless it is a program on
    somebody's device, which could not keep one."""
    return "none" if said.get("application_type") == "native" else "client_secret_basic"


def client_of(
    client_id: str,
    registration: Registration,
    metadata: ClientMetadata,
    secret: str | None = None,
    fresh_until: datetime | None = None,
) -> OAuthClient:
    return OAuthClient(
        client_id=client_id,
        registration=registration,
        name=metadata.name,
        redirect_uris=metadata.redirect_uris,
        grant_types=metadata.grant_types,
        authentication_method=metadata.authentication_method,
        secret_digest=None if secret is None else digest(secret),
        member_id=None,
        fresh_until=fresh_until,
    )


def registered(client: OAuthClient, metadata: ClientMetadata, secret: str | None, now: datetime) -> dict[str, Any]:
    """The answer to a registration: everything as it was taken (RFC 7591 3.2.1)."""
    body: dict[str, Any] = {
        "client_id": client.client_id,
        "client_id_issued_at": int(now.timestamp()),
        "client_name": client.name,
        "redirect_uris": list(client.redirect_uris),
        "grant_types": list(client.grant_types),
        "response_types": ["code"],
        "token_endpoint_auth_method": client.authentication_method,
        "application_type": metadata.application_type,
    }
    return body if secret is None else body | {"client_secret": secret, "client_secret_expires_at": 0}


def metadata_of_document(client_id: str, body: bytes) -> ClientMetadata:
    """What the document at that URL says.

    Raises:
        MetadataRefused: it is no such document, or names another URL than its own.
    """
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise MetadataRefused("invalid_client", "The program's metadata document is not JSON.") from None
    if not isinstance(said, dict) or said.get("client_id") != client_id:
        raise MetadataRefused("invalid_client", "The program's metadata document names another client_id than its URL.")
    if said.get("token_endpoint_auth_method", "none") != "none" or "client_secret" in said:
        raise MetadataRefused("invalid_client", "A program with a metadata document must use no client secret.")
    return read_metadata(said, default_method="none")
