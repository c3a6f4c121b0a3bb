"""Resources over real gRPC: who is shown what, and the same bytes as the tool, on both databases."""

import json
from typing import Any

import pytest

from protos.tool_service.v1 import tool_service_pb2 as pb
from tests.support import world
from tests.support.faces import REGISTRY, REQUEST_ID, FaceAnswer, Faces, operation_named
from tests.support.factories import add_execution, add_task
from tool_service.db import tables
from tool_service.domain.documents import READ_LIMIT_BYTES

ROOT = "kobana://kadu/"
DOCUMENTS = [
    f"{ROOT}docs/{name}"
    for name in ("confirmation", "errors", "execution-lifecycle", "files", "getting-started", "limits")
]
FIXED = [f"{ROOT}me", f"{ROOT}organization", f"{ROOT}tasks"]
TEMPLATES = [
    f"{ROOT}approvals/{{id}}",
    f"{ROOT}executions/{{id}}/outputs",
    f"{ROOT}executions/{{id}}",
    f"{ROOT}files/{{id}}",
    f"{ROOT}tasks/{{id}}",
]


async def read(
    faces: Faces, uri: str, *, role: str = "manager", scopes: str = "kadu.admin", language: str = ""
) -> pb.ReadResourceResponse:
    request = pb.ReadResourceRequest(uri=uri, accept_language=language)
    return await faces.stub.ReadResource(request, metadata=faces.metadata(role, scopes), timeout=10)


async def listed(faces: Faces, *, role: str = "manager", scopes: str = "kadu.admin") -> list[str]:
    metadata = faces.metadata(role, scopes)
    fixed = await faces.stub.ListResources(pb.ListResourcesRequest(), metadata=metadata, timeout=10)
    templates = await faces.stub.ListResourceTemplates(pb.ListResourceTemplatesRequest(), metadata=metadata, timeout=10)
    return [each.uri for each in fixed.resources] + [each.uri_template for each in templates.resource_templates]


async def add(faces: Faces, **task: Any) -> None:
    async with faces.database.begin(write=True) as connection:
        await add_task(connection, organization_id=world.ORGANIZATION, created_by=world.MEMBERS["manager"], **task)


async def test_whoever_has_every_scope_is_shown_everything_in_catalogue_order(faces: Faces) -> None:
    assert await listed(faces, role="viewer") == [*DOCUMENTS, *FIXED, *TEMPLATES]
    permissions = f"{ROOT}tasks/{{id}}/permissions"
    assert await listed(faces, role="operator") == [*DOCUMENTS, *FIXED, *TEMPLATES[:-1], permissions, TEMPLATES[-1]]


@pytest.mark.parametrize(
    ("scopes", "uris"),
    [
        ("kadu.tasks.read", [*DOCUMENTS, f"{ROOT}tasks", f"{ROOT}tasks/{{id}}"]),
        ("kadu.files.read", [*DOCUMENTS, f"{ROOT}files/{{id}}"]),
        ("kadu.organization.read", [*DOCUMENTS, f"{ROOT}me", f"{ROOT}organization"]),
        ("kadu.files.write", DOCUMENTS),
        ("", []),
    ],
)
async def test_only_what_the_scopes_allow_is_listed(faces: Faces, scopes: str, uris: list[str]) -> None:
    assert await listed(faces, scopes=scopes) == uris


async def test_titles_come_in_the_language_that_the_client_asks_for_else_in_the_persons(faces: Faces) -> None:
    async def title(language: str) -> str:
        request = pb.ListResourcesRequest(accept_language=language)
        found = await faces.stub.ListResources(request, metadata=faces.metadata("viewer", "kadu.read"), timeout=10)
        return next(each.title for each in found.resources if each.uri == f"{ROOT}me")

    assert [await title("en"), await title("")] == ["Who am I", "Quem sou eu"]


