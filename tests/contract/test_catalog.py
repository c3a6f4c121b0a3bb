"""Rules over the whole catalogue, as loops: what holds for every tool, whoever adds the next one."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from protos.tool_service.v1 import tool_service_pb2 as pb
from tests.support.faces import REGISTRY, Faces
from tool_service import operations
from tool_service.dispatcher.tool_schemas import ToolSchemas, tool_schema
from tool_service.domain.caller import Role
from tool_service.domain.scopes import ALL
from tool_service.registry import Operation, discover

# The published table of hints: every tool that may ever exist, by what it does to the world.
READS = {
    *("organization_get", "me_get", "members_list", "members_get", "tasks_list", "tasks_get", "task_permissions_get"),
    *("schedules_list", "schedules_get", "executions_list", "executions_get", "execution_messages_list"),
    *("execution_steps_list", "execution_outputs_list", "files_list", "files_get", "files_download", "webhooks_list"),
    *("webhooks_get", "webhook_event_types_list", "webhook_deliveries_list", "webhook_deliveries_get", "usage_get"),
    *("usage_breakdown_list", "plan_get", "approvals_list", "approvals_get", "audit_events_list", "audit_events_get"),
}
WRITES = {"tasks_create", "tasks_update", "schedules_pause", "files_create", "files_confirm"}
DESTROYS = {
    *("tasks_delete", "task_permissions_update", "schedules_create", "schedules_update", "schedules_resume"),
    *("schedules_delete", "executions_cancel", "files_delete", "webhooks_create", "webhooks_update"),
    *("webhooks_delete", "webhooks_rotate_secret"),
}
DESTROYS_ONCE_MORE_EACH_TIME = {"tasks_run", "executions_continue", "webhook_deliveries_replay"}

# Field report D26: clients join the server's name to the tool's, and cut or drop what is longer.
LONGEST_AFTER_A_LABEL = 60
LONGEST_AFTER_A_PREFIX = 64

each_operation = pytest.mark.parametrize("operation", REGISTRY.operations, ids=lambda each: each.name)


def test_d26_names_are_what_every_client_takes_and_differ_in_more_than_case() -> None:
    names = [each.tool_name for each in REGISTRY.operations]
    assert [name for name in names if not re.fullmatch(r"kadu_[a-z_]+", name)] == []
    assert [name for name in names if len(f"kadu: {name}") > LONGEST_AFTER_A_LABEL] == []
    assert [name for name in names if len(f"mcp__kadu__{name}") > LONGEST_AFTER_A_PREFIX] == []
    assert len({name.lower() for name in names}) == len(names)


@each_operation
def test_the_hints_of_a_tool_are_those_of_the_published_table(operation: Operation) -> None:
    kinds = {
        "reads": (True, False, True),
        "writes": (False, False, True),
        "destroys": (False, True, True),
        "destroys once more each time": (False, True, False),
    }
    table = dict(zip(kinds, (READS, WRITES, DESTROYS, DESTROYS_ONCE_MORE_EACH_TIME), strict=True))
    [kind] = [kind for kind, names in table.items() if operation.name in names]
    assert (operation.read_only, operation.destructive, operation.idempotent) == kinds[kind]
    assert (operation.preview is not None) == operation.destructive


@each_operation
def test_a_tool_says_what_it_is_in_a_title_and_few_words(operation: Operation) -> None:
    assert 1 <= len(operation.title) <= 60
    assert 1 <= len(operation.description) <= 700
    assert operation.description.isprintable()


@each_operation
def test_a_tool_needs_a_scope_that_exists_and_only_a_reader_is_open_to_viewers(operation: Operation) -> None:
    assert operation.scope in ALL
    assert operation.read_only or operation.role.includes(Role.OPERATOR)


@each_operation
def test_a_route_spells_its_method_as_its_hints_do(operation: Operation) -> None:
    """GET reads, POST creates or does once more, PUT and PATCH and DELETE converge."""
    method = operation.route.method
    assert (method == "GET") == operation.read_only
    assert operation.idempotent or method == "POST"
    assert set(re.findall(r"{(\w+)}", operation.route.path)) <= operation.arguments.model_fields.keys()


def test_readers_come_first_and_each_part_is_in_the_order_of_names() -> None:
    shown = [(not each.read_only, each.name) for each in REGISTRY.operations]
    assert shown == sorted(shown)


def test_every_operation_is_one_file_of_its_name() -> None:
    files = {path.stem for path in Path(operations.__path__[0]).glob("[a-z]*.py")}
    assert files == {each.name for each in REGISTRY.operations}


@each_operation
def test_d23_the_root_of_a_schema_is_a_closed_object_that_any_client_reads(operation: Operation) -> None:
    """Field report D23: one union at a root made a client drop every tool of the server."""
    schema = tool_schema(operation)
    assert schema.keys() <= {"type", "properties", "required", "additionalProperties"}
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert set(schema.get("required", [])) <= schema["properties"].keys()
    jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})


@each_operation
def test_d23_a_schema_is_inline_and_without_alternatives(operation: Operation) -> None:
    forbidden = {"$ref", "$defs", "anyOf", "oneOf", "allOf", "not", "title", "contentEncoding", "contentMediaType"}
    for place, node in schemas_inside(tool_schema(operation), operation.tool_name):
        assert node.keys() & forbidden == set(), place
        assert isinstance(node.get("type"), str), place


@each_operation
def test_every_argument_is_described_and_bounded(operation: Operation) -> None:
    for name, node in tool_schema(operation)["properties"].items():
        assert len(node["description"]) >= 10, name
    for place, node in schemas_inside(tool_schema(operation), operation.tool_name):
        bounds = {
            "string": [{"maxLength"}, {"pattern"}, {"enum"}],
            "integer": [{"minimum", "maximum"}],
            "array": [{"maxItems", "items"}],
            # What is in it is checked by its own rules; its size in bytes stands in its description.
            "object": [{"additionalProperties"}],
            "boolean": [set[str]()],
        }[node["type"]]
        assert any(needed <= node.keys() for needed in bounds), f"{place} has no bound"
        if node["type"] == "object" and node["additionalProperties"] is True:
            assert "KB" in node["description"], place


@each_operation
def test_no_tool_takes_an_organization_or_bytes(operation: Operation) -> None:
    names = tool_schema(operation)["properties"].keys()
    assert [name for name in names if re.search("organi[sz]ation|base64|content$|bytes$", name)] in ([], ["size_bytes"])


@each_operation
def test_the_tool_takes_what_the_route_takes_and_a_write_the_repeat_key(operation: Operation) -> None:
    repeat_key = set() if operation.read_only else {"idempotency_key"}
    assert tool_schema(operation)["properties"].keys() == operation.arguments.model_fields.keys() | repeat_key


def test_equal_registries_give_equal_bytes() -> None:
    again = discover(operations)
    first, second = ToolSchemas(REGISTRY), ToolSchemas(again)
    texts = [second.of(each) for each in again.operations]
    assert [first.of(each) for each in REGISTRY.operations] == texts
    assert [json.loads(text) for text in texts] == [tool_schema(each) for each in REGISTRY.operations]


@pytest.mark.parametrize("role", list(Role))
async def test_a_person_is_listed_what_the_role_may_run_in_catalogue_order(faces: Faces, role: Role) -> None:
    response = await faces.stub.ListTools(
        pb.ListToolsRequest(), metadata=faces.metadata(role.value, "kadu.admin"), timeout=10
    )
    expected = [each.tool_name for each in REGISTRY.operations if role.includes(each.role)]
    assert [tool.name for tool in response.tools] == expected
    if role is Role.VIEWER:
        assert {tool.read_only for tool in response.tools} == {True}


async def test_a_token_is_listed_what_its_scopes_reach(faces: Faces) -> None:
    response = await faces.stub.ListTools(
        pb.ListToolsRequest(), metadata=faces.metadata("owner", "kadu.tasks.read kadu.made.up"), timeout=10
    )
    assert [tool.name for tool in response.tools] == ["kadu_tasks_get", "kadu_tasks_list"]


def schemas_inside(schema: Mapping[str, Any], place: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The schema and every schema in it, each with its place."""
    yield place, schema
    for name, child in schema.get("properties", {}).items():
        yield from schemas_inside(child, f"{place}.{name}")
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), Mapping):
            yield from schemas_inside(schema[keyword], f"{place}.{keyword}")
