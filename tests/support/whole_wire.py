"""Front end and tool service in one process, joined by gRPC over a real socket: what a report tried, all the way."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from mcp_frontend.adapters.caller_assertion import CallerAssertions
from mcp_frontend.adapters.grpc_approvals import GrpcApprovals
from mcp_frontend.adapters.grpc_library_gateway import GrpcLibraryGateway
from mcp_frontend.adapters.grpc_tool_gateway import GrpcToolGateway
from mcp_frontend.adapters.tool_service_calls import Deadlines
from tests.support import world
from tests.support.asgi_client import HttpReply
from tests.support.faces import KEY, PUBLIC_URL, Faces
from tests.support.front_end import FrontEnd
from tests.support.keys import jwk_set

FORMS: dict[str, Any] = {"elicitation": {"form": {}}}


@dataclass(frozen=True)
class WholeWire:
    """Clients of the test's company, each signed in as the person of a role."""

    faces: Faces
    front_end: FrontEnd

    def token(self, role: str = "manager", scopes: str = "kadu.admin") -> str:
        organization_id, person_id = world.identity(role)
        return self.front_end.token(
            iss=PUBLIC_URL, sub=str(person_id), org=str(organization_id), scope=scopes, exp=2**40
        )

    async def ask_2026(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        role: str = "manager",
        scopes: str = "kadu.admin",
        capabilities: Mapping[str, Any] | None = None,
    ) -> HttpReply:
        return await self.front_end.ask_2026(method, params, capabilities=capabilities, token=self.token(role, scopes))

    async def ask_2025(self, method: str, params: Mapping[str, Any] | None = None) -> HttpReply:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, **({} if params is None else {"params": params})}
        return await self.send(json.dumps(message).encode(), ("MCP-Protocol-Version", "2025-06-18"))

    async def send(self, body: bytes, *headers: tuple[str, str], token: str | None = None) -> HttpReply:
        """Any body, under headers that are good but for what the test adds."""
        lines = self.front_end.headers(*headers, token=token or self.token())
        return await self.front_end.http("POST", headers=lines, body=body)

    async def call(self, tool: str, arguments: Any = None, **more: Any) -> dict[str, Any]:
        """The result of a call by a client that can be asked in the chat; nobody answers it."""
        params = {"name": tool, "arguments": arguments or {}, **more}
        reply = await self.ask_2026("tools/call", params, capabilities=FORMS)
        assert reply.status == 200, reply.body
        return reply.json()["result"]

    async def confirmed(self, tool: str, arguments: Any) -> dict[str, Any]:
        """The result of a destructive call to which the person says yes, if they are asked."""
        asked = await self.call(tool, arguments)
        if "requestState" not in asked:
            return asked
        return await self.call(tool, arguments, requestState=asked["requestState"], inputResponses=YES)


YES: dict[str, Any] = {"confirm": {"action": "accept", "content": {"confirm": True}}}


def whole_wire(faces: Faces) -> WholeWire:
    """Over both faces of a tool service, through its channel."""
    assertions, deadlines = CallerAssertions(jwk_set(KEY), faces.clock), Deadlines(call=10)
    gateways = (
        GrpcToolGateway(faces.channel, assertions, deadlines),
        GrpcLibraryGateway(faces.channel, assertions, deadlines),
        GrpcApprovals(faces.channel, assertions, deadlines),
    )
    numbers = count(1)
    # Of the embedded issuer, whose subjects are our own people.
    settings = {"MCP_FRONTEND_ISSUER": PUBLIC_URL}
    front_end = FrontEnd(
        clock=faces.clock,
        gateways=gateways,
        settings=settings,
        new_request_id=lambda: f"request-{next(numbers)}",
    )
    return WholeWire(faces, front_end)
