"""What a proxy says of the request that it took in, and whose word counts."""

from ipaddress import ip_network
from typing import Any

import pytest

from mcp_frontend.web.proxies import BehindProxies, as_forwarded
from tests.support.asgi_client import HttpReply
from tests.support.front_end import FrontEnd

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
FORWARDED = (("X-Forwarded-Host", "mcp.example"), ("X-Forwarded-Proto", "https"))


async def _through_a_proxy(trusted: str, host: str, *lines: tuple[str, str], target: str = "/") -> HttpReply:
    """The peer of every request in these tests is 127.0.0.1."""
    front_end = FrontEnd(settings={"MCP_FRONTEND_TRUSTED_PROXIES": trusted})
    headers = [("Host", host), *front_end.headers()[1:], *lines]
    return await front_end.http("POST", target, headers=headers, body=PING)


@pytest.mark.requirement("http.proxies")
async def test_d22_a_trusted_proxy_that_rewrites_host_is_believed() -> None:
    assert (await _through_a_proxy("127.0.0.0/8", "internal:8000", *FORWARDED)).status == 200


@pytest.mark.requirement("http.host")
async def test_d22_the_host_may_carry_its_port() -> None:
    assert (await _through_a_proxy("", "mcp.example:443")).status == 200


@pytest.mark.requirement("http.proxies")
@pytest.mark.parametrize("trusted", ["", "10.0.0.0/8", "::1"])
async def test_d22_nobody_else_is_believed(trusted: str) -> None:
    assert (await _through_a_proxy(trusted, "internal:8000", *FORWARDED)).status == 403
    assert (await _through_a_proxy(trusted, "mcp.example", ("X-Forwarded-Host", "evil.example"))).status == 200


@pytest.mark.requirement("http.proxies")
async def test_d22_a_trusted_proxy_does_not_make_a_foreign_host_ours() -> None:
    reply = await _through_a_proxy("127.0.0.1", "mcp.example", ("X-Forwarded-Host", "evil.example"))
    assert reply.status == 403


@pytest.mark.requirement("http.host")
@pytest.mark.parametrize("path", ["/livez", "/readyz"])
async def test_d22_health_asks_for_no_host(path: str) -> None:
    reply = await FrontEnd().http("GET", path, headers=[("Host", "10.0.0.7")])
    assert reply.status == 200


@pytest.mark.requirement("http.refusal-reason")
@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            [("Host", "internal:8000")],
            "Host not allowed: got 'internal:8000'; the server admits its public URL and what "
            "MCP_FRONTEND_ALLOWED_HOSTS lists",
        ),
        (
            [("Host", "mcp.example"), ("Origin", "https://app.example")],
            "Origin not allowed: got 'https://app.example'; the server admits its public URL and what "
            "MCP_FRONTEND_ALLOWED_ORIGINS lists",
        ),
    ],
)
async def test_d22_a_refusal_says_why_in_the_log_and_in_json(
    capsys: pytest.CaptureFixture[str], lines: list[tuple[str, str]], message: str
) -> None:
    reply = await FrontEnd().http("POST", headers=lines, body=PING)
    assert reply.json()["error"]["message"] == message
    assert message.replace("'", "") in capsys.readouterr().out.replace("'", "")


async def test_a_refusal_quotes_no_more_than_a_reader_needs() -> None:
    reply = await FrontEnd().http("POST", headers=[("Host", "a" * 9000)], body=PING)
    assert len(reply.body) < 500


@pytest.mark.requirement("http.one-path")
@pytest.mark.parametrize("target", ["/", "//", "/?x=1"])
async def test_d13_behind_tls_no_spelling_of_the_endpoint_redirects(target: str) -> None:
    assert (await _through_a_proxy("127.0.0.1", "internal", *FORWARDED, target=target)).status == 200


@pytest.mark.requirement("http.one-path")
@pytest.mark.parametrize("target", ["/", "//", "/?x=1"])
async def test_d13_behind_tls_the_challenge_names_the_public_url(target: str) -> None:
    front_end = FrontEnd(settings={"MCP_FRONTEND_TRUSTED_PROXIES": "127.0.0.1"})
    reply = await front_end.http("POST", target, headers=[("Host", "internal"), *FORWARDED], body=PING)
    assert reply.status == 401
    assert "https://mcp.example/.well-known/" in (reply.header("WWW-Authenticate") or "")


def _forwarded(*headers: tuple[bytes, bytes]) -> dict[str, Any]:
    return dict(as_forwarded({"scheme": "http", "headers": [(b"host", b"internal"), *headers]}))


def test_the_nearest_proxy_has_the_last_word() -> None:
    scope = _forwarded((b"x-forwarded-host", b"evil.example, first.example"), (b"x-forwarded-host", b"mcp.example"))
    assert [value for name, value in scope["headers"] if name == b"host"] == [b"mcp.example"]


def test_without_its_words_the_request_is_what_it_was() -> None:
    assert _forwarded() == {"scheme": "http", "headers": [(b"host", b"internal")]}


@pytest.mark.parametrize(
    ("said", "scheme"), [(b"https", "https"), (b"HTTP", "http"), (b"gopher", "http"), (b"", "http")]
)
def test_a_scheme_is_http_or_https(said: bytes, scheme: str) -> None:
    assert _forwarded((b"x-forwarded-proto", said))["scheme"] == scheme


@pytest.mark.parametrize(
    ("peer", "is_believed"),
    [
        (("10.1.2.3", 1), True),
        (("::ffff:10.1.2.3", 1), True),
        (("11.1.2.3", 1), False),
        (("::1", 1), False),
        (None, False),
    ],
)
async def test_a_peer_is_judged_by_its_address(peer: tuple[str, int] | None, is_believed: bool) -> None:
    seen: list[str] = []

    async def app(scope: dict[str, Any], receive: object, send: object) -> None:
        seen.append(scope["scheme"])

    scope = {"type": "http", "scheme": "http", "client": peer, "headers": [(b"x-forwarded-proto", b"https")]}
    await BehindProxies(app, [ip_network("10.0.0.0/8")])(scope, None, None)  # type: ignore[arg-type]
    assert seen == ["https" if is_believed else "http"]
