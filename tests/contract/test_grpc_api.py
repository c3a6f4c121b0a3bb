"""What the front end can rely on over a real socket: who may call, which status says what, and which limits hold."""

import json
from datetime import timedelta
from typing import Any

import grpc
import pytest
import sqlalchemy as sa
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from joserfc import jwt
from joserfc.jwk import ECKey
from structlog.testing import capture_logs

from protos.tool_service.v1 import tool_service_pb2 as pb
from tests.support import world
from tests.support.clock import NOON, fake_id
from tests.support.databases import cut_off
from tests.support.faces import KEY, REQUEST_ID, FaceAnswer, Faces, operation_named
from tests.support.rest_client import TASKS, RestClient, codes
from tool_service.db.engine import Database
from tool_service.db.tables import execution_outputs, members
from tool_service.dispatcher.membership import REMEMBERED
from tool_service.domain.execution_outputs import DATA_LIMIT_BYTES, TEXT_LIMIT
from tool_service.grpc_api.interceptors import REQUEST_ID_LIMIT
from tool_service.grpc_api.server import APPROVAL_SERVICE_NAME, MEMBER_SERVICE_NAME, MESSAGE_LIMIT_BYTES, SERVICE_NAME

RUN = operation_named("tasks_run")
RUN_TASK = {"id": str(world.TASK), "message": "Resuma."}
ANOTHER_KEY = ECKey.generate_key("P-256", {"kid": "test", "use": "sig", "alg": "ES256"})

Metadata = tuple[tuple[str, str], ...]


def assertion(*, key: ECKey = KEY, **changed: Any) -> Metadata:
    """What the front end says of a manager who has every scope, but for what is changed."""
    now = int(NOON.timestamp())
    claims = {
        "iss": "mcp-frontend",
        "aud": "tool-service",
        "sub": str(world.PEOPLE["manager"]),
        "org": str(world.ORGANIZATION),
        "scope": "kadu.tasks.read kadu.tasks.write",
        "client_id": "client-1",
        "client_name": None,
        "tid": "token-1",
        "iat": now,
        "exp": now + 60,
    }
    text = jwt.encode({"alg": "ES256", "typ": "JWT", "kid": "test"}, {**claims, **changed}, key)
    return (("caller-assertion", text),)


async def call(faces: Faces, name: str, arguments: bytes = b"{}", metadata: Metadata | None = None) -> Any:
    request = pb.CallToolRequest(name=name, arguments_json=arguments)
    by = faces.metadata("manager", "kadu.admin") if metadata is None else metadata
    return await faces.stub.CallTool(request, metadata=by, timeout=10)


async def refusal(call: Any) -> tuple[grpc.StatusCode, str | None]:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call
    return refused.value.code(), refused.value.details()


async def listed(faces: Faces, metadata: Metadata) -> list[str]:
    return [tool.name for tool in (await faces.stub.ListTools(pb.ListToolsRequest(), metadata=metadata)).tools]


@pytest.mark.parametrize("service", ["", SERVICE_NAME])
async def test_health_says_serving_to_whoever_asks(sqlite_faces: Faces, service: str) -> None:
    # Its stubs carry no types of their own.
    channel: Any = sqlite_faces.channel
    stub: Any = health_pb2_grpc.HealthStub(channel)
    answer = await stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=10)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


async def test_reflection_tells_the_services(sqlite_faces: Faces) -> None:
    channel: Any = sqlite_faces.channel
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
    asked = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(list_services="")]), timeout=10)
    [answer] = [answer async for answer in asked]
    names = {service.name for service in answer.list_services_response.service}
    assert names == {
        SERVICE_NAME,
        MEMBER_SERVICE_NAME,
        APPROVAL_SERVICE_NAME,
        "grpc.health.v1.Health",
        "grpc.reflection.v1alpha.ServerReflection",
    }


UNBELIEVABLE: dict[str, Metadata] = {
    "no assertion": (),
    "an empty one": (("caller-assertion", ""),),
    "no JWT": (("caller-assertion", "a.b.c"),),
    "another key's": assertion(key=ANOTHER_KEY),
    "an expired one": assertion(iat=int(NOON.timestamp()) - 60, exp=int(NOON.timestamp())),
    "one that lives too long": assertion(exp=int(NOON.timestamp()) + 61),
    "one of another issuer": assertion(iss=world.ORGANIZATION.hex),
    "one for another service": assertion(aud="mcp-frontend"),
    "one of a person of another organization": assertion(sub=str(world.STRANGER)),
    "one of an organization that is not theirs": assertion(org=str(world.OTHER_ORGANIZATION)),
}


@pytest.mark.parametrize("fault", UNBELIEVABLE)
async def test_a_caller_whom_nobody_vouches_for_is_unauthenticated(sqlite_faces: Faces, fault: str) -> None:
    code, message = await refusal(call(sqlite_faces, "kadu_tasks_list", metadata=UNBELIEVABLE[fault]))
    assert code is grpc.StatusCode.UNAUTHENTICATED
    assert message in {"TokenRefused", "NotAMember"}
    code, _ = await refusal(listed(sqlite_faces, UNBELIEVABLE[fault]))
    assert code is grpc.StatusCode.UNAUTHENTICATED


