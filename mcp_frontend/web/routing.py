"""Which half of the front end answers a path: the endpoint at the root, the pages everywhere else."""

from mcp_frontend.web.asgi import AsgiApp, Receive, Scope, Send


class Router:
    """Never redirects: a client drops its token on the way (field report D13)."""

    def __init__(self, endpoint: AsgiApp, pages: AsgiApp) -> None:
        self._endpoint = endpoint
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # "//" and the like: what is left of a base URL that was joined carelessly.
        is_root = not scope["path"].strip("/")
        await (self._endpoint if scope["type"] == "http" and is_root else self._pages)(scope, receive, send)
