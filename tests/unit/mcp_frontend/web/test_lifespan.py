"""The lifespan opens the application in the serving loop, and closes what it opened."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from mcp_frontend.web.lifespan import WithLifespan
from tests.support.asgi_client import AsgiClient


async def _hello(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


async def test_the_application_serves_between_startup_and_shutdown() -> None:
    happened: list[str] = []

    @asynccontextmanager
    async def open_app() -> AsyncGenerator[Any]:
        happened.append("opened")
        yield _hello
        happened.append("closed")

    app = WithLifespan(open_app)
    incoming = iter(["lifespan.startup", "lifespan.shutdown"])

    async def receive() -> dict[str, str]:
        message = next(incoming)
        if message == "lifespan.shutdown":
            reply = await AsgiClient(app).request("GET")
            assert reply is not None
            happened.append(reply.body.decode())
        return {"type": message}

    async def send(message: Any) -> None:
        happened.append(message["type"])

    await app({"type": "lifespan"}, receive, send)
    assert happened == ["opened", "lifespan.startup.complete", "hello", "closed", "lifespan.shutdown.complete"]


async def test_a_server_without_lifespan_is_told_what_is_missing() -> None:
    @asynccontextmanager
    async def open_app() -> AsyncGenerator[Any]:
        yield _hello

    with pytest.raises(RuntimeError, match="lifespan"):
        await AsgiClient(WithLifespan(open_app)).request("GET")
