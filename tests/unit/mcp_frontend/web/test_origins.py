"""Which origins and hosts are ours, and which only look like it."""

import pytest

from mcp_frontend.web.origins import OwnPlaces

PLACES = OwnPlaces("https://mcp.example", ["https://app.example:8443"], ["internal:8000", "other"])


@pytest.mark.requirement("http.origin")
@pytest.mark.parametrize(
    "origin",
    [
        "https://mcp.example",
        "https://MCP.example",
        "https://mcp.example:443",
        "https://app.example:8443",
        "http://localhost",
        "http://localhost:6274",
        "https://localhost:1",
        "http://127.0.0.1:6274",
        "http://[::1]:6274",
    ],
)
def test_our_own_and_local_origins_are_admitted(origin: str) -> None:
    assert PLACES.admits_origin(origin)


@pytest.mark.requirement("http.origin")
@pytest.mark.parametrize(
    "origin",
    [
        "",
        "null",
        "*",
        "https://evil.example",
        "http://mcp.example",
        "https://mcp.example:8443",
        "https://app.example",
        "https://mcp.example.evil.example",
        "https://evil-mcp.example",
        "http://localhost.evil.example",
        "http://localhost@evil.example",
        "http://evil.example/localhost",
        "http://evil.example#localhost",
        "http://localhost:1:2",
        "http://localhost:",
        "http://localhost ",
        "http://127.0.0.1.evil.example",
        "http://127.0.0.2",
        "ftp://localhost",
        "localhost",
        "http://localhost, https://evil.example",
    ],
)
def test_every_other_origin_is_refused(origin: str) -> None:
    assert not PLACES.admits_origin(origin)


@pytest.mark.requirement("http.host")
@pytest.mark.parametrize(
    "host",
    [
        "mcp.example",
        "MCP.EXAMPLE",
        "mcp.example:443",
        "internal:8000",
        "internal",
        "other:1",
        "localhost:8000",
        "[::1]",
    ],
)
def test_our_own_and_local_hosts_are_admitted_on_any_port(host: str) -> None:
    assert PLACES.admits_host(host)


@pytest.mark.requirement("http.host")
@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "mcp.example.evil.example", "mcp.example@evil.example", "mcp.example:x", "a b", "10.0.0.7"],
)
def test_every_other_host_is_refused(host: str) -> None:
    assert not PLACES.admits_host(host)
