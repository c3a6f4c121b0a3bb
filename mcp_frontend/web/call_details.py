"""What travels to the tool service beside a call, made safe for metadata, logs and people's eyes."""

import unicodedata

from mcp_frontend.dispatch.ports import CallDetails
from mcp_frontend.protocol.headers import Headers
from mcp_frontend.protocol.model import Exchange

_LIMIT_CLIENT_NAME = 100
_LIMIT_ACCEPT_LANGUAGE = 200


def details_of(exchange: Exchange, headers: Headers, request_id: str) -> CallDetails:
    languages = ",".join(headers.values("accept-language"))
    return CallDetails(
        request_id=request_id,
        accept_language=languages[:_LIMIT_ACCEPT_LANGUAGE] if languages.isascii() else "",
        trace_parent=exchange.trace_parent,
        client_name=_presentable(exchange.client.name) if exchange.client else None,
    )


def _presentable(claim: str) -> str | None:
    """The name without what could disguise it: controls, bidi marks, zero-width characters."""
    shown = "".join(character for character in claim if unicodedata.category(character)[0] != "C")
    return shown.strip()[:_LIMIT_CLIENT_NAME] or None
