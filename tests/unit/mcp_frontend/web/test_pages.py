"""What probes and discovering clients see beside the endpoint."""

import pytest

from mcp_frontend.protocol.errors import INVALID_REQUEST
from tests.support.front_end import FrontEnd
from tests.support.issuer import ISSUER

METADATA = "/.well-known/oauth-protected-resource"


@pytest.mark.requirement("http.host")
async def test_a_live_process_says_so_on_any_host() -> None:
    reply = await FrontEnd().http("GET", "/livez", headers=[("Host", "10.0.0.7")])
    assert (reply.status, reply.json()) == (200, {"status": "ok"})


@pytest.mark.parametrize(("is_ready", "status"), [(True, 200), (False, 503)])
async def test_readiness_is_the_tool_services(is_ready: bool, status: int) -> None:
    front_end = FrontEnd(is_ready=is_ready)
    assert (await front_end.http("GET", "/readyz", headers=[("Host", "10.0.0.7")])).status == status


@pytest.mark.requirement("authorization.metadata", "authorization.metadata-place")
@pytest.mark.parametrize("path", [METADATA, METADATA + "/"])
async def test_the_metadata_is_public_and_open_to_every_origin(path: str) -> None:
    headers = [("Host", "mcp.example"), ("Origin", "https://inspector.example")]
    reply = await FrontEnd().http("GET", path, headers=headers)
    assert reply.status == 200
    assert reply.header("Content-Type") == "application/json"
    assert reply.header("Access-Control-Allow-Origin") == "*"
    assert reply.json()["resource"] == "https://mcp.example"


@pytest.mark.requirement("authorization.metadata")
async def test_a_browser_may_ask_for_the_metadata_with_the_version_header() -> None:
    headers = [("Origin", "https://inspector.example"), ("Access-Control-Request-Headers", "mcp-protocol-version")]
    reply = await FrontEnd().http("OPTIONS", METADATA, headers=headers)
    assert reply.status == 204
    assert reply.header("Access-Control-Allow-Origin") == "*"
    assert "MCP-Protocol-Version" in (reply.header("Access-Control-Allow-Headers") or "")


@pytest.mark.requirement("authorization.metadata-place")
async def test_a_resource_with_a_path_has_its_document_below_the_well_known_path_too() -> None:
    front_end = FrontEnd(settings={"MCP_FRONTEND_PUBLIC_URL": "https://mcp.example/kadu"})
    replies = [await front_end.http("GET", path) for path in (METADATA, METADATA + "/kadu")]
    assert [reply.json()["resource"] for reply in replies] == ["https://mcp.example/kadu"] * 2


ISSUER_METADATA = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]


@pytest.mark.parametrize("path", ISSUER_METADATA)
async def test_the_issuers_metadata_is_at_the_resources_origin_too(path: str) -> None:
    reply = await FrontEnd().http("GET", path, headers=[("Origin", "https://inspector.example")])
    assert (reply.status, reply.header("Content-Type")) == (200, "application/json")
    assert reply.header("Access-Control-Allow-Origin") == "*"
    assert reply.json()["issuer"] == ISSUER
    preflight = await FrontEnd().http("OPTIONS", path, headers=[("Origin", "https://inspector.example")])
    assert (preflight.status, preflight.header("Access-Control-Allow-Origin")) == (204, "*")


@pytest.mark.parametrize("path", ISSUER_METADATA)
async def test_while_the_issuer_is_away_its_metadata_is_asked_for_later(path: str) -> None:
    front_end = FrontEnd()
    front_end.issuer.is_down = True
    reply = await front_end.http("GET", path)
    assert (reply.status, reply.header("Access-Control-Allow-Origin")) == (503, "*")
    assert int(reply.header("Retry-After") or "0") >= 1


@pytest.mark.requirement("http.json-rpc-refusals")
@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("path", ["/mcp", "/sse", "/x/", "/.well-known/unknown"])
async def test_an_unknown_path_says_as_json_rpc_where_the_endpoint_is(method: str, path: str) -> None:
    reply = await FrontEnd().http(method, path)
    assert (reply.status, reply.header("Content-Type")) == (404, "application/json")
    error = {"code": INVALID_REQUEST, "message": "There is nothing here. The MCP endpoint is POST /"}
    assert reply.json() == {"jsonrpc": "2.0", "id": None, "error": error}


async def test_a_page_refuses_other_methods_and_names_its_own() -> None:
    reply = await FrontEnd().http("POST", "/livez")
    assert reply.status == 405
    assert "GET" in (reply.header("Allow") or "")
