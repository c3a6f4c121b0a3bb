"""The OpenAPI document keeps its word: it is well formed, and what the routes take and answer is what it says."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from tests.contract.parity_cases import CASES, Case
from tests.support.faces import PUBLIC_URL, REGISTRY, Faces, operation_named
from tool_service.rest_api.openapi import openapi_document

DOCUMENT = openapi_document(REGISTRY, f"{PUBLIC_URL}/api/v1", "1.0.0")
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def described() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Path, method and Operation Object of every operation."""
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            yield path, method, operation


def schemas(node: Any) -> Iterator[dict[str, Any]]:
    """Every Schema Object below a `schema` or `schemas` member."""
    if isinstance(node, list):
        for item in node:
            yield from schemas(item)
    if not isinstance(node, dict):
        return
    for key, value in node.items():
        if key == "schema":
            yield value
        elif key == "schemas":
            yield from value.values()
        else:
            yield from schemas(value)


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref")
    return schema if reference is None else DOCUMENT["components"]["schemas"][reference.rpartition("/")[2]]


def answer_schema(operation_name: str, status: int) -> dict[str, Any] | None:
    """What the document says of the body of that status; None where it says that there is none."""
    [operation] = [each for _, _, each in described() if each["operationId"] == operation_name]
    responses = operation["responses"]
    response = responses.get(str(status)) if status < 400 else responses["default"]
    assert response is not None, f"{operation_name} does not declare {status}"
    return resolved(response["content"]["application/json"]["schema"]) if "content" in response else None


def test_the_document_has_what_openapi_demands() -> None:
    assert DOCUMENT["openapi"] == "3.1.0"
    assert DOCUMENT["info"].keys() >= {"title", "version"}
    assert [server["url"] for server in DOCUMENT["servers"]] == [f"{PUBLIC_URL}/api/v1"]
    assert {name for security in DOCUMENT["security"] for name in security} == DOCUMENT["components"][
        "securitySchemes"
    ].keys()
    for path, method, operation in described():
        assert path.startswith("/")
        assert method in {"get", "post", "put", "patch", "delete"}
        assert operation["responses"].keys() >= {"default"}
        assert all(response["description"] for response in operation["responses"].values())


def test_the_document_describes_every_operation_once() -> None:
    ids = Counter(operation["operationId"] for _, _, operation in described())
    assert ids == Counter(each.name for each in REGISTRY.operations)


def test_every_schema_of_the_document_is_valid_in_its_dialect() -> None:
    found = list(schemas(DOCUMENT))
    assert len(found) > 50
    for schema in found:
        jsonschema_rs.meta.validate({"$schema": DIALECT, **resolved(schema)})


def test_every_parameter_is_declared_once_and_those_of_a_path_are_required() -> None:
    for path, method, operation in described():
        parameters = operation["parameters"]
        names = Counter((each["in"], each["name"]) for each in parameters)
        assert set(names.values()) <= {1}, (method, path)
        in_path = {each["name"] for each in parameters if each["in"] == "path"}
        assert in_path == set(re.findall(r"{(\w+)}", path)), (method, path)
        assert all(each["required"] for each in parameters if each["in"] == "path")
        assert all(each["description"] for each in parameters), (method, path)


def test_only_what_changes_something_takes_a_body_and_names_nothing_of_the_path_in_it() -> None:
    for path, method, operation in described():
        assert ("requestBody" in operation) == (method in {"post", "put", "patch"}), (method, path)
        if "requestBody" in operation:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            assert not schema["properties"].keys() & set(re.findall(r"{(\w+)}", path))


@pytest.mark.parametrize("case", CASES, ids=str)
async def test_a_route_takes_and_answers_what_the_document_says(sqlite_faces: Faces, case: Case) -> None:
    operation = operation_named(case.operation)
    answer = await sqlite_faces.rest(
        operation, case.arguments, role=case.role, scopes=case.scopes, language=case.language
    )
    schema = answer_schema(case.operation, answer.status)
    if schema is None:
        assert answer.body == b""
    else:
        jsonschema_rs.validator_for({"$schema": DIALECT, **schema}, validate_formats=True).validate(answer.json())
