"""The tool service behind both of its faces: gRPC over a real socket, REST through its application.

One `Faces` holds one database and one set of fakes; two of them over equal databases must answer
equal calls with equal bytes, whichever face they come through.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import quote, urlencode

import grpc
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet
from pwdlib.hashers.argon2 import Argon2Hasher
from quart import Quart

from protos.tool_service.v1 import tool_service_pb2 as pb
from protos.tool_service.v1 import tool_service_pb2_grpc as pb_grpc
from tests.support import world
from tests.support.clock import FakeClock, FakeIds
from tests.support.fake_client_documents import FakeClientDocuments
from tests.support.fake_object_store import FakeObjectStore
from tests.support.fake_sealer import FakeSealer
from tests.support.fake_turn_queue import FakeTurnQueue
from tool_service import operations
from tool_service.app import ApprovalSide, approval_side, issuer_blueprints, library_of
from tool_service.authorization_server.passwords import Passwords
from tool_service.authorization_server.recognition import Recognition
from tool_service.authorization_server.tokens import AccessTokens, CallerAssertions, SubjectAssertions
from tool_service.context import Environment
from tool_service.db.engine import Database
from tool_service.dispatcher import Dispatcher, Members
from tool_service.domain.paging import Cursors
from tool_service.domain.scopes import expand
from tool_service.grpc_api.server import GrpcServer
from tool_service.registry import Operation, discover
from tool_service.rest_api.routes import api_blueprint
from tool_service.rest_api.server import create_rest_app
from tool_service.settings import Settings

PUBLIC_URL = "http://tools.example"
MCP_RESOURCE = "http://mcp.example"
EXTERNAL_ISSUER = "https://login.company.example"
AUDIENCE = f"{PUBLIC_URL}/api/v1"
REQUEST_ID = "request-1"
KEY = ECKey.generate_key("P-256", {"kid": "test", "use": "sig", "alg": "ES256"})
REGISTRY = discover(operations)
# As much work as the library allows to save: what a hash costs is not what these tests are about.
CHEAP_PASSWORDS = Passwords(Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1))


@dataclass(frozen=True)
class FaceAnswer:
    """What a face answered, without what only HTTP or only gRPC has."""

    status: int
    body: bytes
    replayed: bool = False

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Faces:
    """Both faces of one tool service, and the fakes behind them."""

    database: Database
    clock: FakeClock
    store: FakeObjectStore
    queue: FakeTurnQueue
    rest_app: Quart
    channel: grpc.aio.Channel
    stub: "pb_grpc.ToolServiceAsyncStub"
    tokens: AccessTokens
    documents: FakeClientDocuments
    approvals: ApprovalSide

    async def rest(
        self,
        operation: Operation,
        arguments: dict[str, Any],
        *,
        role: str = "manager",
        scopes: str = "kadu.admin",
        key: str | None = None,
        language: str = "",
    ) -> FaceAnswer:
        """Call the route of the operation as a program with a token for /api/v1 does."""
        path, rest = operation.route.path, dict(arguments)
        for name in [each for each in arguments if f"{{{each}}}" in path]:
            path = path.replace(f"{{{name}}}", quote(str(rest.pop(name)), safe=""))
        headers = {"Authorization": f"Bearer {self._token(role, scopes)}", "Request-Id": REQUEST_ID}
        headers |= {"X-Idempotency-Key": key} if key else {}
        headers |= {"Accept-Language": language} if language else {}
        method = operation.route.method
        in_query = method in {"GET", "DELETE"}
        query = urlencode(
            {name: str(value).lower() if isinstance(value, bool) else value for name, value in rest.items()}
        )
        # Quart's Protocol of its client demands an argument that the client does not.
        client: Any = self.rest_app.test_client()
        response = await client.open(
            f"/api/v1{path}" + (f"?{query}" if in_query and query else ""),
            method=method,
            headers=headers | ({} if in_query else {"Content-Type": "application/json"}),
            data=None if in_query else json.dumps(rest).encode(),
        )
        replayed = response.headers.get("X-Idempotent-Replay") == "true"
        return FaceAnswer(response.status_code, await response.get_data(as_text=False), replayed)

    async def grpc(
        self,
        operation: Operation,
        arguments: dict[str, Any],
        *,
        role: str = "manager",
        scopes: str = "kadu.admin",
        key: str | None = None,
        language: str = "",
        confirmation_id: str = "",
    ) -> FaceAnswer | pb.ConfirmationRequired:
        """Call the tool of the operation as the front end does."""
        said = {**arguments, "idempotency_key": key} if key else arguments
        request = pb.CallToolRequest(
            name=operation.tool_name,
            arguments_json=json.dumps(said).encode(),
            confirmation_id=confirmation_id,
            accept_language=language,
        )
        response = await self.stub.CallTool(request, metadata=self.metadata(role, scopes), timeout=10)
        match response.WhichOneof("outcome"):
            case "result":
                return FaceAnswer(response.result.status, response.result.body_json, response.result.replayed)
            case "failure":
                return FaceAnswer(response.failure.status, response.failure.body_json)
            case _:
                return response.confirmation_required

    def metadata(self, role: str, scopes: str) -> tuple[tuple[str, str], ...]:
        now = int(self.clock.now().timestamp())
        organization_id, person_id = world.identity(role)
        claims = {
            "iss": "mcp-frontend",
            "aud": "tool-service",
            "sub": str(person_id),
            "org": str(organization_id),
            "scope": " ".join(sorted(expand(frozenset(scopes.split())))),
            "client_id": "client-1",
            "client_name": "Um Cliente",
            "tid": "token-1",
            "iat": now,
            "exp": now + 60,
        }
        assertion = jwt.encode({"alg": "ES256", "typ": "JWT", "kid": KEY.kid}, claims, KEY)
        return (("caller-assertion", assertion), ("request-id", REQUEST_ID))

    def _token(self, role: str, scopes: str) -> str:
        organization_id, person_id = world.identity(role)
        return self.tokens.mint(
            person_id=person_id,
            organization_id=organization_id,
            audience=AUDIENCE,
            client_id="client-1",
            client_name="Um Cliente",
            scopes=frozenset(scopes.split()),
            lifetime=timedelta(hours=1),
        )


@asynccontextmanager
async def open_faces(database: Database) -> AsyncIterator[Faces]:
    """Both faces over the database, which gets the test's company."""
    async with database.begin(write=True) as connection:
        await world.build_world(connection)
    clock = FakeClock()
    store, queue, documents = FakeObjectStore(clock), FakeTurnQueue(), FakeClientDocuments()
    environment = Environment(clock, FakeIds(), Cursors(FakeSealer(), clock), queue, store, MCP_RESOURCE)
    dispatcher = Dispatcher(REGISTRY, database, environment, Members(database, clock))
    tokens = AccessTokens(KeySet([KEY]), PUBLIC_URL, clock)
    of_front_end = KeySet([ECKey.import_key(KEY.as_dict(private=False))])
    recognition = Recognition(database, clock, FakeIds(), PUBLIC_URL, EXTERNAL_ISSUER)
    side = approval_side(dispatcher, database, environment, FakeSealer(), recognition)
    server = GrpcServer(
        dispatcher,
        side.approvals,
        side.decisions,
        library_of(dispatcher),
        recognition,
        CallerAssertions(of_front_end, clock),
        SubjectAssertions(of_front_end, clock),
    )
    port = await server.start("127.0.0.1:0")

    async def ready() -> bool:
        return True

    rest_app = create_rest_app(
        blueprints=[
            api_blueprint(dispatcher, tokens, AUDIENCE),
            *issuer_blueprints(
                Settings.from_env({"TOOL_SERVICE_PUBLIC_URL": PUBLIC_URL, "TOOL_SERVICE_MCP_RESOURCE": MCP_RESOURCE}),
                database,
                environment,
                tokens,
                FakeSealer(),
                documents,
                REGISTRY,
                CHEAP_PASSWORDS,
            ),
        ],
        registry=REGISTRY,
        public_url=PUBLIC_URL,
        version="1.0.0",
        public_keys=tokens.public_keys(),
        ready=ready,
    )
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub = pb_grpc.ToolServiceStub(channel)
        yield Faces(database, clock, store, queue, rest_app, channel, stub, tokens, documents, side)
    await server.stop(0)


def operation_named(name: str) -> Operation:
    return next(each for each in REGISTRY.operations if each.name == name)
