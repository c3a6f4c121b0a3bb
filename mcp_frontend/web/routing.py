"""Which half of the front end answers a request target: the endpoint at the root, the pages everywhere else."""

from urllib.parse import unquote

from mcp_frontend.web.asgi import AsgiApp, Receive, Scope, Send

# Where the pages say what the root is for; a name of its own, since all other ways to the root are the endpoint's.
ENDPOINT_PAGE = "/endpoint"


class Router:
    """Never redirects: a client drops its token on the way (field report D13)."""

    def __init__(self, endpoint: AsgiApp, pages: AsgiApp) -> None:
        self._endpoint = endpoint
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith("/"):
            scope = _in_origin_form(scope)
        # "//" and the like: what is left of a base URL that was joined carelessly.
        is_root = scope["type"] == "http" and not scope["path"].strip("/")
        if is_root and _is_person(scope):
            scope, is_root = {**scope, "path": ENDPOINT_PAGE, "raw_path": ENDPOINT_PAGE.encode()}, False
        await (self._endpoint if is_root else self._pages)(scope, receive, send)


def is_browser(accept: str) -> bool:
    """Whether a person looks: no program asks for HTML, and a client that listens for a stream says so."""
    return "text/html" in accept and "text/event-stream" not in accept


def _is_person(scope: Scope) -> bool:
    if scope["method"] not in ("GET", "HEAD"):
        return False
    return any(is_browser(value.decode("latin-1")) for name, value in scope["headers"] if name.lower() == b"accept")


def _in_origin_form(scope: Scope) -> Scope:
    """The same request with only a path as its target.

    A target that is a whole URL must be taken, and its authority then counts in place of Host (RFC 9112 3.2.2).
    """
    scheme, separator, rest = scope["raw_path"].decode("latin-1").partition("://")
    if not separator or scheme.lower() not in ("http", "https"):
        return scope
    authority, _, path = rest.partition("/")
    others = [line for line in scope["headers"] if line[0].lower() != b"host"]
    return {
        **scope,
        "path": unquote(f"/{path}"),
        "raw_path": f"/{path}".encode("latin-1"),
        "headers": [*others, (b"host", authority.encode("latin-1"))],
    }
