"""Reports about the connection between front end and tool service."""

import asyncio

from hypercorn.asyncio import serve

from mcp_frontend.adapters.tool_service_calls import CHANNEL_OPTIONS
from mcp_frontend.adapters.tool_service_calls import MESSAGE_LIMIT_BYTES as CLIENT_LIMIT_BYTES
from mcp_frontend.app import create_app
from mcp_frontend.settings import Settings
from mcp_frontend.web.http_server import server_config
from tests.support.faces import KEY
from tests.support.keys import jwk_set, state_keys
from tool_service.grpc_api.server import MESSAGE_LIMIT_BYTES, SERVER_OPTIONS


def test_d40_the_server_allows_every_ping_that_the_front_end_sends() -> None:
    client, server = dict(CHANNEL_OPTIONS), dict(SERVER_OPTIONS)
    assert client["grpc.keepalive_time_ms"] >= server["grpc.http2.min_ping_interval_without_data_ms"]
    assert client["grpc.keepalive_permit_without_calls"] <= server["grpc.keepalive_permit_without_calls"]


def test_d42_both_sides_have_one_limit_for_messages() -> None:
    assert CLIENT_LIMIT_BYTES == MESSAGE_LIMIT_BYTES
    for options in (dict(CHANNEL_OPTIONS), dict(SERVER_OPTIONS)):
        assert (
            options["grpc.max_send_message_length"] == options["grpc.max_receive_message_length"] == CLIENT_LIMIT_BYTES
        )


def test_d41_one_app_that_was_made_before_any_loop_serves_in_several_one_after_the_other() -> None:
    rings = {"MCP_FRONTEND_ASSERTION_KEYS": jwk_set(KEY), "MCP_FRONTEND_STATE_KEYS": state_keys()}
    app = create_app(Settings.from_env({**rings, "MCP_FRONTEND_TOOL_SERVICE": "127.0.0.1:1"}))

    async def started_and_stopped() -> None:
        stop = asyncio.Event()
        stop.set()
        await serve(app, server_config("127.0.0.1:0", 1.0), shutdown_trigger=stop.wait, mode="asgi")

    for _ in range(3):
        asyncio.run(started_and_stopped())
