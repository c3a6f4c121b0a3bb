"""The ticket in the form of an approval page: who was shown what, sealed, so that no other page can send the form."""

from dataclasses import dataclass

from mcp_frontend.caller import Subject
from mcp_frontend.ports import Clock
from mcp_frontend.sealing import NotSealed, SealingRing

# As long as a session; the approval itself expires sooner.
LIFETIME_SECONDS = 60 * 60
_LABEL = "approval1"


@dataclass(frozen=True, slots=True)
class ApprovalTickets:
    ring: SealingRing
    clock: Clock

    def issue(self, subject: Subject, approval_id: str, seen_digest: str) -> str:
        """For that person before that approval, as it was shown."""
        expires_at = self._now() + LIFETIME_SECONDS
        said = {"who": _who(subject), "approval": approval_id, "seen": seen_digest, "expires_at": expires_at}
        return self.ring.seal(_LABEL, said)

    def seen(self, ticket: str, subject: Subject, approval_id: str) -> str | None:
        """The digest of what the person saw; None when the ticket is not for them, or for another approval."""
        try:
            said = self.ring.open(_LABEL, ticket)
        except NotSealed:
            return None
        is_theirs = said["who"] == _who(subject) and said["approval"] == approval_id
        return said["seen"] if is_theirs and self._now() < said["expires_at"] else None

    def _now(self) -> int:
        return int(self.clock.now().timestamp())


def _who(subject: Subject) -> list[str]:
    return [subject.issuer, subject.subject]
