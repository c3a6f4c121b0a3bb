"""What an operation is, and the catalogue of all of them.

A tool, a route and, where it only reads, a resource are faces of one operation. Each lives in a
file of its own below `operations/`; `discover` finds them, so nothing else lists them.
"""

import importlib
import inspect
import json
import pkgutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal, get_args, get_type_hints

from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.identifiers import TOOL_PREFIX
from tool_service.domain.previews import Preview
from tool_service.domain.schema import Arguments, NoContent, Page, Success, View
from tool_service.registry.errors import RegistryError
from tool_service.registry.resources import Resource, check_apart

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Handler = Callable[[Context, Any], Awaitable[Success[Any] | Page[Any] | NoContent]]
PreviewOf = Callable[[Context, Any], Awaitable[Preview]]
PageOnly = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Route:
    """The REST face: a method and a path below /api/v1, with {names} of arguments."""

    method: Method
    path: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One capability: its handler and every fact that the faces and the gate need."""

    name: str
    title: str
    description: str
    scope: str
    role: Role
    route: Route
    read_only: bool
    destructive: bool
    idempotent: bool
    arguments: type[Arguments]
    answer: type[Success[Any]] | type[Page[Any]] | type[NoContent]
    view: type[View] | None
    success_statuses: tuple[int, ...]
    handler: Handler
    preview: PreviewOf | None
    page_only: PageOnly
    audits_reads: bool
    notes_reads: bool
    secret_members: tuple[str, ...]
    resource: Resource | None

    @property
    def tool_name(self) -> str:
        return TOOL_PREFIX + self.name

    @property
    def audited(self) -> bool:
        return self.audits_reads or not self.read_only

    @property
    def accepts_idempotency_key(self) -> bool:
        return not self.read_only

    def body_to_keep(self, body: bytes) -> bytes:
        """The body as it may be stored for a repetition: with null for every secret member of `data`."""
        if not self.secret_members:
            return body
        answer = json.loads(body)
        answer["data"].update(dict.fromkeys(self.secret_members))
        return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()


def _never(arguments: Any) -> bool:
    return False


def operation(
    *,
    title: str,
    scope: str,
    role: Role,
    route: Route,
    read_only: bool = False,
    destructive: bool = False,
    idempotent: bool = True,
    success_statuses: tuple[int, ...] = (200,),
    preview: PreviewOf | None = None,
    page_only: PageOnly = _never,
    audits_reads: bool = False,
    notes_reads: bool = False,
    secret_members: tuple[str, ...] = (),
    resource: Resource | None = None,
) -> Callable[[Handler], Operation]:
    """Declare the function below as an operation; its docstring is what models read.

    `success_statuses` are all that an answer of the handler may have. `preview` tells a person what a
    destructive call will do to which object. It runs in the transaction of the preview, before the
    handler. `page_only` says with which arguments a yes counts only at the approval link, never in the
    chat: where money moves. `notes_reads` lets a handler that only reads note that it was read.
    `secret_members` of the answer, such as a signed URL, are null when a repeated call is answered from
    memory. `resource` says where the same answer can be read as a document.

    Raises:
        RegistryError: the facts contradict each other.
    """

    def declare(handler: Handler) -> Operation:
        name = handler.__name__
        if destructive != (preview is not None) or (destructive and read_only):
            raise RegistryError(f"{name}: exactly the destructive operations have a preview, and none only reads")
        if resource is not None and (not read_only or audits_reads or secret_members):
            raise RegistryError(f"{name}: a resource only reads, leaves no trace and holds no secret")
        hints = get_type_hints(handler)
        if resource is not None:
            resource.check(name, hints["arguments"])
        answer = hints["return"]
        return Operation(
            name=name,
            title=title,
            description=" ".join(inspect.cleandoc(handler.__doc__ or "").split()),
            scope=scope,
            role=role,
            route=route,
            read_only=read_only,
            destructive=destructive,
            idempotent=idempotent,
            arguments=hints["arguments"],
            answer=getattr(answer, "__origin__", answer),
            view=next(iter(get_args(answer)), None),
            success_statuses=(204,) if answer is NoContent else success_statuses,
            handler=handler,
            preview=preview,
            page_only=page_only,
            audits_reads=audits_reads,
            notes_reads=notes_reads,
            secret_members=secret_members,
            resource=resource,
        )

    return declare


@dataclass(frozen=True, slots=True)
class Registry:
    """All operations in catalogue order: those that only read, then the others, each by name."""

    operations: tuple[Operation, ...]

    def by_tool_name(self, tool_name: str) -> Operation | None:
        return next((each for each in self.operations if each.tool_name == tool_name), None)

    def by_name(self, name: str) -> Operation | None:
        return next((each for each in self.operations if each.name == name), None)

    def weakest_role(self, scope: str) -> Role | None:
        """With which role the scope opens something; None when no operation asks for it."""
        roles = [each.role for each in self.operations if each.scope == scope]
        return min(roles, key=lambda role: role.rank, default=None)


def discover(package: ModuleType) -> Registry:
    """Read every module of the package; each holds exactly the one operation that it is named after.

    Raises:
        RegistryError: a module breaks that rule, or two operations share a route or a resource.
    """
    found: list[Operation] = []
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        inside = [value for value in vars(module).values() if isinstance(value, Operation)]
        if [each.name for each in inside] != [info.name]:
            raise RegistryError(f"{module.__name__} must hold exactly the operation {info.name}")
        found += inside
    routes = [each.route for each in found]
    if len(set(routes)) != len(routes):
        raise RegistryError("two operations share a route")
    check_apart([each.resource for each in found if each.resource is not None])
    return Registry(tuple(sorted(found, key=lambda each: (not each.read_only, each.name))))
