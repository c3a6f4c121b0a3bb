"""A signed-in person with a browser before our own pages, who reads forms and presses buttons."""

from dataclasses import asdict, dataclass
from urllib.parse import urlsplit

from mcp_frontend.caller import Subject
from tests.support import world
from tests.support.asgi_client import HttpReply
from tests.support.faces import PUBLIC_URL
from tests.support.front_end import FrontEnd
from tests.support.issuer import RESOURCE
from tests.support.sign_in import FORM, encoded, forms

COOKIE = "__Host-kadu"


def subject_of(role: str) -> Subject:
    """A person of the test's company, as the embedded issuer names them."""
    organization_id, person_id = world.identity(role)
    return Subject(PUBLIC_URL, str(person_id), str(organization_id), None, f"{role}@example.com", True)


@dataclass
class PersonAtPages:
    """`subject` None: nobody is signed in with this browser."""

    front_end: FrontEnd
    subject: Subject | None
    language: str = "pt-BR"

    async def get(self, url: str, method: str = "GET") -> HttpReply:
        return await self._send(method, url)

    async def press(self, page: HttpReply, decision: str, origin: str | None = RESOURCE, **changes: str) -> HttpReply:
        """Send the form of the page; the answer is where they are led, or why not."""
        [form] = [each for each in forms(page) if each.action.startswith("/approvals/")]
        return await self.post(form.action, {**_single(form.values), "decision": decision, **changes}, origin)

    async def post(self, target: str, values: dict[str, str], origin: str | None = RESOURCE) -> HttpReply:
        headers = [FORM] if origin is None else [FORM, ("Origin", origin)]
        return await self._send("POST", target, headers, encoded(values).encode())

    async def decide(self, url: str, decision: str) -> HttpReply:
        """Open the link, press the button, and look at the page that follows."""
        return await self.follow(await self.press(await self.get(url), decision))

    async def follow(self, reply: HttpReply) -> HttpReply:
        assert reply.status == 303, reply.body
        return await self.get(reply.header("Location") or "")

    async def _send(
        self, method: str, url: str, headers: list[tuple[str, str]] | None = None, body: bytes = b""
    ) -> HttpReply:
        parts = urlsplit(url)
        lines = [("Host", "mcp.example"), ("Accept", "text/html"), ("Accept-Language", self.language)]
        if self.subject is not None:
            expires_at = int(self.front_end.clock.now().timestamp()) + 3600
            session = {**asdict(self.subject), "expires_at": expires_at}
            lines.append(("Cookie", f"{COOKIE}={self.front_end.ring.seal('session1', session)}"))
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        return await self.front_end.http(method, target, headers=[*lines, *(headers or [])], body=body)


def _single(values: dict[str, list[str]]) -> dict[str, str]:
    return {name: each[0] for name, each in values.items()}
