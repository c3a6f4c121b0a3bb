"""Grants on tasks: who else may see or run one, beside those whom its mode admits."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tool_service.domain.caller import Caller, Role

GRANTS_LIMIT = 200


class PrincipalType(StrEnum):
    """What a grant is made out to. A role means everybody who has it or one above."""

    MEMBER = "member"
    ROLE = "role"
    SERVICE = "service"


class Access(StrEnum):
    """What it gives: running includes seeing."""

    VIEW = "view"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class Grant:
    """`principal_id` is the id of a member (of a person or a service), or the name of a role."""

    principal_type: PrincipalType
    principal_id: str
    access: Access

    @property
    def principal(self) -> str:
        """One text for whom it is made out to."""
        return f"{self.principal_type}:{self.principal_id}"


def principals_of(caller: Caller) -> tuple[str, ...]:
    """Every principal that the caller is."""
    roles = (f"{PrincipalType.ROLE}:{role}" for role in Role if caller.role.includes(role))
    return (f"{PrincipalType.MEMBER}:{caller.member_id}", f"{PrincipalType.SERVICE}:{caller.member_id}", *roles)


def viewers(grants: Sequence[Grant]) -> tuple[str, ...]:
    """Who may see by a grant."""
    return tuple(dict.fromkeys(grant.principal for grant in grants))


def runners(grants: Sequence[Grant]) -> tuple[str, ...]:
    """Who may run by a grant."""
    return tuple(dict.fromkeys(grant.principal for grant in grants if grant.access is Access.RUN))
