"""`python -m mcp_frontend` as operators meet it: how it starts, what it says when it cannot, how it stops."""

import asyncio
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from joserfc.jwk import ECKey
from typer.testing import CliRunner

from mcp_frontend.__main__ import cli
from mcp_frontend.settings import PREFIX, SETTINGS
from tests.support.fake_tool_gateway import EMPTY_LIST, FakeToolGateway
from tests.support.http_peer import HttpPeer
from tests.support.http_peer import serve as serve_http
from tests.support.issuer import FakeIssuer
from tests.support.keys import jwk_set, state_keys
from tests.support.raw_http import exchange
from tests.support.served_tool_gateway import ServedToolGateway
from tests.support.served_tool_gateway import serve as serve_tools

# Generous, because a loaded machine imports slowly; nothing here waits this long when all is well.
PATIENCE_SECONDS = 60
ASSERTION_KEY = ECKey.generate_key("P-256", {"kid": "a1"})
RINGS = {"MCP_FRONTEND_ASSERTION_KEYS": jwk_set(ASSERTION_KEY), "MCP_FRONTEND_STATE_KEYS": state_keys()}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def _start(environment: Mapping[str, str]) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "mcp_frontend", env=dict(environment), stdout=PIPE, stderr=PIPE
    )


@asynccontextmanager
async def _running(environment: Mapping[str, str]) -> AsyncGenerator[tuple[Process, str]]:
    """The process, once it listens, and its URL."""
    address = f"127.0.0.1:{_free_port()}"
    url = f"http://{address}"
    mine = {"MCP_FRONTEND_LISTEN": address, "MCP_FRONTEND_PUBLIC_URL": url}
    process = await _start({**RINGS, **mine, **environment})
    try:
        assert process.stderr is not None
        async with asyncio.timeout(PATIENCE_SECONDS):
            while "Running on" not in (line := (await process.stderr.readline()).decode()):
                assert line, "it ended before it listened"
        yield process, url
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@asynccontextmanager
async def _published(issuer: FakeIssuer) -> AsyncGenerator[str]:
    """The URL at which the issuer answers."""
    async with serve_http(HttpPeer()) as peer:
        peer.body = issuer.published(peer.url)
        yield peer.url


