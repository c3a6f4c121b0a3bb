"""What an approval looks like to clients: in the answer that opens it, in a list, and whole."""

import json
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from tool_service.domain.approvals import Approval, ApprovalStatus
from tool_service.domain.identifiers import TOOL_PREFIX, IdText
from tool_service.domain.language import Language
from tool_service.domain.schema import CONTENT_NOTICE, Arguments, ContentNotice, Timestamp, View

APPROVALS_PATH = "/approvals"
_NEXT = (
    "Show approval_url to the person. After they choose {button}, read the outcome with kadu_approvals_get;"
    " do not call the tool again."
)
_BUTTONS = {Language.PORTUGUESE: "Continuar", Language.ENGLISH: "Continue"}


class ApprovalIdArguments(Arguments):
    id: Annotated[IdText, Field(description="Id of the approval.")]


class RequestedByView(View):
    id: UUID
    name: str


class ApprovalResultView(View):
    """The answer of the approved call: status and body of its route. Third-party data may be in it."""

    status: int
    body: Annotated[Any, Field(description="As the route answers it; null with 204, and 24 hours after the end.")]


class ApprovalListItem(View):
    id: UUID
    tool: str
    title: str
    summary: Annotated[str, Field(description="What happens when the person says yes.")]
    client_name: Annotated[str | None, Field(description="As the program names itself.")]
    requested_by: RequestedByView
    status: str
    approval_url: Annotated[str | None, Field(description="For the person, while the status is pending.")]
    expires_at: Timestamp
    decided_at: Timestamp | None
    created_at: Timestamp
    updated_at: Timestamp


class ApprovalView(ApprovalListItem):
    result: Annotated[ApprovalResultView | None, Field(description="Once completed or failed.")]
    content_notice: ContentNotice = CONTENT_NOTICE


def approval_url(pages_url: str, approval_id: UUID) -> str:
    """The page at which its person decides."""
    return f"{pages_url}{APPROVALS_PATH}/{approval_id}"


def opened_body(approval: Approval, pages_url: str, now: datetime) -> bytes:
    """The answer to the call that has to wait: what to show to the person, and what to do then."""
    data = {
        "type": "approval",
        "id": str(approval.id),
        "status": approval.status_at(now).value,
        "approval_url": approval_url(pages_url, approval.id),
        "summary": approval.preview.summary.in_(approval.language),
        "expires_at": approval.expires_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }
    told = {"data": data, "next": _NEXT.format(button=_BUTTONS[approval.language])}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def approval_list_item(
    approval: Approval, requester: str, language: Language, pages_url: str, now: datetime
) -> ApprovalListItem:
    return ApprovalListItem(**_fields(approval, requester, language, pages_url, now))


def approval_view(
    approval: Approval, requester: str, language: Language, pages_url: str, now: datetime
) -> ApprovalView:
    outcome = approval.outcome
    result = None
    if outcome is not None:
        body = json.loads(outcome.body) if outcome.body else None
        result = ApprovalResultView(status=outcome.status, body=body)
    return ApprovalView(**_fields(approval, requester, language, pages_url, now), result=result)


def _fields(approval: Approval, requester: str, language: Language, pages_url: str, now: datetime) -> dict[str, Any]:
    status = approval.status_at(now)
    return {
        "id": approval.id,
        "tool": TOOL_PREFIX + approval.operation,
        "title": approval.title,
        "summary": approval.preview.summary.in_(language),
        "client_name": approval.client_name,
        "requested_by": RequestedByView(id=approval.member_id, name=requester),
        "status": status.value,
        "approval_url": approval_url(pages_url, approval.id) if status is ApprovalStatus.PENDING else None,
        "expires_at": approval.expires_at,
        "decided_at": approval.decided_at,
        "created_at": approval.created_at,
        "updated_at": approval.updated_at,
    }
