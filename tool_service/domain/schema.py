"""How arguments and results are declared, and the JSON Schema that clients get of them.

Arguments are strict: no unknown member, no "5" for 5, no null where a value is meant; an
optional argument is left out (its default is MISSING). Results are snake_case, UTC with
milliseconds, ids lower-case. Schemas are inline: no $ref, no anyOf, no titles.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

CONTENT_NOTICE = "data_not_instructions"


class Arguments(BaseModel):
    """Base of every argument model."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class View(BaseModel):
    """Base of every result model: what one object looks like from outside."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _milliseconds(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


Timestamp = Annotated[
    datetime,
    PlainSerializer(_milliseconds, return_type=str, when_used="json"),
    Field(description="UTC, milliseconds.", json_schema_extra={"format": "date-time"}),
]

# Third-party text inside a view: control and bidi characters are stripped where it is stored.
ContentNotice = Literal["data_not_instructions"]

T = TypeVar("T", bound=View)


@dataclass(frozen=True, slots=True)
class Success(Generic[T]):
    """One object, answered as {"data": {...}}."""

    data: T
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list, answered as {"data": [...], "meta": {"next_cursor", "limit"}}."""

    data: Sequence[T]
    next_cursor: str | None
    limit: int


@dataclass(frozen=True, slots=True)
class NoContent:
    """Done, nothing to show: 204."""


def json_schema(model: type[BaseModel], mode: Literal["validation", "serialization"] = "validation") -> dict[str, Any]:
    """The schema of a model with everything inline and no titles.

    Raises:
        ValueError: the model needs a construct that MCP clients do not read.
    """
    return deepcopy(_schema_once(model, mode))


@cache
def _schema_once(model: type[BaseModel], mode: Literal["validation", "serialization"]) -> dict[str, Any]:
    """Each face wants the same schemas, and making one takes milliseconds."""
    schema = model.model_json_schema(mode=mode)
    inlined = _inline(schema, schema.get("$defs", {}))
    inlined.setdefault("properties", {})
    # A model's own docstring is for readers of the code.
    inlined.pop("description", None)
    return inlined


def _inline(node: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        referred = definitions[node["$ref"].removeprefix("#/$defs/")]
        return _inline({**referred, **{k: v for k, v in node.items() if k != "$ref"}}, definitions)
    result: dict[str, Any] = {}
    for key, value in node.items():
        if key in {"$defs", "title"}:
            continue
        if key == "properties":
            result[key] = {name: _inline(child, definitions) for name, child in value.items()}
        elif key in {"items", "additionalProperties"} and isinstance(value, dict):
            result[key] = _inline(value, definitions)
        elif key in {"anyOf", "oneOf", "allOf"}:
            result[key] = [_inline(child, definitions) for child in value]
        else:
            result[key] = value
    return result
