"""One name for all spellings of a protected resource (RFC 3986 6.2, RFC 8707): `HTTPS://H:443/` is `https://h`."""

from urllib.parse import urlsplit

_DEFAULT_PORTS = {"https": 443, "http": 80}


def canonical_resource(url: str) -> str | None:
    """The URL without default port and final slash, scheme and host in lower case; None for what is no such URL.

    Clients that were given `https://h` send `https://h/`, since an URL without a path has the root (field report D15).
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or parts.username is not None:
        return None
    if parts.query or parts.fragment or not url.isascii():
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    authority = host if port in (None, _DEFAULT_PORTS[parts.scheme]) else f"{host}:{port}"
    return f"{parts.scheme}://{authority}{parts.path.removesuffix('/')}"