async def test_an_assertion_that_was_believed_is_not_believed_for_ever(sqlite_faces: Faces) -> None:
    by = assertion()
    assert await listed(sqlite_faces, by)
    sqlite_faces.clock.advance(timedelta(seconds=60))
    assert (await refusal(listed(sqlite_faces, by)))[0] is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize("arguments", [b"", b"{", b"[]", b"null", b'{"a":1,"a":2}', b'{"a":NaN}', b"\xff", b"[" * 9999])
async def test_arguments_that_are_no_json_object_are_the_front_ends_fault(
    sqlite_faces: Faces, arguments: bytes
) -> None:
    code, message = await refusal(call(sqlite_faces, "kadu_tasks_list", arguments))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert message in {"arguments_json is not JSON", "arguments_json is not an object"}


@pytest.mark.parametrize("name", ["", "tasks_list", "KADU_TASKS_LIST", "kadu_tasks_list ", "kadu_no_such"])
async def test_a_tool_that_does_not_exist_is_unknown(sqlite_faces: Faces, name: str) -> None:
    response = await call(sqlite_faces, name)
    assert response.failure == pb.ToolFailure(kind=pb.FAILURE_KIND_UNKNOWN_TOOL, status=404)


async def test_a_tool_that_the_role_forbids_is_unknown_too(sqlite_faces: Faces) -> None:
    response = await call(sqlite_faces, "kadu_tasks_create", metadata=sqlite_faces.metadata("viewer", "kadu.admin"))
    assert (response.failure.kind, response.failure.status) == (pb.FAILURE_KIND_UNKNOWN_TOOL, 403)


async def test_a_missing_scope_is_named_so_that_the_client_can_ask_for_it(sqlite_faces: Faces) -> None:
    by = sqlite_faces.metadata("manager", "kadu.tasks.read")
    response = await call(sqlite_faces, "kadu_tasks_create", metadata=by)
    assert response.failure.kind == pb.FAILURE_KIND_INSUFFICIENT_SCOPE
    assert list(response.failure.required_scopes) == ["kadu.tasks.write"]


@pytest.mark.parametrize(
    ("name", "arguments", "kind"),
    [
        ("tasks_list", {"limit": "10"}, pb.FAILURE_KIND_INVALID_ARGUMENTS),
        ("tasks_list", {"cursor": "made-up"}, pb.FAILURE_KIND_INVALID_ARGUMENTS),
        ("tasks_get", {"id": "no-such"}, pb.FAILURE_KIND_NOT_FOUND),
        ("tasks_run", {"id": str(world.MANAGERS_TASK), "message": "x"}, pb.FAILURE_KIND_PERMISSION_DENIED),
        ("tasks_run", {"id": str(world.DISABLED_TASK), "message": "x"}, pb.FAILURE_KIND_CONFLICT),
        ("files_download", {"id": str(world.PURGED_FILE)}, pb.FAILURE_KIND_GONE),
    ],
)
async def test_what_the_caller_can_act_on_is_a_value_of_its_kind(
    sqlite_faces: Faces, name: str, arguments: dict[str, Any], kind: int
) -> None:
    by = sqlite_faces.metadata("operator", "kadu.admin")
    response = await call(sqlite_faces, f"kadu_{name}", json.dumps(arguments).encode(), by)
    assert response.failure.kind == kind
    assert json.loads(response.failure.body_json)["status"] == response.failure.status


@pytest.mark.parametrize(
    "changed",
    [
        pb.DeclineToolRequest(name="kadu_no_such"),
        pb.DeclineToolRequest(name="kadu_tasks_update"),
        pb.DeclineToolRequest(arguments_json=b"["),
    ],
)
async def test_only_a_confirmation_of_a_destructive_tool_can_be_declined(
    sqlite_faces: Faces, changed: pb.DeclineToolRequest
) -> None:
    request = pb.DeclineToolRequest(name="kadu_tasks_run", arguments_json=b"{}", confirmation_id="yes")
    request.refusal = pb.REFUSAL_DECLINED
    request.MergeFrom(changed)
    by = sqlite_faces.metadata("manager", "kadu.admin")
    assert (await refusal(sqlite_faces.stub.DeclineTool(request, metadata=by)))[0] is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize(("confirmation_id", "chosen"), [("", pb.REFUSAL_DECLINED), ("yes", pb.REFUSAL_UNSPECIFIED)])
