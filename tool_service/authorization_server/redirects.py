"""Where an answer may be sent: which redirect URIs a client may register, and which it may then name. Pure.

RFC 9700 2.1 wants them compared exactly; RFC 8252 7.3 leaves a native program the choice of its loopback port.
"""

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

LIMIT_CHARACTERS = 2000

_LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")
# Visible ASCII without what ends or nests a URL in a header, a page or a log line.
_CHARACTERS = re.compile(r"[!#-;=?-Z\[\]_a-z~]+")
_AUTHORITY = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")
# Schemes that a browser runs, reads from the disk or hands to another program of its own.
_UNFIT_SCHEMES = frozenset(
    {
        *("about", "blob", "chrome", "chrome-extension", "data", "file", "filesystem", "ftp", "gopher", "jar"),
        *("javascript", "ldap", "mailto", "ms-appx", "news", "resource", "sms", "tel", "urn", "vbscript"),
        *("view-source", "ws", "wss", "wyciwyg"),
    }
)


@dataclass(frozen=True, slots=True)
class Destination:
    """What a person should know of a redirect URI: the host or scheme, and whether it is this very device."""

    name: str
    is_this_device: bool


def is_registrable(uri: str) -> bool:
    """https anywhere, http on loopback only, or a private-use scheme of a native program (RFC 8252 7.1)."""
    parts = _split(uri)
    if parts is None or "#" in uri:
        return False
    match parts.scheme:
        case "https":
            return bool(parts.hostname)
        case "http":
            return parts.hostname in _LOOPBACK_HOSTS
        case scheme:
            return scheme not in _UNFIT_SCHEMES and bool(parts.netloc or parts.path)


def matches(registered: str, named: str) -> bool:
    """Whether the URI of a request is the registered one: the same text, but for a loopback's port."""
    if registered == named:
        return True
    one, other = _split(registered), _split(named)
    if one is None or other is None:
        return False
    return (
        one.scheme == other.scheme == "http"
        and one.hostname in _LOOPBACK_HOSTS
        and one.hostname == other.hostname
        and (one.path, one.query, one.fragment) == (other.path, other.query, other.fragment)
    )


def destination(uri: str) -> Destination:
    """Whom the answer reaches, in words that cannot be dressed up: never a path or a query."""
    parts = urlsplit(uri)
    if parts.scheme in ("http", "https"):
        host = parts.hostname or ""
        return Destination(host, host in _LOOPBACK_HOSTS)
    return Destination(f"{parts.scheme}:", True)


def form_action(uri: str) -> str:
    """The source expression of a Content-Security-Policy that lets a form's answer redirect there."""
    parts = urlsplit(uri)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else f"{parts.scheme}:"


def _split(uri: str) -> SplitResult | None:
    if len(uri) > LIMIT_CHARACTERS or not _CHARACTERS.fullmatch(uri):
        return None
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError:
        return None
    # urlsplit() answers the scheme in lower case; exactness must not hang on that.
    if not _SCHEME.fullmatch(uri.partition(":")[0]):
        return None
    # A plain host and port: no user name, and nothing that means something to a policy in which it is quoted.
    if parts.scheme in ("http", "https") and not _AUTHORITY.fullmatch(parts.netloc):
        return None
    return parts
