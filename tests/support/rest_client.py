"""A client of /api/v1 that says every byte itself, for tests of the face's manners."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import cast
from uuid import UUID

from mcp_frontend.web.asgi import AsgiApp
from tests.support import world
from tests.support.asgi_client import AsgiClient, HttpReply
from tests.support.faces import AUDIENCE, Faces

JSON = ("Content-Type", "application/json")
TASKS = "/api/v1/tasks"
TASK = f"{TASKS}/{world.TASK}"

Headers = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class RestClient:
    """Speaks for a manager who has every scope, unless a test says otherwise."""

    faces: Faces

    def token(
        self,
        *,
        audience: str = AUDIENCE,
        person: UUID = world.PEOPLE["manager"],
        organization: UUID = world.ORGANIZATION,
    ) -> str:
        return self.faces.tokens.mint(
            person_id=person,
            organization_id=organization,
            audience=audience,
            client_id="client-1",
            client_name=None,
            scopes=frozenset({"kadu.admin"}),
            lifetime=timedelta(hours=1),
        )

    async def ask(
        self, method: str, target: str, headers: Headers = (), body: bytes | Sequence[bytes] = b""
    ) -> HttpReply:
        """A request with a good token."""
        return await self.send(method, target, [("Authorization", f"Bearer {self.token()}"), *headers], body)

    async def send(
        self, method: str, target: str, headers: Headers = (), body: bytes | Sequence[bytes] = b""
    ) -> HttpReply:
        reply = await AsgiClient(cast(AsgiApp, self.faces.rest_app)).request(method, target, headers, body)
        assert reply is not None
        return reply


def codes(reply: HttpReply) -> tuple[int, list[str]]:
    """The status, and the code of each problem; the body must agree with the head."""
    body = reply.json()
    assert body["status"] == reply.status
    assert body["request_id"] == reply.header("Request-Id")
    return reply.status, [each["code"] for each in body["errors"]]
