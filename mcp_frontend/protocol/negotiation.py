"""What a POST speaks and what it asks for, from its headers and its complete body.

The only module that names the eras: one more is one more entry here. HTTP itself (path, Origin, token,
length, media type) was judged before, by the web room.
"""

from collections.abc import Sequence

from mcp_frontend.protocol import headers as routing
from mcp_frontend.protocol import jsonrpc
from mcp_frontend.protocol.eras.era_2025 import Era2025
from mcp_frontend.protocol.eras.era_2026 import Era2026
from mcp_frontend.protocol.errors import ProtocolError, UnsupportedVersion
from mcp_frontend.protocol.headers import Headers
from mcp_frontend.protocol.jsonrpc import NotificationMessage, RequestMessage
from mcp_frontend.protocol.model import Acknowledged, Era, Exchange, Rejected

# Newest first: told to clients by discovery and by every refusal of a version.
SERVED_VERSIONS: tuple[str, ...] = (*Era2026.versions, *Era2025.versions)

# Asked in this order. An envelope in the body decides before any header is looked at.
ERAS: tuple[Era, ...] = (Era2026(SERVED_VERSIONS), Era2025())


def negotiate(headers: Headers, body: bytes, eras: Sequence[Era] = ERAS) -> Exchange | Acknowledged | Rejected:
    """Decide which era a POST speaks and what it asks for.

    The body chooses the era and the headers may only agree, so a client that
    contradicts itself hears that before it hears that its version is unknown.
    The first fault wins, in this order: JSON, message, era and version, envelope,
    mirrored headers, method, params.
    Total: every byte string yields one of the three.
    """
    message_id = version = None
    try:
        value = jsonrpc.decode(body)
        message_id = jsonrpc.readable_id(value)
        message = jsonrpc.read_message(value)
        if isinstance(message, NotificationMessage):
            _refuse_unserved_version(headers)
            return Acknowledged()
        era, version = _claimed(message, headers, eras)
        return era.read(message, headers, version)
    except ProtocolError as error:
        return Rejected(error.code, error.message, message_id, error.data, error.status, version)


def _claimed(message: RequestMessage, headers: Headers, eras: Sequence[Era]) -> tuple[Era, str]:
    for era in eras:
        version = era.claim(message, headers)
        if version is not None:
            return era, version
    raise UnsupportedVersion(SERVED_VERSIONS, headers.routing_value(routing.PROTOCOL_VERSION) or "")


def _refuse_unserved_version(headers: Headers) -> None:
    # A notification has no era: neither envelope nor Mcp headers are asked of it, in no revision.
    version = headers.routing_value(routing.PROTOCOL_VERSION)
    if version is not None and version not in SERVED_VERSIONS:
        raise UnsupportedVersion(SERVED_VERSIONS, version)
