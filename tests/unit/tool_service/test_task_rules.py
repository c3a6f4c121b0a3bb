"""The rules of tasks: slugs, who may trigger and see them, input schemas."""

import pytest

from tool_service.domain.caller import Role
from tool_service.domain.errors import InvalidArguments
from tool_service.domain.tasks import (
    PermissionMode,
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


@pytest.mark.parametrize(
    ("role", "mode", "allowed"),
    [
        (Role.VIEWER, PermissionMode.OPERATORS, False),
        (Role.OPERATOR, PermissionMode.OPERATORS, True),
        (Role.OPERATOR, PermissionMode.MANAGERS, False),
        (Role.OPERATOR, PermissionMode.RESTRICTED, False),
        (Role.MANAGER, PermissionMode.MANAGERS, True),
        (Role.OWNER, PermissionMode.RESTRICTED, True),
    ],
)
def test_the_mode_of_a_task_says_from_which_role_on_it_may_be_triggered(
    role: Role, mode: PermissionMode, allowed: bool
) -> None:
    assert may_trigger(role, mode) is allowed


def test_a_restricted_task_is_seen_by_managers_and_owners_only() -> None:
    assert [may_see(role, Visibility.RESTRICTED) for role in Role] == [False, False, True, True]
    assert all(may_see(role, Visibility.ORGANIZATION) for role in Role)


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
