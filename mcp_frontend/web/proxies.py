"""The proxies before us that are trusted, and what they say of the request that they took in.

Only X-Forwarded-Host and X-Forwarded-Proto are read, and only from a peer in one of the networks of the
settings: from anybody else they are the words of whoever asks. Public URLs never come from here.
"""

import ipaddress
from collections.abc import Sequence

from mcp_frontend.protocol.headers import Headers
from mcp_frontend.web.asgi import AsgiApp, Receive, Scope, Send

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class BehindProxies:
    """An ASGI application that sees the Host and the scheme that the client used."""

    def __init__(self, app: AsgiApp, trusted: Sequence[Network]) -> None:
        self._app = app
        self._trusted = trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and _is_within(scope.get("client"), self._trusted):
            scope = as_forwarded(scope)
        await self._app(scope, receive, send)


def as_forwarded(scope: Scope) -> Scope:
    """The scope of the request as a trusted proxy received it."""
    headers = Headers(scope["headers"])
    changed = dict(scope)
    if host := _last(headers.values("x-forwarded-host")):
        others = [line for line in scope["headers"] if line[0].lower() != b"host"]
        changed["headers"] = [*others, (b"host", host.encode("latin-1"))]
    scheme = _last(headers.values("x-forwarded-proto")).lower()
    if scheme in ("http", "https"):
        changed["scheme"] = scheme
    return changed


def _last(values: Sequence[str]) -> str:
    # The nearest proxy appends, so what stands before may be the client's own invention.
    return ",".join(values).rpartition(",")[2].strip()


def _is_within(peer: tuple[str, int] | None, networks: Sequence[Network]) -> bool:
    if peer is None or not networks:
        return False
    address = ipaddress.ip_address(peer[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return any(address in network for network in networks)
