"""What a client says of itself (RFC 7591 2): read once, for a registration and for a metadata document alike. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tool_service.authorization_server.redirects import destination, is_registrable
from tool_service.domain.third_party_text import harmless_line

NAME_LIMIT = 100
REDIRECT_URI_LIMIT = 20
AUTHENTICATION_METHODS = ("none", "client_secret_basic", "client_secret_post")
GRANT_TYPES = ("authorization_code", "refresh_token")


class MetadataRefused(Exception):
    """The client cannot be taken like that; `code` is an error code of RFC 7591 3.2.2, the text says what to change."""

    def __init__(self, code: str, description: str) -> None:
        super().__init__(description)
        self.code = code
        self.description = description


@dataclass(frozen=True, slots=True)
class ClientMetadata:
    name: str
    redirect_uris: tuple[str, ...]
    grant_types: tuple[str, ...]
    authentication_method: str
    application_type: str


def read_metadata(said: Mapping[str, Any], default_method: str) -> ClientMetadata:
    """The part of the metadata that we use; what we do not know is left out, as RFC 7591 2 wants it.

    Raises:
        MetadataRefused: naming the first member that is unfit.
    """
    redirect_uris = _redirect_uris(said.get("redirect_uris"))
    grant_types = _texts(said, "grant_types", GRANT_TYPES)
    if "authorization_code" not in grant_types:
        raise MetadataRefused("invalid_client_metadata", "grant_types must contain authorization_code.")
    if "code" not in _texts(said, "response_types", ("code",)):
        raise MetadataRefused("invalid_client_metadata", "response_types must contain code.")
    method = said.get("token_endpoint_auth_method", default_method)
    if method not in AUTHENTICATION_METHODS:
        allowed = ", ".join(AUTHENTICATION_METHODS)
        raise MetadataRefused("invalid_client_metadata", f"token_endpoint_auth_method must be one of {allowed}.")
    application_type = said.get("application_type", "native" if _is_native(redirect_uris) else "web")
    if application_type not in ("native", "web"):
        raise MetadataRefused("invalid_client_metadata", "application_type must be native or web.")
    return ClientMetadata(
        name=_name(said.get("client_name"), redirect_uris[0]),
        redirect_uris=redirect_uris,
        grant_types=tuple(each for each in GRANT_TYPES if each in grant_types),
        authentication_method=method,
        application_type=application_type,
    )


def _redirect_uris(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not 0 < len(value) <= REDIRECT_URI_LIMIT:
        raise MetadataRefused("invalid_redirect_uri", f"redirect_uris must list 1 to {REDIRECT_URI_LIMIT} URIs.")
    for uri in value:
        if not isinstance(uri, str) or not is_registrable(uri):
            raise MetadataRefused(
                "invalid_redirect_uri",
                "A redirect URI must be https, http on localhost, or a private-use scheme; no fragment, no user name.",
            )
    return tuple(dict.fromkeys(value))


def _texts(said: Mapping[str, Any], name: str, default: tuple[str, ...]) -> tuple[str, ...]:
    value = said.get(name, list(default))
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise MetadataRefused("invalid_client_metadata", f"{name} must be a list of texts.")
    return tuple(value)


def _name(value: object, redirect_uri: str) -> str:
    name = harmless_line(value, NAME_LIMIT) if isinstance(value, str) else ""
    return name or destination(redirect_uri).name


def _is_native(redirect_uris: tuple[str, ...]) -> bool:
    return all(destination(uri).is_this_device for uri in redirect_uris)
