"""REST equals gRPC, to the byte, for every operation, right and wrong, on both databases.

Each case runs on two databases that hold the same rows, one behind each face.
"""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import sqlalchemy as sa

from protos.tool_service.v1 import tool_service_pb2 as pb
from tests.contract.parity_cases import CASES, Case
from tests.support.faces import REGISTRY, FaceAnswer, Faces, open_faces, operation_named
from tool_service.db.columns import metadata
from tool_service.db.engine import Database


@pytest.fixture
async def two_faces(database_url: str, another_database_url: str) -> AsyncIterator[tuple[Faces, Faces]]:
    first, second = Database(database_url), Database(another_database_url)
    async with open_faces(first) as behind_rest, open_faces(second) as behind_grpc:
        yield behind_rest, behind_grpc
    await first.close()
    await second.close()


@pytest.mark.parametrize("case", CASES, ids=str)
async def test_both_faces_answer_a_call_with_the_same_bytes(two_faces: tuple[Faces, Faces], case: Case) -> None:
    behind_rest, behind_grpc = two_faces
    operation = operation_named(case.operation)
    by = {"role": case.role, "scopes": case.scopes, "language": case.language}
    from_rest = await behind_rest.rest(operation, case.arguments, **by)
    from_grpc = await behind_grpc.grpc(operation, case.arguments, confirmation_id="yes-1", **by)
    assert isinstance(from_grpc, FaceAnswer)
    assert (from_rest.status, _code(from_rest)) == (case.status, case.code)
    assert _as_if_by_rest(from_grpc) == from_rest


def _code(answer: FaceAnswer) -> str | None:
    return answer.json()["errors"][0]["code"] if answer.status >= 400 else None


def _as_if_by_rest(answer: FaceAnswer) -> FaceAnswer:
    """A new execution says through which face it was started: the one thing that may differ."""
    return FaceAnswer(answer.status, answer.body.replace(b'"trigger":"mcp"', b'"trigger":"api"'))


def test_every_operation_is_tried_right_and_wrong() -> None:
    right = {case.operation for case in CASES if case.code is None}
    wrong = {case.operation for case in CASES if case.code is not None}
    names = {operation.name for operation in REGISTRY.operations}
    assert right == names
    assert wrong == names


@pytest.mark.parametrize("name", [each.name for each in REGISTRY.operations if each.destructive])
async def test_a_destructive_tool_without_a_confirmation_is_only_previewed(faces: Faces, name: str) -> None:
    case = next(each for each in CASES if each.operation == name and each.code is None)
    before = await everything(faces)
    asked = await faces.grpc(operation_named(name), case.arguments, role=case.role)
    assert isinstance(asked, pb.ConfirmationRequired)
    assert asked.language == "pt-BR"
    assert asked.summary
    assert await everything(faces) == before


@pytest.mark.parametrize("name", [each.name for each in REGISTRY.operations if each.destructive])
async def test_a_call_that_would_fail_is_never_put_before_a_person(faces: Faces, name: str) -> None:
    for case in (each for each in CASES if each.operation == name and each.code is not None):
        answer = await faces.grpc(
            operation_named(name), case.arguments, role=case.role, scopes=case.scopes, language=case.language
        )
        assert isinstance(answer, FaceAnswer)
        assert (answer.status, _code(answer)) == (case.status, case.code)


async def everything(faces: Faces) -> list[sa.Row[Any]]:
    """Every row of every table."""
    rows: list[sa.Row[Any]] = []
    async with faces.database.begin(write=False) as connection:
        for table in metadata.sorted_tables:
            rows += (await connection.execute(sa.select(table).order_by(*table.primary_key))).all()
    return rows
