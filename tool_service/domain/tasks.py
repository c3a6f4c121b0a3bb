"""Tasks: what companies ask of Kadu. Who may trigger one, its slug, its input schema."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

import jsonschema_rs

from tool_service.domain.caller import Caller, Role
from tool_service.domain.errors import InvalidArguments
from tool_service.domain.json_text import canonical_json
from tool_service.domain.language import Localized
from tool_service.domain.task_grants import Grant, principals_of, runners

SLUG_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"
SLUG_LENGTH = 60
INPUT_SCHEMA_LIMIT_BYTES = 16 * 1024
INPUT_SCHEMA_LIMIT_DEPTH = 5
CUSTOM_DATA_LIMIT_BYTES = 8 * 1024
DEFAULT_MAX_COST_CENTS = 500
DEFAULT_TIMEOUT_SECONDS = 30 * 60


class PermissionMode(StrEnum):
    """Who may trigger a task."""

    MANAGERS = "managers"
    OPERATORS = "operators"
    RESTRICTED = "restricted"


class Visibility(StrEnum):
    """Who sees a task and its executions."""

    ORGANIZATION = "organization"
    RESTRICTED = "restricted"


@dataclass(frozen=True, slots=True)
class Task:
    """One task of one organization; `version` grows with every change."""

    id: UUID
    slug: str
    name: str
    description: str
    instructions: str
    input_schema: Mapping[str, Any] | None
    default_max_cost_cents: int
    timeout_seconds: int
    enabled: bool
    permission_mode: PermissionMode
    visibility: Visibility
    version: int
    created_by: UUID
    external_id: str | None
    tags: tuple[str, ...]
    custom_data: Mapping[str, Any] | None
    deleted_at: datetime | None
    created_at: datetime
    updated_at: datetime
    grants: tuple[Grant, ...] = ()
    permissions_version: int = 1
    """Grows with every change of mode, visibility and grants, and with no other."""

    @property
    def deleted(self) -> bool:
        return self.deleted_at is not None


def may_trigger(caller: Caller, task: Task) -> bool:
    """Whether the caller may run the task: by its mode, or by a grant. No grant lifts a viewer."""
    if task.permission_mode in modes_triggerable_by(caller.role):
        return True
    return may_run_by_grant(caller.role) and not set(principals_of(caller)).isdisjoint(runners(task.grants))


def modes_triggerable_by(role: Role) -> frozenset[PermissionMode]:
    """With which modes the role alone is enough. A restricted task runs by grants only, also for managers."""
    needed = {PermissionMode.MANAGERS: Role.MANAGER, PermissionMode.OPERATORS: Role.OPERATOR}
    return frozenset(mode for mode, least in needed.items() if role.includes(least))


def may_run_by_grant(role: Role) -> bool:
    return role.includes(Role.OPERATOR)


def may_see(caller: Caller, visibility: Visibility, by_grant: Iterable[str]) -> bool:
    """Whether the caller may see a task, and what its executions wrote. `by_grant` are the principals that may."""
    if visibility is Visibility.ORGANIZATION or caller.role.includes(Role.MANAGER):
        return True
    return not set(principals_of(caller)).isdisjoint(by_grant)


def slug_of(name: str) -> str:
    """A slug made of the letters and digits of a name: "Conciliação diária" gives "conciliacao-diaria".

    Raises:
        InvalidArguments: the name has no letter or digit of the Latin alphabet.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = "-".join(re.findall(r"[a-z0-9]+", plain))[:SLUG_LENGTH].strip("-")
    if not slug:
        raise InvalidArguments(
            "validation_error",
            Localized(pt="Informe um slug: o nome não tem letras latinas.", en="Give a slug: the name has no letters."),
            param="slug",
        )
    return slug


def checked_input_schema(schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The schema if a run can be checked against it; None for {}, which means that there is none.

    Raises:
        InvalidArguments: it is too large or deep, refers outward, or is no JSON Schema of an object.
    """
    if not schema:
        return None

    def refuse(pt: str, en: str) -> InvalidArguments:
        return InvalidArguments("validation_error", Localized(pt=pt, en=en), param="input_schema")

    text = canonical_json(schema)
    if len(text) > INPUT_SCHEMA_LIMIT_BYTES:
        raise refuse("O schema passa de 16 KB.", "The schema is larger than 16 KB.")
    if _levels(schema) > INPUT_SCHEMA_LIMIT_DEPTH:
        raise refuse("O schema aninha mais de 5 níveis.", "The schema nests more than 5 levels.")
    if schema.get("type") != "object":
        raise refuse(
            'A raiz do schema deve ter "type": "object".', 'The root of the schema must have "type": "object".'
        )
    if any(not reference.startswith("#") for reference in _references(schema)):
        raise refuse("O schema só pode ter $ref para dentro de si.", "The schema may only have a $ref into itself.")
    try:
        jsonschema_rs.validator_for(dict(schema))
    except (ValueError, jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError) as error:
        raise refuse("Não é um JSON Schema válido.", "This is not a valid JSON Schema.") from error
    return schema


_MAPS_OF_SCHEMAS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})


def _levels(node: Any) -> int:
    """How many schemas lie inside one another; the maps and lists between them do not count."""
    if isinstance(node, list):
        return max((_levels(item) for item in node), default=0)
    if not isinstance(node, Mapping):
        return 0
    inside = [
        _levels(list(value.values()) if key in _MAPS_OF_SCHEMAS and isinstance(value, Mapping) else value)
        for key, value in node.items()
    ]
    return 1 + max(inside, default=0)


def _references(node: Any) -> list[str]:
    found: list[str] = []
    if isinstance(node, Mapping):
        for key, value in node.items():
            if key in {"$ref", "$dynamicRef"}:
                found.append(str(value))
            else:
                found += _references(value)
    elif isinstance(node, list):
        for item in node:
            found += _references(item)
    return found


def checked_custom_data(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The data if it fits; None for {}.

    Raises:
        InvalidArguments: it is larger than 8 KB.
    """
    if len(canonical_json(data)) > CUSTOM_DATA_LIMIT_BYTES:
        raise InvalidArguments(
            "validation_error",
            Localized(pt="custom_data passa de 8 KB.", en="custom_data is larger than 8 KB."),
            param="custom_data",
        )
    return data or None
