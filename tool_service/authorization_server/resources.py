"""Whether two texts name the same protected resource (RFC 8707, RFC 3986 6.2). Pure."""

from urllib.parse import urlsplit

_DEFAULT_PORTS = {"https": 443, "http": 80}


def names_resource(text: str, resource: str) -> bool:
    """Whether a `resource` parameter means our resource: final slash, default port and capitals of the host aside.

    Clients that were given `https://h` send `https://h/`, since a URL without a path has the root (field report D15).
    """
    return _parts(text) == _parts(resource) is not None


def _parts(url: str) -> tuple[str, str, int | None, str] | None:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if not parts.hostname or "@" in parts.netloc or "#" in url or parts.query:
        return None
    return parts.scheme, parts.hostname, port or _DEFAULT_PORTS.get(parts.scheme), parts.path.removesuffix("/")
