"""HTTP to places that others name, without becoming their way into our own network (server-side request forgery).

A name is resolved once, every address that it has is judged before anything is connected, and what is connected
is the judged address: a name that resolves differently the next moment gains nothing. TLS still checks the name.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpcore2
import httpx2

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]

# What the registries of RFC 6890 say is not global, or where no server of others is though `ipaddress` calls it global.
_NOT_OURS_TO_CALL = tuple(
    ipaddress.ip_network(text)
    for text in (
        "100.64.0.0/10",
        # The inside of a cloud answers here, at an address that looks like any other.
        "168.63.129.16/32",
        "192.0.0.0/24",
        "192.88.99.0/24",
        "198.18.0.0/15",
        "64:ff9b:1::/48",
        # Teredo among them, RFC 4380.
        "2001::/23",
        "2001:db8::/32",
        "3fff::/20",
        "5f00::/16",
        "fec0::/10",
    )
)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")

# A lookup cannot be called off. Slow ones fill these threads and not those that serve the rest of the process.
_LOOKUPS = ThreadPoolExecutor(max_workers=16, thread_name_prefix="lookup")


class AddressRefused(OSError):
    """The name has an address that is not one of the open internet. Nothing was connected."""


def is_public(address: Address) -> bool:
    """Whether it is an address of the open internet; one that wraps another is judged by what it wraps."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.scope_id is not None:
            return False
        wrapped = _wrapped(address)
        if wrapped is not None:
            return is_public(wrapped)
    if any(address.version == network.version and address in network for network in _NOT_OURS_TO_CALL):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _wrapped(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address inside: mapped (RFC 4291 2.5.5.2), 6to4 (RFC 3056) or NAT64 (RFC 6052)."""
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour


class _Connection(httpcore2.AsyncNetworkStream):
    """A stream that is closed when its TLS handshake is called off, which the library's own is not."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream) -> None:
        self._stream = stream
        self.read = stream.read
        self.write = stream.write
        self.aclose = stream.aclose
        self.get_extra_info = stream.get_extra_info

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 (the library's signature)
    ) -> httpcore2.AsyncNetworkStream:
        try:
            return await self._stream.start_tls(ssl_context, server_hostname, timeout)
        except asyncio.CancelledError:
            await self._stream.aclose()
            raise


class _GuardedBackend(httpcore2.AsyncNetworkBackend):
    def __init__(self, backend: httpcore2.AsyncNetworkBackend, resolve: Resolve, allow_loopback: bool) -> None:
        self._backend = backend
        self._resolve = resolve
        self._allow_loopback = allow_loopback

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        try:
            async with asyncio.timeout(timeout):
                *others, last = await self._admitted(host, port)
                # None of them may use up the time of those behind it.
                share = None if timeout is None else timeout / (len(others) + 1)
                connect = partial(
                    self._backend.connect_tcp,
                    port=port,
                    timeout=share,
                    local_address=local_address,
                    socket_options=socket_options,
                )
                for address in others:
                    with suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):
                        return _Connection(await connect(address))
                return _Connection(await connect(last))
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(f"no connection after {timeout} seconds") from error

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        raise AddressRefused("a unix socket is not public")

    async def sleep(self, seconds: float) -> None:
        await self._backend.sleep(seconds)

    async def _admitted(self, host: str, port: int) -> list[str]:
        """The addresses of the name, at least one; a single bad one among them condemns the name."""
        try:
            found = [ipaddress.ip_address(text) for text in await self._resolve(host, port)]
        except (OSError, ValueError) as error:
            raise httpcore2.ConnectError("the name is unknown") from error
        if not found:
            raise httpcore2.ConnectError("the name has no address")
        if not all(is_public(each) or (self._allow_loopback and each.is_loopback) for each in found):
            raise AddressRefused("the address is not public")
        return [str(each) for each in dict.fromkeys(found)]


async def resolve_name(host: str, port: int) -> Sequence[str]:
    """Every address of the name, by the system's resolver; it reads all spellings of an address too.

    Raises:
        OSError: the name is unknown, or cannot be asked for now.
        UnicodeError: it is no name at all.
    """
    lookup = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    entries = await asyncio.get_running_loop().run_in_executor(_LOOKUPS, lookup)
    return [str(entry[4][0]) for entry in entries]


def guarded_client(
    *,
    allow_loopback: bool = False,
    timeout_seconds: float = 5.0,
    resolve: Resolve = resolve_name,
    network: httpcore2.AsyncNetworkBackend | None = None,
) -> httpx2.AsyncClient:
    """A client that reaches public addresses only. It follows no redirect, keeps no cookie, and heeds of the
    environment no proxy but SSL_CERT_FILE, the file of the authorities to trust.

    Its requests raise AddressRefused, before any connection, in addition to what httpx2 raises. The time-out is
    for each of resolving and connecting, the TLS handshake, and every single read and write; who wants a limit
    for the whole sets one. `allow_loopback` is for development; `network` connects to what was judged.
    """
    transport = httpx2.AsyncHTTPTransport(verify=ssl.create_default_context(), trust_env=False)
    # The library has no public way to choose the backend of its pool; a test holds it to this one.
    pool: Any = transport._pool
    pool._network_backend = _GuardedBackend(network or pool._network_backend, resolve, allow_loopback)
    return httpx2.AsyncClient(
        transport=transport,
        timeout=timeout_seconds,
        follow_redirects=False,
        trust_env=False,
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
    )