async def _ended(process: Process) -> tuple[int, str]:
    """Exit status and what it said."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        _, said = await process.communicate()
    return process.returncode or 0, said.decode()


async def test_bad_settings_are_one_sentence_and_exit_2() -> None:
    code, said = await _ended(await _start({"MCP_FRONTEND_LISTEN": "x", "MCP_FRONTEND_LOG_FORMAT": "y"}))
    assert code == 2
    assert said.startswith("The front end cannot start: MCP_FRONTEND_LISTEN: ")
    assert "MCP_FRONTEND_LOG_FORMAT: " in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("text", [None, "no ring"])
async def test_a_key_ring_that_is_missing_or_broken_is_one_sentence_that_shows_no_key(
    tmp_path: Path, text: str | None
) -> None:
    file = tmp_path / "state_keys.json"
    if text is not None:
        file.write_text(text)
    rings = {"MCP_FRONTEND_ASSERTION_KEYS": jwk_set(ASSERTION_KEY), "MCP_FRONTEND_STATE_KEYS_FILE": str(file)}
    code, said = await _ended(await _start(rings))
    assert code == 2
    assert len(said.splitlines()) == 1
    assert str(file) in said if text is None else "no JWK Set" in said
    assert "no ring" not in said


async def test_a_port_in_use_is_one_sentence_and_exit_1() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        code, said = await _ended(await _start({**RINGS, "MCP_FRONTEND_LISTEN": address}))
    assert code == 1
    last = said.splitlines()[-1]
    assert last == (
        f"The front end cannot listen on {address} (address already in use); "
        "set MCP_FRONTEND_LISTEN to another address."
    )


async def test_it_lives_without_the_tool_service_but_is_not_ready() -> None:
    environment = {"MCP_FRONTEND_TOOL_SERVICE": f"127.0.0.1:{_free_port()}"}
    async with _running(environment) as (_, url), httpx2.AsyncClient(trust_env=False, base_url=url) as client:
        assert [(await client.get(path)).status_code for path in ("/livez", "/readyz")] == [200, 503]


@pytest.mark.requirement("http.body-limit")
async def test_d44_memory_stays_flat_whatever_is_sent() -> None:
    issuer = FakeIssuer()
    sent_mebibytes = 12
    tools = ServedToolGateway(FakeToolGateway(), ASSERTION_KEY)
    async with (
        _published(issuer) as issuer_url,
        serve_tools(tools) as tool_service,
        _running({"MCP_FRONTEND_ISSUER": issuer_url, "MCP_FRONTEND_TOOL_SERVICE": tool_service}) as (process, url),
    ):
        token = issuer.token(0, iss=issuer_url, aud=url, iat=0, exp=2**40)
        head = f"POST / HTTP/1.1\r\nHost: {url[7:]}\r\nAuthorization: Bearer {token}\r\n"
        head += "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        piece = b"10000\r\n%b\r\n" % (b" " * 65_536)
        request = [head.encode(), *([piece] * (16 * sent_mebibytes)), b"0\r\n\r\n"]
        port = int(url.rpartition(":")[2])
        before = _resident_mebibytes(process)
        for _ in range(5):
            replies = await asyncio.gather(*(exchange(port, request) for _ in range(4)))
            assert [[reply.status for reply in each] for each in replies] == [[413]] * 4
        # 240 MiB went in; of each request one MiB may be held at a time.
        assert _resident_mebibytes(process) - before < 40


def _resident_mebibytes(process: Process) -> float:
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@pytest.mark.parametrize("http2", [False, True], ids=["HTTP/1.1", "HTTP/2"])
async def test_d43_sigterm_answers_what_is_in_flight_and_exits_0_within_the_grace(http2: bool) -> None:
    issuer = FakeIssuer()
    tools = ServedToolGateway(FakeToolGateway(), ASSERTION_KEY)
    tools.answers.clear()
    async with _published(issuer) as issuer_url, serve_tools(tools) as tool_service:
        environment = {
            "MCP_FRONTEND_ISSUER": issuer_url,
            "MCP_FRONTEND_TOOL_SERVICE": tool_service,
            "MCP_FRONTEND_SHUTDOWN_GRACE_SECONDS": "15",
        }
        async with (
            _running(environment) as (process, url),
            httpx2.AsyncClient(trust_env=False, http1=not http2, http2=http2) as client,
        ):
            call = asyncio.create_task(_call_list(client, url, issuer, issuer_url))
            async with asyncio.timeout(PATIENCE_SECONDS):
                await tools.called.wait()
            process.send_signal(signal.SIGTERM)
            tools.answers.set()
            reply = await call
            assert reply.json()["result"]["content"] == [{"type": "text", "text": EMPTY_LIST.decode()}]
            # The client's connection stays open and idle: it must not keep the process alive.
            code, _ = await _ended(process)
    assert code == 0


async def _call_list(client: httpx2.AsyncClient, url: str, issuer: FakeIssuer, issuer_url: str) -> httpx2.Response:
    now = asyncio.get_running_loop().time()
    token = issuer.token(now, iss=issuer_url, aud=url, iat=0, exp=2**40)
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "kadu_tasks_list"}}
    headers = {"Authorization": f"Bearer {token}", "MCP-Protocol-Version": "2025-06-18"}
    return await client.post(url, json=message, headers=headers, timeout=PATIENCE_SECONDS)


def test_the_help_names_every_setting() -> None:
    shown = CliRunner().invoke(cli, ["--help"]).output
    assert [setting.name for setting in SETTINGS if PREFIX + setting.name not in shown] == []
