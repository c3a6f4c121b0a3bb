"""The rungs of the HTTP ladder that headers alone decide, each None or what ends the request.

Pure. Order and statuses are fixed; every refusal has a JSON-RPC body, so
that a client which probes for an era understands it (field report D02).
"""

import re
from collections.abc import Sequence

from mcp_frontend.protocol.errors import INVALID_REQUEST, ORIGIN_REFUSED
from mcp_frontend.protocol.headers import Headers
from mcp_frontend.protocol.model import Rejected
from mcp_frontend.settings import PREFIX
from mcp_frontend.web.origins import OwnPlaces

LIMIT_BODY_BYTES = 1024 * 1024
ALLOWED_METHODS = "POST, OPTIONS"

# A refusal quotes what it refuses, so that an operator sees what the proxy sent; not all of it.
_LIMIT_QUOTED = 100
_LENGTH = re.compile(r"[0-9]{1,19}")


def refuse(status: int, code: int, message: str) -> Rejected:
    """A refusal made before the body was read, so without the id of the request."""
    return Rejected(code, message, status=status)


def check_origin_and_host(headers: Headers, places: OwnPlaces) -> Rejected | None:
    origins = headers.values("origin")
    if len(origins) > 1 or any(not places.admits_origin(origin) for origin in origins):
        return _not_ours("Origin", origins, "ALLOWED_ORIGINS")
    hosts = headers.values("host")
    if len(hosts) != 1 or not places.admits_host(hosts[0]):
        return _not_ours("Host", hosts, "ALLOWED_HOSTS")
    return None


def _not_ours(name: str, values: Sequence[str], setting: str) -> Rejected:
    came = ", ".join(values)[:_LIMIT_QUOTED]
    reason = f"got {came!r}; the server admits its public URL and what {PREFIX}{setting} lists"
    return refuse(403, ORIGIN_REFUSED, f"{name} not allowed: {reason}")


def check_method(method: str) -> Rejected | None:
    if method == "POST":
        return None
    return refuse(405, INVALID_REQUEST, f"Method not allowed; allowed: {ALLOWED_METHODS}")


def check_declared_length(headers: Headers) -> Rejected | None:
    lengths = set(headers.values("content-length"))
    if not lengths:
        return None
    if len(lengths) > 1 or not _LENGTH.fullmatch(length := lengths.pop()):
        return refuse(400, INVALID_REQUEST, "Content-Length must be one number")
    return too_large() if int(length) > LIMIT_BODY_BYTES else None


def check_media_type(headers: Headers) -> Rejected | None:
    types = headers.values("content-type")
    if len(types) != 1 or types[0].partition(";")[0].strip().lower() != "application/json":
        return refuse(415, INVALID_REQUEST, "Content-Type must be application/json")
    # A compressed body could be far larger than it looks.
    if any(encoding.lower() != "identity" for encoding in headers.values("content-encoding")):
        return refuse(415, INVALID_REQUEST, "Content-Encoding must be identity")
    return None


def too_large() -> Rejected:
    return refuse(413, INVALID_REQUEST, f"Request body too large (limit {LIMIT_BODY_BYTES} bytes)")
