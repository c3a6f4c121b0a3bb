"""The request headers that route a message, and how they agree with its body.

Raw lines in, checked text out. Other headers pass through as Latin-1 for the web room.
Spec: basic/transports/streamable-http.mdx of the newest revision (Server Validation, Value Encoding).
"""

import base64
import binascii
import re
from collections.abc import Iterable
from functools import cache

from mcp_frontend.protocol.errors import HeaderMismatch

PROTOCOL_VERSION = "MCP-Protocol-Version"
METHOD = "Mcp-Method"
NAME = "Mcp-Name"

_OPTIONAL_WHITESPACE = b" \t"  # RFC 9110 5.5: not part of a field value
_LEGAL_VALUE = re.compile(rb"[\t\x20-\x7e]*")

_SENTINEL_PREFIX = "=?base64?"
_SENTINEL_SUFFIX = "?="
# Nothing between overlapping markers: `=?base64?=` is a literal.
_SENTINEL_MIN_LENGTH = len(_SENTINEL_PREFIX) + len(_SENTINEL_SUFFIX)


class Headers:
    """Header lines as they came: names in any case, duplicates kept, blanks round values left out."""

    __slots__ = ("_lines",)

    def __init__(self, raw: Iterable[tuple[bytes, bytes]] = ()) -> None:
        """Take the pairs of an ASGI scope, in order."""
        self._lines: dict[bytes, list[bytes]] = {}
        for name, value in raw:
            self._lines.setdefault(name.lower(), []).append(value)

    def values(self, name: str) -> tuple[str, ...]:
        """The value of each line of that name, in order, as Latin-1."""
        lines = self._lines.get(_key(name), ())
        return tuple(line.strip(_OPTIONAL_WHITESPACE).decode("latin-1") for line in lines)

    def routing_value(self, name: str) -> str | None:
        """The one value of a header that intermediaries route by; None when there is no such line.

        Raises:
            HeaderMismatch: there are two lines, or a byte that is neither SP, HTAB nor 0x21 to 0x7E.
        """
        lines = self._lines.get(_key(name))
        if lines is None:
            return None
        # Readers of the first and of the last line would route the same message differently.
        if len(lines) > 1:
            raise HeaderMismatch(f"{name} occurs more than once")
        value = lines[0].strip(_OPTIONAL_WHITESPACE)
        if not _LEGAL_VALUE.fullmatch(value):
            raise HeaderMismatch(f"{name} has characters that a header value must not have")
        return value.decode("ascii")


@cache
def _key(name: str) -> bytes:
    # Names come from our own code, so there are few.
    return name.lower().encode("ascii")


def require_equal(headers: Headers, name: str, body_value: str, source: str) -> None:
    """Hold a header that must be there against the body member that it repeats.

    Raises:
        HeaderMismatch: it is missing, malformed or different; values compare case-sensitively.
    """
    value = headers.routing_value(name)
    if value is None:
        raise HeaderMismatch(f"{name} is missing")
    if value != body_value:
        raise HeaderMismatch(f"{name} does not equal {source}")


def check_name(headers: Headers, body_value: str, source: str, *, required: bool) -> None:
    """Hold Mcp-Name, plain or base64, against the body member that it repeats.

    Raises:
        HeaderMismatch: it is missing though required, malformed, undecodable or different.
    """
    value = headers.routing_value(NAME)
    if value is None:
        if required:
            raise HeaderMismatch(f"{NAME} is missing")
        return
    # No Unicode normalisation and no case folding: the body is the truth, letter for letter.
    if decode_value(value) != body_value:
        raise HeaderMismatch(f"{NAME} does not equal {source}")


def decode_value(value: str) -> str:
    """The text behind a header value: decoded when it is `=?base64?…?=`, else the value itself.

    Raises:
        HeaderMismatch: the payload is not canonical base64 of UTF-8. It is never repaired, because
            lenient readers would repair it in different ways.
    """
    if (
        len(value) < _SENTINEL_MIN_LENGTH
        or not value.startswith(_SENTINEL_PREFIX)
        or not value.endswith(_SENTINEL_SUFFIX)
    ):
        return value
    payload = value[len(_SENTINEL_PREFIX) : -len(_SENTINEL_SUFFIX)]
    try:
        decoded = base64.b64decode(payload, validate=True)
        # Encoding again refuses what validate tolerates: set bits after the last byte, data after the padding.
        if base64.b64encode(decoded).decode("ascii") == payload:
            return decoded.decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        pass
    raise HeaderMismatch(f"{NAME} is not base64 of UTF-8 text")
