"""From what a token says to what its person may do now.

A claim is an upper bound: role and membership come from the database and are remembered for a
few seconds, so that a lowered role is felt on every replica almost at once.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from tool_service.db.engine import Database
from tool_service.domain.caller import Caller, Identity
from tool_service.domain.language import choose_language
from tool_service.domain.organizations import Member, NotAMember
from tool_service.ports import Clock
from tool_service.repositories.members import MemberDirectory

REMEMBERED = timedelta(seconds=3)
REMEMBERED_LIMIT = 10_000


@dataclass(slots=True)
class Members:
    """Looks members up and remembers them for REMEMBERED."""

    database: Database
    clock: Clock
    _known: dict[tuple[UUID, UUID, UUID | None], tuple[datetime, Member]] = field(default_factory=dict)

    async def caller(self, identity: Identity, accept_language: str) -> Caller:
        """Raises: NotAMember."""
        member = await self._member(identity)
        return Caller(
            identity=identity,
            member_id=member.id,
            name=member.name,
            email=member.email,
            role=member.role,
            language=choose_language(accept_language, member.locale, member.organization_locale),
            timezone=member.timezone or member.organization_timezone,
        )

    async def _member(self, identity: Identity) -> Member:
        key = (identity.organization_id, identity.person_id, identity.grant_id)
        now = self.clock.now()
        known = self._known.get(key)
        if known is not None and now < known[0]:
            return known[1]
        async with self.database.begin(write=False) as connection:
            directory = MemberDirectory(connection)
            member = await directory.find_active(identity.organization_id, identity.person_id)
            ended = identity.grant_id is not None and not await directory.is_good(identity.grant_id, now)
        if member is None or ended:
            self._known.pop(key, None)
            raise NotAMember()
        if len(self._known) >= REMEMBERED_LIMIT:
            self._known.clear()
        self._known[key] = (now + REMEMBERED, member)
        return member
