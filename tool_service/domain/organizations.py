"""Organizations and their members, as far as the rules need them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from tool_service.domain.caller import Role


class OrganizationEnvironment(StrEnum):
    PRODUCTION = "production"
    SANDBOX = "sandbox"


class OrganizationStatus(StrEnum):
    ACTIVE = "active"
    SUSPENDED = "suspended"


class MemberStatus(StrEnum):
    """Only an active member acts; an invited one has not come yet, a disabled one is shut out."""

    ACTIVE = "active"
    INVITED = "invited"
    DISABLED = "disabled"


@dataclass(frozen=True, slots=True)
class Organization:
    """One customer; `document_number` is whole here and masked wherever it is shown."""

    id: UUID
    name: str
    document_number: str
    environment: OrganizationEnvironment
    status: OrganizationStatus
    locale: str
    timezone: str
    plan_name: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class NamedMember:
    """What others call a member, and whether it is a program."""

    name: str
    is_service: bool


@dataclass(frozen=True, slots=True)
class Member:
    """A person in one organization. Their own locale and timezone, where set, win over the organization's."""

    id: UUID
    organization_id: UUID
    person_id: UUID
    name: str
    email: str
    role: Role
    locale: str | None
    timezone: str | None
    organization_name: str
    organization_locale: str
    organization_timezone: str


class NotAMember(Exception):
    """The token is genuine, but its person is no active member of its organization, or took the access back."""
