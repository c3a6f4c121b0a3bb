"""The whole front end on fakes, as one value: what a client sends goes through every room but the adapters."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp_frontend.app import Ports, build
from mcp_frontend.approvals.ports import ApprovalDesk
from mcp_frontend.approvals.request_state import RequestStates
from mcp_frontend.dispatch.perform import Effects
from mcp_frontend.dispatch.ports import LibraryGateway, ToolGateway
from mcp_frontend.sealing import SealingRing
from mcp_frontend.settings import Settings
from mcp_frontend.web.asgi import AsgiApp
from tests.support.asgi_client import AsgiClient, HttpReply
from tests.support.clock import FakeClock
from tests.support.fake_approval_desk import FakeApprovalDesk
from tests.support.fake_library_gateway import FakeLibraryGateway
from tests.support.fake_tool_gateway import FakeToolGateway
from tests.support.issuer import ISSUER, RESOURCE, FakeIssuer, FakeMembers
from tests.support.keys import CountingRandomness, state_keys
from tests.support.official_types import assert_official_reply

VERSION_2026 = "2026-07-28"
VERSION_2025 = "2025-06-18"
REQUEST_ID = "request-1"

_PREFIX = "io.modelcontextprotocol/"


class NothingAnswered(Exception):
    pass


@dataclass(slots=True)
class FrontEnd:
    """Fakes that a test looks into, and two ways to send: a message of one era, or any HTTP request."""

    tools: FakeToolGateway = field(default_factory=FakeToolGateway)
    library: FakeLibraryGateway = field(default_factory=FakeLibraryGateway)
    issuer: FakeIssuer = field(default_factory=FakeIssuer)
    members: FakeMembers = field(default_factory=FakeMembers)
    approvals: FakeApprovalDesk = field(default_factory=FakeApprovalDesk)
    clock: FakeClock = field(default_factory=FakeClock)
    settings: Mapping[str, str] = field(default_factory=dict)
    is_ready: bool = True
    gateways: tuple[ToolGateway, LibraryGateway, ApprovalDesk] | None = None
    """In place of the fakes."""
    new_request_id: Callable[[], str] = field(default=lambda: REQUEST_ID)
    ring: SealingRing = field(init=False)
    app: AsgiApp = field(init=False)
    client: AsgiClient = field(init=False)

    def __post_init__(self) -> None:
        environment = {"MCP_FRONTEND_PUBLIC_URL": RESOURCE, "MCP_FRONTEND_ISSUER": ISSUER, **self.settings}
        randomness = CountingRandomness()
        self.ring = SealingRing(state_keys(), randomness)
        states = RequestStates(self.ring, self.clock, randomness)
        tools, library, approvals = self.gateways or (self.tools, self.library, self.approvals)
        ports = Ports(
            effects=Effects(tools, library, states),
            keys=self.issuer,
            issuer=self.issuer,
            members=self.members,
            codes=self.issuer,
            approvals=approvals,
            ring=self.ring,
            is_ready=self._is_ready,
            clock=self.clock,
            randomness=randomness,
            new_request_id=self.new_request_id,
        )
        self.app = build(Settings.from_env(environment), ports)
        self.client = AsgiClient(self.app)

    async def _is_ready(self) -> bool:
        return self.is_ready

    def token(self, **claims: Any) -> str:
        return self.issuer.token(self.clock.now().timestamp(), **claims)

    def headers(self, *more: tuple[str, str], token: str | None = None) -> list[tuple[str, str]]:
        """What every good POST carries."""
        return [
            ("Host", "mcp.example"),
            ("Authorization", f"Bearer {token or self.token()}"),
            ("Content-Type", "application/json"),
            *more,
        ]

    async def http(self, method: str, target: str = "/", **request: Any) -> HttpReply:
        """Any request. Every message in reply is held against the official types of its revision.

        Raises:
            NothingAnswered: the client did not hear the answer, or there was none.
        """
        reply = await self.client.request(method, target, **request)
        if reply is None:
            raise NothingAnswered
        if b'"jsonrpc"' in reply.body:
            body = request.get("body", b"")
            asked = body if isinstance(body, bytes) else b"".join(body)
            assert_official_reply(asked, reply.header("MCP-Protocol-Version"), reply.body)
        return reply

    async def ask_2026(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        capabilities: Mapping[str, Any] | None = None,
        token: str | None = None,
        headers: tuple[tuple[str, str], ...] = (),
    ) -> HttpReply:
        """One request with envelope and mirrored headers; its id is 1."""
        meta = {
            f"{_PREFIX}protocolVersion": VERSION_2026,
            f"{_PREFIX}clientCapabilities": capabilities or {},
            f"{_PREFIX}clientInfo": {"name": "test-client", "version": "1"},
        }
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**(params or {}), "_meta": meta}}
        routing = [("MCP-Protocol-Version", VERSION_2026), ("Mcp-Method", method)]
        if params and "name" in params:
            routing.append(("Mcp-Name", params["name"]))
        return await self.http(
            "POST", headers=self.headers(*routing, *headers, token=token), body=json.dumps(message).encode()
        )

    async def ask_2025(self, method: str, params: Mapping[str, Any] | None = None) -> HttpReply:
        """One request of a client with a handshake behind it; its id is 1."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
        return await self.http(
            "POST", headers=self.headers(("MCP-Protocol-Version", VERSION_2025)), body=json.dumps(message).encode()
        )
