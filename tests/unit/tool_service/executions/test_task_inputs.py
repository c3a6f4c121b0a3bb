"""What a run may be given."""

from typing import Any

import pytest

from tests.support.clock import NOON, fake_id
from tool_service.domain.errors import InvalidArguments
from tool_service.domain.task_inputs import check_inputs, cost_ceiling
from tool_service.domain.tasks import PermissionMode, Task, Visibility

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "month": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$"},
        "accounts": {"type": "array", "items": {"type": "integer"}},
        "until": {"type": "string", "format": "date"},
    },
    "required": ["month"],
}


def a_task(input_schema: dict[str, Any] | None = None) -> Task:
    return Task(
        id=fake_id(1),
        slug="resumo",
        name="Resumo",
        description="",
        instructions="Some.",
        input_schema=input_schema,
        default_max_cost_cents=500,
        timeout_seconds=60,
        enabled=True,
        permission_mode=PermissionMode.OPERATORS,
        visibility=Visibility.ORGANIZATION,
        version=1,
        created_by=fake_id(2),
        external_id=None,
        tags=(),
        custom_data=None,
        deleted_at=None,
        created_at=NOON,
        updated_at=NOON,
    )


def refused_params(task: Task, params: dict[str, Any]) -> list[str | None]:
    with pytest.raises(InvalidArguments) as caught:
        check_inputs(task, None, params)
    assert {problem.code for problem in caught.value.problems} == {"validation_error"}
    return [problem.param for problem in caught.value.problems]


@pytest.mark.parametrize("message", [None, ""])
def test_a_task_without_a_schema_needs_a_message(message: str | None) -> None:
    with pytest.raises(InvalidArguments) as caught:
        check_inputs(a_task(), message, {"report": "summary"})
    assert [problem.param for problem in caught.value.problems] == ["message"]


def test_a_task_without_a_schema_takes_any_params_beside_the_message() -> None:
    check_inputs(a_task(), "Resuma.", {"report": "summary"})


def test_a_task_with_a_schema_needs_no_message() -> None:
    check_inputs(a_task(SCHEMA), None, {"month": "2026-11", "accounts": [1, 2], "until": "2026-11-30"})


@pytest.mark.parametrize(
    ("params", "places"),
    [
        ({}, ["params"]),
        ({"month": "november"}, ["params.month"]),
        ({"month": "2026-11", "accounts": [1, "2"]}, ["params.accounts[1]"]),
        ({"month": "2026-11", "until": "30/11/2026"}, ["params.until"]),
        ({"month": "2026-11", "year": 2026}, ["params"]),
    ],
)
def test_params_that_do_not_fit_are_refused_with_their_place(params: dict[str, Any], places: list[str]) -> None:
    assert refused_params(a_task(SCHEMA), params) == places


def test_every_problem_of_the_params_is_told_at_once() -> None:
    assert refused_params(a_task(SCHEMA), {"month": "november", "accounts": "1"}) == [
        "params.accounts",
        "params.month",
    ]


def test_a_schema_may_allow_members_that_it_does_not_name() -> None:
    check_inputs(a_task({**SCHEMA, "additionalProperties": True}), None, {"month": "2026-11", "year": 2026})


def test_members_that_a_composed_schema_names_are_known() -> None:
    composed = {"type": "object", "allOf": [SCHEMA, {"properties": {"year": {"type": "integer"}}}]}
    check_inputs(a_task(composed), None, {"month": "2026-11", "year": 2026})
    assert refused_params(a_task(composed), {"month": "2026-11", "day": 1}) == ["params"]


def test_params_have_at_most_32_kilobytes() -> None:
    room = 32 * 1024 - len('{"text":""}')
    check_inputs(a_task(), "Resuma.", {"text": "a" * room})
    assert refused_params(a_task({"type": "object", "additionalProperties": True}), {"text": "a" * (room + 1)}) == [
        "params"
    ]


@pytest.mark.parametrize(("asked", "ceiling"), [(None, 500), (1, 1), (1_000_000, 1_000_000)])
def test_the_ceiling_is_the_task_s_own_unless_another_is_asked(asked: int | None, ceiling: int) -> None:
    assert cost_ceiling(a_task(), asked) == ceiling


def test_no_execution_may_cost_more_than_ten_thousand_reais() -> None:
    with pytest.raises(InvalidArguments) as caught:
        cost_ceiling(a_task(), 1_000_001)
    assert [(each.code, each.param) for each in caught.value.problems] == [("max_cost_too_high", "max_cost_cents")]
