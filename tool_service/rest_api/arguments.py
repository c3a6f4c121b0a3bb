"""From a query string or a JSON body to the arguments of an operation. Pure.

A query carries text only, so its values are read as the schema of the argument says; what does
not read as that type stays text, and the gate then says what is wrong with it.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import jiter

from tool_service.domain.errors import InvalidArguments, OperationError, Problem
from tool_service.domain.language import Localized

_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,30})")


class MalformedBody(OperationError):
    """The body is no JSON object."""

    def __init__(self, detail: Localized) -> None:
        super().__init__("bad_request", detail)


def arguments_of_query(pairs: Iterable[tuple[str, str]], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The query as arguments.

    Raises:
        InvalidArguments: a name is unknown or comes twice.
    """
    arguments: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, text in pairs:
        if name not in schema["properties"]:
            unknown = Localized(pt="Parâmetro desconhecido.", en="There is no such parameter.")
            problems.append(Problem("invalid_get_param", unknown, name))
        elif name in arguments:
            twice = Localized(pt="Parâmetro repetido.", en="The parameter comes twice.")
            problems.append(Problem("invalid_get_param", twice, name))
        else:
            arguments[name] = _read(text, schema["properties"][name].get("type"))
    if problems:
        raise InvalidArguments.of(problems)
    return arguments


def _read(text: str, type_name: str | None) -> Any:
    if type_name == "integer" and _INTEGER.fullmatch(text):
        return int(text)
    if type_name == "boolean" and text in {"true", "false"}:
        return text == "true"
    return text


def arguments_of_body(body: bytes) -> dict[str, Any]:
    """The body as arguments; an empty one is {}.

    Raises:
        MalformedBody: it is no JSON object, or one that two readers would read differently.
    """
    if not body.strip():
        return {}
    try:
        value = jiter.from_json(body, allow_inf_nan=False, catch_duplicate_keys=True)
    except ValueError as error:
        raise MalformedBody(Localized(pt="O corpo não é JSON válido.", en="The body is not valid JSON.")) from error
    if not isinstance(value, dict):
        raise MalformedBody(Localized(pt="O corpo deve ser um objeto.", en="The body must be an object."))
    return value
