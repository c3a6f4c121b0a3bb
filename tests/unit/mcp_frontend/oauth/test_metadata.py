"""The protected resource metadata: where it is and what it says."""

import json

import pytest

from mcp_frontend.oauth.metadata import metadata_document, metadata_url


@pytest.mark.requirement("authorization.metadata-place")
@pytest.mark.parametrize(
    ("resource", "url"),
    [
        ("https://mcp.example", "https://mcp.example/.well-known/oauth-protected-resource"),
        ("https://mcp.example/", "https://mcp.example/.well-known/oauth-protected-resource"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000/.well-known/oauth-protected-resource"),
        ("https://example.com/mcp", "https://example.com/.well-known/oauth-protected-resource/mcp"),
    ],
)
def test_the_document_stands_between_host_and_path(resource: str, url: str) -> None:
    assert metadata_url(resource) == url


@pytest.mark.requirement("authorization.metadata")
def test_the_document_names_resource_and_issuer_byte_for_byte() -> None:
    assert json.loads(metadata_document("https://mcp.example", "https://issuer.example/x")) == {
        "resource": "https://mcp.example",
        "authorization_servers": ["https://issuer.example/x"],
        "scopes_supported": ["kadu.read", "kadu.tasks.run"],
        "bearer_methods_supported": ["header"],
        "resource_name": "Kadu",
    }
