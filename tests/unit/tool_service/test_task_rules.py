"""The rules of tasks: slugs, who may trigger and see them, input schemas."""

from dataclasses import replace
from uuid import UUID

import pytest

from tests.support.clock import NOON
from tool_service.domain.caller import Caller, Channel, Identity, Role
from tool_service.domain.errors import InvalidArguments
from tool_service.domain.language import Language
from tool_service.domain.task_grants import Access, Grant, PrincipalType, viewers
from tool_service.domain.tasks import (
    PermissionMode,
    Task,
    Visibility,
    checked_custom_data,
    checked_input_schema,
    may_see,
    may_trigger,
    slug_of,
)


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Conciliação diária", "conciliacao-diaria"),
        ("  Fluxo de caixa -- 2026! ", "fluxo-de-caixa-2026"),
        ("x" * 80, "x" * 60),
        ("a" * 59 + " b", "a" * 59),
    ],
)
def test_a_slug_is_made_of_the_letters_and_digits_of_the_name(name: str, slug: str) -> None:
    assert slug_of(name) == slug


def test_a_name_without_latin_letters_needs_a_slug_of_its_own() -> None:
    with pytest.raises(InvalidArguments) as refused:
        slug_of("日報")
    assert refused.value.problems[0].param == "slug"


MINE, THEIRS = UUID(int=7), UUID(int=8)
TASK = Task(
    id=UUID(int=1),
    slug="resumo",
    name="Resumo",
    description="",
    instructions="Some.",
    input_schema=None,
    default_max_cost_cents=500,
    timeout_seconds=60,
    enabled=True,
    permission_mode=PermissionMode.RESTRICTED,
    visibility=Visibility.RESTRICTED,
    version=1,
    created_by=UUID(int=2),
    external_id=None,
    tags=(),
    custom_data=None,
    deleted_at=None,
    created_at=NOON,
    updated_at=NOON,
)
GRANTS = {
    "member": Grant(PrincipalType.MEMBER, str(MINE), Access.RUN),
    "service": Grant(PrincipalType.SERVICE, str(MINE), Access.RUN),
    "somebody else": Grant(PrincipalType.MEMBER, str(THEIRS), Access.RUN),
    "only a look": Grant(PrincipalType.MEMBER, str(MINE), Access.VIEW),
    "everybody": Grant(PrincipalType.ROLE, "viewer", Access.RUN),
    "operators": Grant(PrincipalType.ROLE, "operator", Access.RUN),
    "owners": Grant(PrincipalType.ROLE, "owner", Access.RUN),
}


def a_caller(role: Role) -> Caller:
    identity = Identity(UUID(int=3), UUID(int=4), frozenset(), Channel.MCP, "c", None, "t")
    return Caller(identity, MINE, "Ana", "ana@example.com", role, Language.ENGLISH, "America/Sao_Paulo")


@pytest.mark.parametrize(
    ("mode", "allowed"),
    [
        (PermissionMode.OPERATORS, [Role.OPERATOR, Role.MANAGER, Role.OWNER]),
        (PermissionMode.MANAGERS, [Role.MANAGER, Role.OWNER]),
        (PermissionMode.RESTRICTED, []),
    ],
)
def test_the_mode_of_a_task_says_from_which_role_on_it_may_be_triggered(
    mode: PermissionMode, allowed: list[Role]
) -> None:
    task = replace(TASK, permission_mode=mode)
    assert [role for role in Role if may_trigger(a_caller(role), task)] == allowed


@pytest.mark.parametrize(
    ("grant", "allowed"),
    [
        ("member", [Role.OPERATOR, Role.MANAGER, Role.OWNER]),
        ("service", [Role.OPERATOR, Role.MANAGER, Role.OWNER]),
        ("somebody else", []),
        ("only a look", []),
        ("everybody", [Role.OPERATOR, Role.MANAGER, Role.OWNER]),
        ("operators", [Role.OPERATOR, Role.MANAGER, Role.OWNER]),
        ("owners", [Role.OWNER]),
    ],
)
def test_a_restricted_task_runs_for_whom_a_grant_names_and_no_grant_lifts_a_viewer(
    grant: str, allowed: list[Role]
) -> None:
    task = replace(TASK, grants=(GRANTS[grant],))
    assert [role for role in Role if may_trigger(a_caller(role), task)] == allowed


def test_a_restricted_task_is_seen_by_managers_owners_and_whom_a_grant_names() -> None:
    def seers(visibility: Visibility, *grants: str) -> list[Role]:
        by_grant = viewers([GRANTS[each] for each in grants])
        return [role for role in Role if may_see(a_caller(role), visibility, by_grant)]

    assert seers(Visibility.RESTRICTED) == [Role.MANAGER, Role.OWNER]
    assert seers(Visibility.RESTRICTED, "somebody else") == [Role.MANAGER, Role.OWNER]
    for grant in ("member", "only a look", "everybody"):
        assert seers(Visibility.RESTRICTED, "somebody else", grant) == list(Role)
    assert seers(Visibility.RESTRICTED, "operators") == [Role.OPERATOR, Role.MANAGER, Role.OWNER]
    assert seers(Visibility.ORGANIZATION) == list(Role)


def test_an_empty_input_schema_means_none() -> None:
    assert checked_input_schema({}) is None


def test_a_schema_of_an_object_with_inner_references_is_kept_as_it_is() -> None:
    schema = {
        "type": "object",
        "properties": {"month": {"$ref": "#/$defs/month"}},
        "$defs": {"month": {"type": "string"}, "deep": {"items": {"items": {"items": {"type": "string"}}}}},
    }
    assert checked_input_schema(schema) == schema


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array"},
        {"properties": {}},
        {"type": "object", "properties": {"a": {"$ref": "https://example.com/schema.json"}}},
        {"type": "object", "properties": {"a": {"type": "no such type"}}},
        {"type": "object", "description": "x" * 17_000},
        {"type": "object", "properties": {"a": {"items": {"items": {"items": {"items": {"items": {"items": {}}}}}}}}},
        {"type": "object", "properties": {"a": {"allOf": [{"not": {"not": {"not": {"not": {}}}}}]}}},
    ],
)
def test_a_schema_that_no_run_could_be_checked_against_is_refused(schema: dict[str, object]) -> None:
    with pytest.raises(InvalidArguments) as refused:
        checked_input_schema(schema)
    assert refused.value.problems[0].param == "input_schema"


def test_custom_data_is_bounded_and_empty_means_none() -> None:
    assert checked_custom_data({}) is None
    assert checked_custom_data({"a": 2**70}) == {"a": 2**70}
    with pytest.raises(InvalidArguments):
        checked_custom_data({"a": "x" * 8200})
