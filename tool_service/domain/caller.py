"""Who is behind a request, as proven by a token and confirmed by the database."""

from dataclasses import dataclass, replace
from enum import StrEnum
from uuid import UUID

from tool_service.domain.language import Language

CLIENT_NAME_LIMIT = 200


class Role(StrEnum):
    """What a member may do, weakest first."""

    VIEWER = "viewer"
    OPERATOR = "operator"
    MANAGER = "manager"
    OWNER = "owner"

    @property
    def rank(self) -> int:
        return list(Role).index(self)

    def includes(self, needed: "Role") -> bool:
        return self.rank >= needed.rank


class Channel(StrEnum):
    """The face through which a call came; it changes no rule, only the audit."""

    API = "api"
    MCP = "mcp"
    APP = "app"
    SCHEDULE = "schedule"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Subject:
    """Of whom an issuer's token speaks, before we know who that is here. Ours names organization and grant too."""

    issuer: str
    subject: str
    organization_id: UUID | None
    grant_id: UUID | None
    verified_email: str | None


@dataclass(frozen=True, slots=True)
class Identity:
    """What a verified token or assertion says. An upper bound: role and membership are read anew."""

    organization_id: UUID
    person_id: UUID
    scopes: frozenset[str]
    channel: Channel
    client_id: str
    client_name: str | None
    token_id: str
    grant_id: UUID | None = None
    """What the person allowed the client, where that is on our own record: revoked, it takes the token along."""

    def named(self, client_name: str | None) -> "Identity":
        """The same identity under the name that the client program gives itself in this request."""
        return self if client_name is None else replace(self, client_name=client_name[:CLIENT_NAME_LIMIT])


@dataclass(frozen=True, slots=True)
class Caller:
    """An identity whose membership is active now."""

    identity: Identity
    member_id: UUID
    name: str
    email: str
    role: Role
    language: Language
    timezone: str

    @property
    def organization_id(self) -> UUID:
        return self.identity.organization_id

    @property
    def person_id(self) -> UUID:
        return self.identity.person_id
