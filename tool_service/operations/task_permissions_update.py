"""Change who may trigger a task."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from tool_service.context import Context
from tool_service.domain.audit import Change
from tool_service.domain.caller import Role
from tool_service.domain.errors import Conflict, InvalidArguments
from tool_service.domain.facts import as_it_is
from tool_service.domain.language import Localized
from tool_service.domain.previews import Fact, Preview
from tool_service.domain.schema import Success
from tool_service.domain.task_grants import Access, Grant, PrincipalType
from tool_service.domain.task_permission_views import (
    TaskPermissionsUpdateArguments,
    TaskPermissionsView,
    task_permissions_view,
)
from tool_service.domain.tasks import PermissionMode, Task, Visibility
from tool_service.registry import Route, operation

_MODES = {
    PermissionMode.MANAGERS: Localized(pt="gestores e titulares", en="managers and owners"),
    PermissionMode.OPERATORS: Localized(pt="operadores e acima", en="operators and above"),
    PermissionMode.RESTRICTED: Localized(pt="só quem está na lista", en="only those on the list"),
}
_VISIBILITIES = {
    Visibility.ORGANIZATION: Localized(pt="toda a empresa", en="the whole company"),
    Visibility.RESTRICTED: Localized(pt="a lista, gestores e titulares", en="the list, managers and owners"),
}
_ROLES = {
    Role.VIEWER: Localized(pt="leitores e acima", en="viewers and above"),
    Role.OPERATOR: Localized(pt="operadores e acima", en="operators and above"),
    Role.MANAGER: Localized(pt="gestores e titulares", en="managers and owners"),
    Role.OWNER: Localized(pt="titulares", en="owners"),
}
_ACCESS = {Access.VIEW: Localized(pt="ver", en="see"), Access.RUN: Localized(pt="disparar", en="trigger")}
_NOBODY = Localized(pt="ninguém mais", en="nobody else")


async def _preview(context: Context, arguments: TaskPermissionsUpdateArguments) -> Preview:
    task = await context.tasks.get(arguments.id, context.caller)
    changed = await _changed(context, task, arguments)
    mode, visibility = _MODES[changed.permission_mode], _VISIBILITIES[changed.visibility]
    people = await _people(context, changed.grants)
    return Preview(
        Localized(
            pt=f"Mudar quem pode disparar a tarefa «{task.name}»: {mode.pt}. Quem a vê: {visibility.pt}."
            f" Na lista: {people.pt}.",
            en=f"Change who may trigger the task «{task.name}»: {mode.en}. Who sees it: {visibility.en}."
            f" On the list: {people.en}.",
        ),
        facts=(
            Fact(Localized(pt="Tarefa", en="Task"), as_it_is(task.name)),
            Fact(Localized(pt="Pode disparar", en="May trigger"), _MODES[task.permission_mode]),
            Fact(Localized(pt="Pode ver", en="May see"), _VISIBILITIES[task.visibility]),
            Fact(Localized(pt="Na lista", en="On the list"), await _people(context, task.grants)),
        ),
    )


@operation(
    title="Change the permissions of a task",
    scope="kadu.task_permissions.write",
    role=Role.MANAGER,
    route=Route("PUT", "/tasks/{id}/permissions"),
    destructive=True,
    preview=_preview,
)
async def task_permissions_update(
    context: Context, arguments: TaskPermissionsUpdateArguments
) -> Success[TaskPermissionsView]:
    """Replace who may trigger a task and who sees it: mode, visibility and all of the grants at once. Read them first
    and pass their version; on version_conflict read them again. In mode restricted only grants with access run count,
    for managers as well. The person will be asked to confirm."""
    task = await context.tasks.get(arguments.id, context.caller)
    changed = await _changed(context, task, arguments)
    if changed == task:
        return Success(task_permissions_view(task))
    if arguments.version != task.permissions_version:
        raise Conflict("version_conflict", param="version")
    changed = replace(changed, permissions_version=task.permissions_version + 1)
    if not await context.tasks.replace_permissions(changed, expected_version=task.permissions_version):
        raise Conflict("version_conflict", param="version")
    context.changes.extend(
        Change(name, before, after)
        for name, before, after in (
            ("mode", task.permission_mode.value, changed.permission_mode.value),
            ("visibility", task.visibility.value, changed.visibility.value),
            ("grants", _said(task.grants), _said(changed.grants)),
        )
        if before != after
    )
    return Success(task_permissions_view(changed))


async def _changed(context: Context, task: Task, arguments: TaskPermissionsUpdateArguments) -> Task:
    """The task with the permissions of the arguments, under the version that it has.

    Raises:
        InvalidArguments: a grant is for nobody whom we know, or for somebody twice.
    """
    grants = tuple(each.grant() for each in arguments.grants)
    await _check(context, grants)
    return replace(
        task,
        permission_mode=PermissionMode(arguments.mode),
        visibility=Visibility(arguments.visibility),
        grants=grants,
    )


async def _check(context: Context, grants: Sequence[Grant]) -> None:
    known = await context.members.of_ids(list(_member_ids(grants).values()))
    ids = _member_ids(grants)
    for index, grant in enumerate(grants):
        param = f"grants[{index}].principal_id"
        if grant.principal_type is PrincipalType.ROLE:
            if grant.principal_id not in set(Role):
                accepted = ", ".join(Role)
                detail = Localized(pt=f"Valores aceitos: {accepted}.", en=f"Accepted values: {accepted}.")
                raise InvalidArguments("validation_error", detail, param=param)
        else:
            member = known.get(ids[grant.principal_id]) if grant.principal_id in ids else None
            if member is None or member.is_service is not (grant.principal_type is PrincipalType.SERVICE):
                raise InvalidArguments("unknown_member", param=param)
        if any(other.principal == grant.principal for other in grants[:index]):
            detail = Localized(pt="Está duas vezes na lista.", en="It is on the list twice.")
            raise InvalidArguments("validation_error", detail, param=param)


async def _people(context: Context, grants: Sequence[Grant]) -> Localized:
    """Whom the grants name, and what each may do."""
    if not grants:
        return _NOBODY
    ids = _member_ids(grants)
    known = await context.members.of_ids(list(ids.values()))

    def who(grant: Grant) -> Localized:
        if grant.principal_type is PrincipalType.ROLE:
            return _ROLES[Role(grant.principal_id)]
        member = known.get(ids[grant.principal_id])
        return as_it_is(grant.principal_id if member is None else member.name)

    named = [(who(each), _ACCESS[each.access]) for each in grants]
    return Localized(
        pt="; ".join(f"{name.pt} ({access.pt})" for name, access in named),
        en="; ".join(f"{name.en} ({access.en})" for name, access in named),
    )


def _member_ids(grants: Sequence[Grant]) -> dict[str, UUID]:
    """The ids of members and services, by their text; what is no id is left out."""
    found: dict[str, UUID] = {}
    for grant in grants:
        if grant.principal_type is not PrincipalType.ROLE:
            try:
                found[grant.principal_id] = UUID(grant.principal_id)
            except ValueError:
                continue
    return found


def _said(grants: Sequence[Grant]) -> list[str]:
    return [f"{each.principal} {each.access}" for each in grants]