@pytest.mark.parametrize(
    ("uri", "operation", "arguments"),
    [
        ("me", "me_get", {}),
        ("organization", "organization_get", {}),
        ("tasks", "tasks_list", {"runnable": True, "limit": 100}),
        (f"tasks/{world.TASK}", "tasks_get", {"id": str(world.TASK)}),
        ("tasks/resumo", "tasks_get", {"id": "resumo"}),
        ("tasks/%72esumo", "tasks_get", {"id": "resumo"}),
        (f"executions/{world.COMPLETED}", "executions_get", {"id": str(world.COMPLETED)}),
        (f"executions/{world.COMPLETED}/outputs", "execution_outputs_list", {"id": str(world.COMPLETED)}),
        (f"files/{world.READY_FILE}", "files_get", {"id": str(world.READY_FILE)}),
    ],
)
async def test_a_resource_holds_the_bytes_of_its_tool_under_the_uri_that_was_asked_for(
    faces: Faces, uri: str, operation: str, arguments: dict[str, Any]
) -> None:
    for role in ("viewer", "operator", "manager"):
        from_tool = await faces.grpc(operation_named(operation), arguments, role=role)
        assert isinstance(from_tool, FaceAnswer)
        response = await read(faces, ROOT + uri, role=role)
        if from_tool.status == 200:
            text = from_tool.body.decode()
            contents = pb.ResourceContents(uri=ROOT + uri, mime_type="application/json", text=text)
            assert response == pb.ReadResourceResponse(contents=contents)
        else:
            assert response.failure.kind == pb.FAILURE_KIND_NOT_FOUND


@pytest.mark.parametrize(
    ("escaped", "slug"), [("a%20b", "a b"), ("%C3%A9", "é"), ("a+b", "a+b"), ("a%2Bb", "a+b"), ("50%25", "50%")]
)
async def test_d29_a_variable_reaches_the_operation_decoded_once(faces: Faces, escaped: str, slug: str) -> None:
    await add(faces, slug=slug)
    contents = (await read(faces, f"{ROOT}tasks/{escaped}")).contents
    assert (json.loads(contents.text)["data"]["slug"], contents.uri) == (slug, f"{ROOT}tasks/{escaped}")


@pytest.mark.parametrize("role", ["viewer", "manager"])
async def test_what_is_missing_hidden_foreign_or_malformed_looks_the_same(faces: Faces, role: str) -> None:
    hidden = [f"{ROOT}tasks/{world.RESTRICTED_TASK}", f"{ROOT}executions/{world.HIDDEN}"] if role == "viewer" else []
    uris = [
        *hidden,
        f"{ROOT}tasks/{world.NO_SUCH}",
        f"{ROOT}tasks/{world.FOREIGN_TASK}",
        f"{ROOT}executions/no-id",
        f"{ROOT}executions/{world.NO_SUCH}/outputs",
        f"{ROOT}files/{world.FOREIGN_FILE}",
        f"{ROOT}tasks/../me",
        f"{ROOT}tasks/%2e%2e",
        f"{ROOT}tasks/a%00b",
        f"{ROOT}tasks/{'a' * 65}",
        f"{ROOT}me?x=1",
        f"{ROOT}docs/no-such",
        "kobana://other/me",
        f"{ROOT}tasks/{'a' * 5000}",
        "",
    ]
    answers = {uri: await read(faces, uri, role=role) for uri in uris}
    body = {
        "status": 404,
        "errors": [
            {
                "code": "not_found",
                "title": "Não foi possível encontrar o registro",
                "param": "uri",
                "detail": "Não foi possível encontrar o registro",
                "hint": "Check the id with the list tool.",
            }
        ],
        "request_id": REQUEST_ID,
        "retry_after": None,
    }
    seen = {(each.failure.kind, each.failure.status, each.failure.body_json) for each in answers.values()}
    assert [(kind, status, json.loads(text)) for kind, status, text in seen] == [(pb.FAILURE_KIND_NOT_FOUND, 404, body)]


