"""The ASGI lifespan: what belongs to the serving loop is opened at startup and closed at shutdown.

A gRPC channel made outside that loop fails every call (field report D41).
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from mcp_frontend.web.asgi import AsgiApp, Receive, Scope, Send


class WithLifespan:
    """An ASGI application whose inner one exists from startup to shutdown."""

    def __init__(self, open_app: Callable[[], AbstractAsyncContextManager[AsgiApp]]) -> None:
        self._open_app = open_app
        self._app: AsgiApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif self._app is None:
            raise RuntimeError("the ASGI server must speak the lifespan protocol")
        else:
            await self._app(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self._open_app() as self._app:
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})
