"""HTTP to places that others name, without becoming their way into our own network (server-side request forgery).

A name is resolved once, every address that it has is judged before anything is connected, and what is connected
is the judged address: a name that resolves differently the next moment gains nothing. TLS still checks the name.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

import httpcore2
import httpx2

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# What the registries of RFC 6890 say is not global, or where no server of others is though `ipaddress` calls it global.
_NOT_OURS_TO_CALL = tuple(
    ipaddress.ip_network(text)
    for text in (
        "100.64.0.0/10",
        "192.0.0.0/24",
        "192.88.99.0/24",
        "198.18.0.0/15",
        "fec0::/10",
        "2001::/23",
        "2001:db8::/32",
        "3fff::/20",
        "5f00::/16",
    )
)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_LOCAL_NAT64 = ipaddress.IPv6Network("64:ff9b:1::/48")


class AddressRefused(httpcore2.ConnectError):
    """The name has an address that nobody but us could reach. Nothing was connected."""


def is_public(address: _Address) -> bool:
    """Whether it is an address of the open internet; one that wraps another is judged by what it wraps."""
    if isinstance(address, ipaddress.IPv6Address):
        if address in _LOCAL_NAT64 or address.scope_id is not None:
            return False
        wrapped = _wrapped(address)
        if wrapped is not None:
            return is_public(wrapped)
    if any(address.version == network.version and address in network for network in _NOT_OURS_TO_CALL):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _wrapped(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address in _NAT64 or int(address) >> 32 == 0:
        # The second is the old IPv4-compatible form (RFC 4291 2.5.5.1); :: and ::1 are judged with it.
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None


class _GuardedBackend(httpcore2.AsyncNetworkBackend):
    def __init__(self, backend: httpcore2.AsyncNetworkBackend, resolve: Resolve, allow_loopback: bool) -> None:
        self._backend = backend
        self._resolve = resolve
        self._allow_loopback = allow_loopback

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (the library's signature)
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        try:
            found = [ipaddress.ip_address(text) for text in await self._resolve(host, port)]
        except (OSError, UnicodeError, ValueError) as error:
            raise httpcore2.ConnectError("the name is unknown") from error
        if not found or not all(self._admits(address) for address in found):
            raise AddressRefused("the address is not public")
        return await self._backend.connect_tcp(str(found[0]), port, timeout, local_address, socket_options)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        raise AddressRefused("a unix socket is not public")

    async def sleep(self, seconds: float) -> None:
        await self._backend.sleep(seconds)

    def _admits(self, address: _Address) -> bool:
        return is_public(address) or (self._allow_loopback and address.is_loopback)


async def resolve_name(host: str, port: int) -> Sequence[str]:
    """Every address of the name, by the system's resolver; it reads all spellings of an address too."""
    entries = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in entries]


def guarded_client(
    *, allow_loopback: bool = False, timeout_seconds: float = 5.0, resolve: Resolve = resolve_name
) -> httpx2.AsyncClient:
    """A client that reaches public addresses only; it follows no redirect and heeds no proxy of the environment.

    Its requests raise httpx2.ConnectError for an address that is refused. `allow_loopback` is for development.
    """
    # The system's authorities, or those of SSL_CERT_FILE.
    transport = httpx2.AsyncHTTPTransport(verify=ssl.create_default_context(), trust_env=False)
    # The library has no public way to choose the backend of its pool; a test holds it to this one.
    pool: Any = transport._pool
    pool._network_backend = _GuardedBackend(pool._network_backend, resolve, allow_loopback)
    return httpx2.AsyncClient(transport=transport, timeout=timeout_seconds, follow_redirects=False, trust_env=False)