@pytest.mark.parametrize(
    ("uri", "scopes", "required"),
    [
        ("me", "kadu.tasks.read", "kadu.organization.read"),
        ("tasks/resumo", "kadu.organization.read", "kadu.tasks.read"),
        (f"tasks/{world.NO_SUCH}", "kadu.organization.read", "kadu.tasks.read"),
        (f"executions/{world.COMPLETED}/outputs", "kadu.tasks.read", "kadu.executions.read"),
        ("docs/files", "", "kadu.organization.read"),
    ],
)
async def test_a_missing_scope_is_named_whether_the_object_exists_or_not(
    faces: Faces, uri: str, scopes: str, required: str
) -> None:
    failure = (await read(faces, ROOT + uri, scopes=scopes)).failure
    assert (failure.kind, list(failure.required_scopes)) == (pb.FAILURE_KIND_INSUFFICIENT_SCOPE, [required])


async def test_a_list_that_is_too_long_is_a_shorter_page_that_its_tool_continues(faces: Faces) -> None:
    for n in range(120):
        await add(faces, slug=f"longa-{n:03}", description="ã" * 1000)
    contents = (await read(faces, f"{ROOT}tasks")).contents
    page = json.loads(contents.text)
    assert len(contents.text.encode()) <= READ_LIMIT_BYTES
    assert len(page["data"]) == page["meta"]["limit"] == 25
    rest = {"runnable": True, "limit": 100, "cursor": page["meta"]["next_cursor"]}
    following = await faces.grpc(operation_named("tasks_list"), rest)
    assert isinstance(following, FaceAnswer)
    ids = [each["id"] for each in page["data"] + following.json()["data"]]
    assert len(ids) == len(set(ids)) == 125


async def test_what_cannot_be_shortened_says_which_tool_to_call(faces: Faces) -> None:
    async with faces.database.begin(write=True) as connection:
        await add_execution(
            connection,
            id=world.NO_SUCH,
            organization_id=world.ORGANIZATION,
            task_id=world.TASK,
            requested_by=world.MEMBERS["operator"],
            status="completed",
            params={"long": "x" * 70_000},
        )
    contents = (await read(faces, f"{ROOT}executions/{world.NO_SUCH}")).contents
    told = json.loads(contents.text)
    assert told.pop("size_bytes") > READ_LIMIT_BYTES
    assert told == {
        "data": None,
        "truncated": True,
        "limit_bytes": 65536,
        "tool": "kadu_executions_get",
        "arguments": {"id": str(world.NO_SUCH)},
        "hint": "Too long for a resource; call kadu_executions_get with these arguments.",
    }


async def test_reading_leaves_nothing_in_the_audit_but_a_denial(faces: Faces) -> None:
    await read(faces, f"{ROOT}me")
    await read(faces, f"{ROOT}tasks/{world.FOREIGN_TASK}")
    await read(faces, f"{ROOT}me", scopes="kadu.tasks.read")
    async with faces.database.begin(write=False) as connection:
        events = tables.audit_events.select()
        rows = [(row.action, row.result, row.code) for row in await connection.execute(events)]
    assert rows == [("me_get", "denied", "insufficient_scope")]


async def test_every_document_comes_in_the_readers_language_and_fits(faces: Faces) -> None:
    for uri in DOCUMENTS:
        portuguese, english = await read(faces, uri), await read(faces, uri, language="en-US")
        texts = [portuguese.contents.text, english.contents.text]
        assert {each.contents.mime_type for each in (portuguese, english)} == {"text/markdown"}
        assert texts[0] != texts[1]
        assert max(len(text.encode()) for text in texts) <= READ_LIMIT_BYTES


def test_every_object_of_an_operation_by_id_can_be_read_as_a_resource() -> None:
    gets = [each for each in REGISTRY.operations if each.read_only and not each.audited and each.name.endswith("_get")]
    assert [each.name for each in gets if each.resource is None] == []
