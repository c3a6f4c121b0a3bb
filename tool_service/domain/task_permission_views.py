"""What the permissions of a task look like from outside, and what they are changed by."""

from typing import Annotated, Literal

from pydantic import Field

from tool_service.domain.schema import Arguments, View
from tool_service.domain.task_grants import GRANTS_LIMIT, Access, Grant, PrincipalType
from tool_service.domain.task_views import TaskIdArguments
from tool_service.domain.tasks import Task


class GrantArguments(Arguments):
    principal_type: Annotated[Literal["member", "role", "service"], Field(description="To what it is made out.")]
    principal_id: Annotated[
        str, Field(min_length=1, max_length=64, description="Id of the member or service, or name of the role.")
    ]
    access: Annotated[Literal["view", "run"], Field(description="run includes view.")]

    def grant(self) -> Grant:
        return Grant(PrincipalType(self.principal_type), self.principal_id.lower(), Access(self.access))


class TaskPermissionsUpdateArguments(TaskIdArguments):
    mode: Annotated[
        Literal["managers", "operators", "restricted"],
        Field(description="Who may trigger it: managers and owners, every operator and above, or grants only."),
    ]
    visibility: Annotated[
        Literal["organization", "restricted"],
        Field(description="Who sees it and its executions: everybody, or grants, managers and owners."),
    ]
    grants: Annotated[
        list[GrantArguments],
        Field(max_length=GRANTS_LIMIT, description="All of them: what is not named here is taken back."),
    ]
    version: Annotated[int, Field(ge=1, le=2**31 - 1, description="The version that was read.")]


class GrantView(View):
    principal_type: str
    principal_id: str
    access: str


class TaskPermissionsView(View):
    """Who may trigger and see a task beyond what roles give."""

    mode: str
    visibility: str
    grants: list[GrantView]
    version: int


def task_permissions_view(task: Task) -> TaskPermissionsView:
    grants = [
        GrantView(principal_type=each.principal_type.value, principal_id=each.principal_id, access=each.access.value)
        for each in task.grants
    ]
    return TaskPermissionsView(
        mode=task.permission_mode.value,
        visibility=task.visibility.value,
        grants=grants,
        version=task.permissions_version,
    )