async def test_a_no_names_its_confirmation_and_its_kind(
    sqlite_faces: Faces, confirmation_id: str, chosen: pb.Refusal.ValueType
) -> None:
    request = pb.DeclineToolRequest(
        name="kadu_tasks_run", arguments_json=b"{}", confirmation_id=confirmation_id, refusal=chosen
    )
    by = sqlite_faces.metadata("manager", "kadu.admin")
    assert (await refusal(sqlite_faces.stub.DeclineTool(request, metadata=by)))[0] is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_request_over_the_limit_is_refused_before_it_is_read(sqlite_faces: Faces) -> None:
    arguments = b'{"name":"' + b"x" * MESSAGE_LIMIT_BYTES + b'"}'
    code, _ = await refusal(call(sqlite_faces, "kadu_tasks_create", arguments))
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_d42_the_longest_outputs_of_an_execution_fit_into_one_message(sqlite_faces: Faces) -> None:
    """Field report D42."""
    outputs = [
        {"kind": "text", "text": "\U0001f4b0" * TEXT_LIMIT},
        {"kind": "data", "data": {"x": "y" * (DATA_LIMIT_BYTES - 8)}},
    ]
    async with sqlite_faces.database.begin(write=True) as connection:
        for index, output in enumerate(outputs):
            row = {"text": None, "data": None, "file_id": None, **output}
            row |= {"organization_id": world.ORGANIZATION, "execution_id": world.COMPLETED}
            row |= {"created_at": NOON, "updated_at": NOON}
            statement = sa.insert(execution_outputs).values(id=fake_id(0x7000 + index), index=index, **row)
            await connection.execute(statement)
    answer = await sqlite_faces.grpc(operation_named("execution_outputs_list"), {"id": str(world.COMPLETED)})
    assert isinstance(answer, FaceAnswer)
    assert [each["kind"] for each in answer.json()["data"]] == ["text", "data"]
    assert len(answer.body) > 4 * TEXT_LIMIT + DATA_LIMIT_BYTES - 100


@pytest.mark.parametrize(("given", "kept"), [("abc-1", "abc-1"), ("x" * 5000, "x" * REQUEST_ID_LIMIT)])
async def test_the_request_id_of_the_front_end_is_kept_within_bounds(
    sqlite_faces: Faces, given: str, kept: str
) -> None:
    response = await call(sqlite_faces, "kadu_tasks_list", b'{"limit":0}', (*assertion(), ("request-id", given)))
    assert json.loads(response.failure.body_json)["request_id"] == kept


async def test_a_call_without_a_request_id_gets_one(sqlite_faces: Faces) -> None:
    ids = []
    for _ in range(2):
        response = await call(sqlite_faces, "kadu_tasks_list", b'{"limit":0}', assertion())
        ids.append(json.loads(response.failure.body_json)["request_id"])
    assert [len(each) for each in ids] == [32, 32]
    assert ids[0] != ids[1]


async def test_a_fault_of_ours_tells_nothing_of_its_cause(sqlite_faces: Faces, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("password of the queue")

    monkeypatch.setattr(sqlite_faces.queue, "enqueue", broken)
    with capture_logs() as logs:
        failed = await refusal(sqlite_faces.grpc(RUN, RUN_TASK, confirmation_id="yes"))
        through_rest = await sqlite_faces.rest(RUN, RUN_TASK)
    assert failed == (grpc.StatusCode.INTERNAL, "internal error")
    assert (through_rest.status, b"password" in through_rest.body) == (500, False)
    # Whoever reads the log finds the cause by the id that the caller was given.
    assert [each["request_id"] for each in logs if each["log_level"] == "error"] == [REQUEST_ID, REQUEST_ID]


@pytest.mark.parametrize(("column", "value"), [("role", "viewer"), ("status", "disabled")])
async def test_a_right_that_is_taken_away_is_gone_within_seconds(faces: Faces, column: str, value: str) -> None:
    by = faces.metadata("manager", "kadu.admin")
    create = b'{"name":"N","instructions":"I"}'
    assert "kadu_tasks_create" in await listed(faces, by)
    async with faces.database.begin(write=True) as connection:
        mine = members.c.id == world.MEMBERS["manager"]
        await connection.execute(sa.update(members).where(mine).values(**{column: value}))
    assert timedelta(seconds=5) > REMEMBERED
    faces.clock.advance(REMEMBERED)
    if column == "role":
        assert (await call(faces, "kadu_tasks_create", create, by)).failure.kind == pb.FAILURE_KIND_UNKNOWN_TOOL
        assert "kadu_tasks_create" not in await listed(faces, by)
    else:
        for again in (call(faces, "kadu_tasks_create", create, by), listed(faces, by)):
            assert await refusal(again) == (grpc.StatusCode.UNAUTHENTICATED, "NotAMember")


async def test_without_its_database_the_service_says_come_back(
    database: Database, database_url: str, faces: Faces
) -> None:
    await cut_off(database, database_url)
    for name, arguments in (("tasks_list", {"limit": 1}), ("tasks_run", RUN_TASK)):
        with capture_logs():
            failed = await refusal(faces.grpc(operation_named(name), arguments, confirmation_id="yes"))
        assert failed == (grpc.StatusCode.UNAVAILABLE, "DatabaseUnavailable")
    with capture_logs():
        reply = await RestClient(faces).ask("GET", TASKS)
    assert codes(reply) == (503, ["service_unavailable"])
    assert (reply.header("Retry-After"), reply.json()["retry_after"]) == ("1", 1)
