"""Which spellings of a URL name the same protected resource."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_frontend.oauth.resources import canonical_resource


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("https://mcp.example", "https://mcp.example"),
        ("https://mcp.example/", "https://mcp.example"),
        ("HTTPS://MCP.Example:443/", "https://mcp.example"),
        ("http://localhost:80", "http://localhost"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://[::1]:8000/", "http://[::1]:8000"),
        ("https://mcp.example/Kadu/", "https://mcp.example/Kadu"),
        ("https://mcp.example//", "https://mcp.example/"),
        ("https://mcp.example:80", "https://mcp.example:80"),
    ],
)
def test_scheme_host_default_port_and_final_slash_make_no_difference(url: str, canonical: str) -> None:
    assert canonical_resource(url) == canonical


@pytest.mark.parametrize(
    "url",
    [
        "",
        "mcp.example",
        "ftp://mcp.example",
        "https://",
        "https://mcp.example:x",
        "https://mcp.example:99999",
        "https://[mcp.example",
        "https://me@mcp.example",
        "https://mcp.example?x=1",
        "https://mcp.example#x",
        "https://mcp.exampl\u0435",
    ],
)
def test_what_is_no_url_of_a_resource_names_none(url: str) -> None:
    assert canonical_resource(url) is None


@given(st.text())
def test_naming_twice_is_naming_once(text: str) -> None:
    named = canonical_resource(f"https://{text}")
    assert named is None or canonical_resource(f"{named}/") == named
