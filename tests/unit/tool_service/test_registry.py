"""How an operation is declared and found, and which contradictions stop the service from starting."""

from typing import Annotated, Any

import pytest
from pydantic import Field

from tool_service import operations, prompts
from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.language import Localized
from tool_service.domain.previews import Preview
from tool_service.domain.schema import Arguments, NoContent, Success, View
from tool_service.registry import Operation, RegistryError, Resource, Route, discover, operation


class ThingArguments(Arguments):
    id: Annotated[str, Field(description="Id of the thing.")]


class ThingView(View):
    id: str


async def _preview(context: Context, arguments: ThingArguments) -> Preview:
    return Preview(Localized(pt="x", en="x"))


async def things_get(context: Context, arguments: ThingArguments) -> Success[ThingView]:
    """Read one thing,
    whole."""
    return Success(ThingView(id=arguments.id))


async def things_delete(context: Context, arguments: ThingArguments) -> NoContent:
    """Delete one thing."""
    return NoContent()


FACTS: dict[str, Any] = {"title": "Thing", "scope": "kadu.tasks.read", "role": Role.VIEWER}
ROUTE = Route("GET", "/things/{id}")
DOCUMENT = Resource(
    "kobana://kadu/things",
    name="things",
    title=Localized(pt="x", en="x"),
    description=Localized(pt="x", en="x"),
    arguments={"id": "1"},
)


def declared(**facts: Any) -> Operation:
    stated: dict[str, Any] = {**FACTS, "route": ROUTE, **facts}
    return operation(**stated)(things_get)


def test_a_declaration_reads_the_rest_from_its_handler() -> None:
    found = declared(read_only=True)
    assert (found.name, found.tool_name) == ("things_get", "kadu_things_get")
    assert found.description == "Read one thing, whole."
    assert (found.arguments, found.answer, found.view) == (ThingArguments, Success, ThingView)
    assert (found.success_statuses, found.idempotent, found.destructive) == ((200,), True, False)


def test_what_answers_nothing_answers_204() -> None:
    found = operation(**FACTS, route=Route("DELETE", "/things/{id}"), destructive=True, preview=_preview)(things_delete)
    assert (found.success_statuses, found.view, found.answer) == ((204,), None, NoContent)


@pytest.mark.parametrize(
    "facts",
    [
        {"destructive": True},
        {"preview": _preview},
        {"destructive": True, "read_only": True, "preview": _preview},
        {"resource": DOCUMENT},
        {"resource": DOCUMENT, "read_only": True, "audits_reads": True},
        {"resource": DOCUMENT, "read_only": True, "secret_members": ("id",)},
    ],
)
def test_facts_that_contradict_each_other_stop_the_start(facts: dict[str, Any]) -> None:
    with pytest.raises(RegistryError, match="things_get"):
        declared(**facts)


def test_only_writes_take_a_repeat_key_and_are_audited_unless_a_read_says_so() -> None:
    assert [declared(read_only=reads).accepts_idempotency_key for reads in (True, False)] == [False, True]
    assert [declared(read_only=True, audits_reads=audits).audited for audits in (True, False)] == [True, False]
    assert declared().audited


def test_what_is_kept_for_a_repetition_has_no_secrets() -> None:
    body = b'{"data":{"id":"1","url":"https://files.example/x?k=\xc3\xa9"}}'
    assert declared().body_to_keep(body) == body
    assert declared(secret_members=("url",)).body_to_keep(body) == b'{"data":{"id":"1","url":null}}'


def test_every_module_of_the_package_holds_the_one_operation_that_it_is_named_after() -> None:
    found = discover(operations).operations
    assert [each.handler.__module__ for each in found] == [f"tool_service.operations.{each.name}" for each in found]


def test_a_module_without_an_operation_stops_the_start() -> None:
    with pytest.raises(RegistryError, match="must hold exactly the operation"):
        discover(prompts)


def test_an_operation_is_found_by_either_name_and_no_other() -> None:
    registry = discover(operations)
    found = registry.by_tool_name("kadu_tasks_run")
    assert found is not None
    assert registry.by_name("tasks_run") is found
    assert [registry.by_tool_name("tasks_run"), registry.by_name("kadu_tasks_run")] == [None, None]
