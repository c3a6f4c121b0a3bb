"""What a run is given, checked against its task before anything is queued."""

from collections.abc import Mapping, Sequence
from typing import Any

import jsonschema_rs

from tool_service.domain.errors import InvalidArguments, Problem
from tool_service.domain.executions import PER_EXECUTION_CAP_CENTS
from tool_service.domain.json_text import canonical_json
from tool_service.domain.language import Language, Localized
from tool_service.domain.money import format_brl
from tool_service.domain.tasks import Task

PARAMS_LIMIT_BYTES = 32 * 1024
_PROBLEMS_SHOWN = 20
_DETAIL_LENGTH = 300


def check_inputs(task: Task, message: str | None, params: Mapping[str, Any] | None) -> None:
    """Accept the inputs of a run of the task.

    A task without an input schema takes a message, and any params. One with a schema takes
    params that fit it; members that the schema does not name are refused unless it says otherwise.

    Raises:
        InvalidArguments: with every problem, each naming its place such as "params.accounts[0]".
    """
    given = dict(params or {})
    if len(canonical_json(given)) > PARAMS_LIMIT_BYTES:
        raise _refused("params", pt="params passa de 32 KB.", en="params is larger than 32 KB.")
    if task.input_schema is None:
        if not message:
            raise _refused(
                "message",
                pt="Esta tarefa não tem schema de entrada: diga em message o que deve ser feito.",
                en="This task has no input schema: say in message what is to be done.",
            )
        return
    problems = _violations(task.input_schema, given)
    if problems:
        raise InvalidArguments.of(problems)


def cost_ceiling(task: Task, asked_cents: int | None) -> int:
    """The most that the run may cost, in cents.

    Raises:
        InvalidArguments: more was asked than one execution may ever cost.
    """
    ceiling = task.default_max_cost_cents if asked_cents is None else asked_cents
    if ceiling > PER_EXECUTION_CAP_CENTS:
        raise InvalidArguments("max_cost_too_high", _CEILING, param="max_cost_cents")
    return ceiling


_CEILING = Localized(
    pt=f"O máximo por execução é {format_brl(PER_EXECUTION_CAP_CENTS, Language.PORTUGUESE)}.",
    en=f"The most for one execution is {format_brl(PER_EXECUTION_CAP_CENTS, Language.ENGLISH)}.",
)


def _violations(schema: Mapping[str, Any], params: dict[str, Any]) -> Sequence[Problem]:
    # Offline: nothing is ever fetched for a schema that a customer wrote.
    validator = jsonschema_rs.validator_for(_closed(schema), validate_formats=True, offline=True)
    # In the order of their places: the validator's own order is not promised to stay.
    found = sorted((_path(error.instance_path), error.message) for error in validator.iter_errors(params))
    return [_misfit(place, message[:_DETAIL_LENGTH]) for place, message in found[:_PROBLEMS_SHOWN]]


def _misfit(place: str, message: str) -> Problem:
    detail = Localized(
        pt=f"Não segue o schema de entrada da tarefa: {message}",
        en=f"It does not fit the task's input schema: {message}",
    )
    return Problem("validation_error", detail, place)


def _closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema as one that refuses unknown members, unless it says something about them itself."""
    if schema.keys() & {"additionalProperties", "unevaluatedProperties"}:
        return dict(schema)
    # What allOf and its like name is known too, which only the second keyword takes into account.
    composed = schema.keys() & {"allOf", "anyOf", "oneOf", "$ref", "if", "dependentSchemas"}
    return {**schema, ("unevaluatedProperties" if composed else "additionalProperties"): False}


def _path(steps: Sequence[str | int]) -> str:
    path = "params"
    for step in steps:
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
    return path


def _refused(param: str, *, pt: str, en: str) -> InvalidArguments:
    return InvalidArguments("validation_error", Localized(pt=pt, en=en), param=param)
