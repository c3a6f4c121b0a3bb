"""Which browsers' origins and which Host names are ours: the defence against DNS rebinding.

Pure, and judged by parsed parts, never by a prefix. What is ours comes from the settings,
not from the request, or the attacker would say it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

# A browser on the machine itself, whatever its port: local clients have one of their own.
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})

_HOST = r"(?P<host>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
_ORIGIN = re.compile(rf"(?P<scheme>https?)://{_HOST}", re.IGNORECASE)
_AUTHORITY = re.compile(_HOST, re.IGNORECASE)
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class _Origin:
    scheme: str
    host: str
    port: int


class OwnPlaces:
    """The origins and hosts under which this server is reached."""

    def __init__(self, public_url: str, more_origins: Iterable[str] = (), more_hosts: Iterable[str] = ()) -> None:
        parts = urlsplit(public_url)
        own = f"{parts.scheme}://{parts.netloc}"
        self._origins = frozenset(_parse_origin(origin) for origin in (own, *more_origins))
        self._hosts = LOOPBACK_NAMES | {_parse_host(host) for host in (parts.netloc, *more_hosts)}

    def admits_origin(self, origin: str) -> bool:
        """Whether scripts of that origin may talk to us; `null` never may."""
        parsed = _parse_origin(origin)
        return parsed is not None and (parsed.host in LOOPBACK_NAMES or parsed in self._origins)

    def admits_host(self, host: str) -> bool:
        """Whether a Host header names us. Its port is not judged: rebinding needs a name of its own."""
        parsed = _parse_host(host)
        return parsed is not None and parsed in self._hosts


def _parse_origin(text: str) -> _Origin | None:
    match = _ORIGIN.fullmatch(text)
    if match is None:
        return None
    scheme, host, port = (part and part.lower() for part in match.group("scheme", "host", "port"))
    return _Origin(scheme, host, int(port) if port else _DEFAULT_PORTS[scheme])


def _parse_host(text: str) -> str | None:
    match = _AUTHORITY.fullmatch(text)
    return match["host"].lower() if match else None
