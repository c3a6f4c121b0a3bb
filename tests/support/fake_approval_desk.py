"""The desk's twin in memory: one approval per id, for whoever it is made out to.

It earns its trust in tests/contract/ports/test_approval_desk.py, where the real desk has to behave alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mcp_frontend.approvals.ports import (
    Approval,
    ApprovalRefusal,
    Decision,
    ListedApproval,
    Status,
    Verdict,
    Visit,
    VisitorRefused,
)

PENDING = Approval(
    id="a1",
    status=Status.PENDING,
    tool="kadu_tasks_delete",
    summary="Excluir a tarefa «Conciliação».",
    summary_before="",
    seen_digest="seen-1",
    client_name="Um Cliente",
    person_name="Helena Prado",
    organization_name="Padaria Girassol",
    facts=(("Situação", "ativa"),),
    arguments={"id": "conciliacao"},
    cost_ceiling="",
    destination="",
    created_at=1_790_000_000,
    expires_at=1_790_000_900,
    decided_at=0,
    seconds_left=900,
    problem=None,
    outcome=None,
    outcome_status=0,
    timezone="America/Sao_Paulo",
)


@dataclass(slots=True)
class FakeApprovalDesk:
    """approvals.ports.ApprovalDesk. `owners` says whose each approval is, by the subject's own name."""

    approvals: dict[str, Approval] = field(default_factory=lambda: {PENDING.id: PENDING})
    owners: dict[str, str] = field(default_factory=dict)
    strangers: set[str] = field(default_factory=set)
    """Subjects that nobody knows any more."""
    fault: Exception | None = None
    """Raised in place of an answer."""
    runs: list[str] = field(default_factory=list)
    """The ids of what ran, in order."""
    visits: list[Visit] = field(default_factory=list)

    async def show(self, visit: Visit, approval_id: str) -> Approval | ApprovalRefusal:
        return self._own(visit, approval_id)

    async def decide(
        self, visit: Visit, approval_id: str, decision: Decision, seen_digest: str
    ) -> tuple[Verdict, Approval] | ApprovalRefusal:
        approval = self._own(visit, approval_id)
        if isinstance(approval, ApprovalRefusal):
            return approval
        if approval.status is not Status.PENDING:
            return Verdict.DECIDED_BEFORE, approval
        if decision is Decision.DECLINE:
            return Verdict.DECIDED, self._end(approval, Status.DECLINED)
        if seen_digest != approval.seen_digest or approval.problem is not None:
            return Verdict.CHANGED, approval
        self.runs.append(approval_id)
        return Verdict.DECIDED, self._end(approval, Status.COMPLETED)

    async def inbox(self, visit: Visit) -> Sequence[ListedApproval]:
        self._arrive(visit)
        return [
            ListedApproval(
                id=each.id,
                status=each.status,
                summary=each.summary,
                client_name=each.client_name,
                organization_name=each.organization_name,
                created_at=each.created_at,
                decided_at=each.decided_at,
                seconds_left=each.seconds_left,
                timezone=each.timezone,
            )
            for each in self.approvals.values()
            if self._is_for(visit, each)
        ]

    def _own(self, visit: Visit, approval_id: str) -> Approval | ApprovalRefusal:
        self._arrive(visit)
        approval = self.approvals.get(approval_id)
        if approval is None:
            return ApprovalRefusal.NOT_FOUND
        return approval if self._is_for(visit, approval) else ApprovalRefusal.NOT_FOR_YOU

    def _is_for(self, visit: Visit, approval: Approval) -> bool:
        return self.owners.get(approval.id, visit.subject.subject) == visit.subject.subject

    def _end(self, approval: Approval, status: Status) -> Approval:
        answered = 204 if status is Status.COMPLETED else 0
        ended = replace(
            approval, status=status, outcome_status=answered, decided_at=approval.created_at + 60, seconds_left=0
        )
        self.approvals[approval.id] = ended
        return ended

    def _arrive(self, visit: Visit) -> None:
        self.visits.append(visit)
        if self.fault is not None:
            raise self.fault
        if visit.subject.subject in self.strangers:
            raise VisitorRefused
