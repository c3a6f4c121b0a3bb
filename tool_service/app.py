"""The composition root: the only module that knows every room."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import sqlalchemy as sa
import structlog
from hypercorn.asyncio import serve as serve_http
from hypercorn.config import Config
from quart import Blueprint

from tool_service import operations, prompts
from tool_service.adapters.client_documents import open_client_documents
from tool_service.adapters.embedded_runner import EmbeddedRunner
from tool_service.adapters.key_ring import KeyRingError, load_secret_keys, load_signing_keys, load_verifying_keys
from tool_service.adapters.local_object_store import LocalObjectStore
from tool_service.adapters.sealer import LIMIT_KEPT_CHARACTERS, AesGcmSealer
from tool_service.adapters.system import SystemClock, UuidV7
from tool_service.approvals.decisions import Decisions
from tool_service.approvals.keeper import Keeper
from tool_service.approvals.opening import Approvals
from tool_service.approvals.runs import ApprovedRuns
from tool_service.approvals.stored_calls import StoredCalls
from tool_service.authorization_server.accounts import Accounts
from tool_service.authorization_server.administration import Administration
from tool_service.authorization_server.issuer import Issuer
from tool_service.authorization_server.metadata import issuer_metadata
from tool_service.authorization_server.passwords import Passwords
from tool_service.authorization_server.ports import ClientDocuments
from tool_service.authorization_server.recognition import Recognition
from tool_service.authorization_server.tokens import AccessTokens, CallerAssertions, SubjectAssertions
from tool_service.authorization_server.web.endpoints import endpoints_blueprint
from tool_service.authorization_server.web.pages import IssuerPages
from tool_service.context import Environment
from tool_service.db.engine import Database, DatabaseUnavailable
from tool_service.db.tables import organizations
from tool_service.dispatcher import Dispatcher, Library, Members, Resources
from tool_service.documents.shelf import read_documents
from tool_service.domain.audit_chain import Verdict
from tool_service.domain.paging import Cursors
from tool_service.domain.text_lists import comma_list
from tool_service.execution.durable_engine import install_tables
from tool_service.execution.turn_queue import DurableTurnQueue
from tool_service.execution.worker import Worker, WorkerSettings
from tool_service.grpc_api.server import GrpcServer
from tool_service.ports import Sealer
from tool_service.registry import Registry, discover, discover_prompts
from tool_service.repositories.audit import AuditLog
from tool_service.rest_api.local_files import LocalFileRoutes
from tool_service.rest_api.routes import api_blueprint
from tool_service.rest_api.server import create_rest_app
from tool_service.settings import PREFIX, Settings, SettingsError

VERSION = "1.0.0"
# What is in flight has the grace; after it, closing must not take long either.
CLOSING_SECONDS = 1.0
APPROVALS_LOOKED_AFTER_EVERY_SECONDS = 2.0
_log = structlog.get_logger(__name__)


def registry() -> Registry:
    """Every operation there is."""
    return discover(operations)


def library_of(dispatcher: Dispatcher) -> Library:
    """Every prompt and document there is, beside the resources of the operations."""
    resources = Resources(dispatcher, read_documents(dispatcher.registry))
    return Library(dispatcher, discover_prompts(prompts, dispatcher.registry), resources)


@dataclass(frozen=True, slots=True)
class Keys:
    """The rings of one process, read at its start."""

    tokens: AccessTokens
    assertions: CallerAssertions
    subjects: SubjectAssertions
    sealer: AesGcmSealer
    kept_sealer: AesGcmSealer
    """For what is kept here and may be long."""
    file_url_keys: tuple[bytes, ...]


def read_keys(settings: Settings) -> Keys:
    """Raises: SettingsError when a ring is missing or unfit."""
    clock = SystemClock()
    try:
        seals = load_secret_keys(settings.keys_dir / "seal_keys.json")
        of_front_end = load_verifying_keys(settings.keys_dir / "assertion_public_keys.json")
        return Keys(
            tokens=AccessTokens(load_signing_keys(settings.keys_dir / "issuer_keys.json"), settings.public_url, clock),
            assertions=CallerAssertions(of_front_end, clock),
            subjects=SubjectAssertions(of_front_end, clock),
            sealer=AesGcmSealer(seals),
            kept_sealer=AesGcmSealer(seals, LIMIT_KEPT_CHARACTERS),
            file_url_keys=tuple(key.secret for key in seals),
        )
    except KeyRingError as error:
        raise SettingsError(str(error)) from error


@dataclass(frozen=True, slots=True)
class ApprovalSide:
    """The three that deal with approvals: clients open them, people decide them, and they are looked after."""

    approvals: Approvals
    decisions: Decisions
    keeper: Keeper


def approval_side(
    dispatcher: Dispatcher, database: Database, environment: Environment, sealer: Sealer, recognition: Recognition
) -> ApprovalSide:
    calls = StoredCalls(dispatcher.registry, sealer)
    runs = ApprovedRuns(dispatcher, database, environment.clock, calls)
    return ApprovalSide(
        Approvals(dispatcher, database, environment, calls),
        Decisions(dispatcher, database, environment, calls, runs, recognition),
        Keeper(database, environment.clock, environment.ids, runs),
    )


def page_only_tools(settings: Settings, registry: Registry) -> frozenset[str]:
    """Raises: SettingsError when one is no destructive tool."""
    named = frozenset(comma_list(settings.page_only_tools))
    destructive = {each.tool_name for each in registry.operations if each.destructive}
    if named - destructive:
        wrong, known = ", ".join(sorted(named - destructive)), ", ".join(sorted(destructive))
        raise SettingsError(f"{PREFIX}PAGE_ONLY_TOOLS: {wrong} is no destructive tool; there are {known}")
    return named


def worker_of(settings: Settings, database: Database, object_store: LocalObjectStore) -> Worker:
    return Worker(
        settings.database_url,
        database,
        object_store,
        EmbeddedRunner(),
        SystemClock(),
        UuidV7(),
        WorkerSettings(
            concurrency=settings.worker_concurrency,
            organization_concurrency=settings.organization_concurrency,
            dead_after_seconds=settings.worker_dead_after_seconds,
            # Several signs of life, and several looks, within the time that makes one dead.
            heartbeat_seconds=settings.worker_dead_after_seconds / 7,
            sweep_seconds=settings.worker_dead_after_seconds / 3,
            grace_seconds=settings.shutdown_grace_seconds,
        ),
    )


@asynccontextmanager
async def open_database(settings: Settings) -> AsyncGenerator[Database]:
    database = Database(settings.database_url)
    try:
        yield database
    finally:
        await database.close()


@asynccontextmanager
async def open_administration(settings: Settings) -> AsyncGenerator[Administration]:
    """What commands do to accounts, on the database and the keys of the settings.

    Raises:
        SettingsError: a key ring is missing or unfit.
    """
    tokens = read_keys(settings).tokens
    async with open_database(settings) as database:
        yield Administration(database, SystemClock(), UuidV7(), Passwords(), tokens, settings.api_audience)


async def verify_audit(settings: Settings) -> list[tuple[str, Verdict]]:
    """Every organization's name, and whether its audit's chain holds.

    Raises:
        DatabaseUnavailable: the database does not answer, or is not migrated.
    """
    async with open_database(settings) as database, database.begin(write=False) as connection:
        everyone = sa.select(organizations.c.id, organizations.c.name).order_by(organizations.c.created_at)
        rows = (await connection.execute(everyone)).all()
        return [(row.name, await AuditLog(connection, row.id).verify()) for row in rows]


def migrate(database_url: str) -> None:
    """Bring our tables and the durable engine's up to date; safe from several processes at once."""
    # Alembic takes most of a second to load, and no service needs it.
    from tool_service.db.migrate import upgrade

    upgrade(database_url)
    install_tables(database_url)


async def serve(settings: Settings, stop: asyncio.Event) -> None:
    """Serve gRPC and HTTP, and run executions where the settings say so, until `stop` is set.

    Raises:
        SettingsError: a key ring is missing or unfit.
        OSError: an address cannot be bound.
        DatabaseUnavailable: the database does not answer, or is not migrated.
    """
    keys = read_keys(settings)
    clock = SystemClock()
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(open_database(settings))
        turn_queue = DurableTurnQueue(settings.database_url)
        stack.callback(turn_queue.close)
        object_store = LocalObjectStore(settings.data_dir / "files", settings.public_url, keys.file_url_keys, clock)
        environment = Environment(
            clock=clock,
            ids=UuidV7(),
            cursors=Cursors(keys.sealer, clock),
            turn_queue=turn_queue,
            object_store=object_store,
            pages_url=settings.mcp_resource,
        )
        operations_there_are = registry()
        dispatcher = Dispatcher(
            operations_there_are,
            database,
            environment,
            Members(database, clock),
            page_only_tools(settings, operations_there_are),
        )
        recognition = Recognition(database, clock, UuidV7(), settings.public_url, settings.issuer)
        side = approval_side(dispatcher, database, environment, keys.kept_sealer, recognition)
        if settings.in_process_worker:
            worker = worker_of(settings, database, object_store)
            await worker.start()
            stack.push_async_callback(worker.stop)
        grpc_server = GrpcServer(
            dispatcher,
            side.approvals,
            side.decisions,
            library_of(dispatcher),
            recognition,
            keys.assertions,
            keys.subjects,
        )
        await grpc_server.start(settings.grpc_listen)
        keeping = asyncio.create_task(side.keeper.keep(stop, APPROVALS_LOOKED_AFTER_EVERY_SECONDS))
        stack.callback(keeping.cancel)
        stack.push_async_callback(grpc_server.stop, settings.shutdown_grace_seconds)

        async def ready() -> bool:
            return await _answers(database)

        documents = await stack.enter_async_context(
            open_client_documents(allow_loopback=settings.client_documents_on_loopback)
        )
        rest_app = create_rest_app(
            blueprints=[
                api_blueprint(dispatcher, keys.tokens, settings.api_audience),
                *issuer_blueprints(
                    settings,
                    database,
                    environment,
                    keys.tokens,
                    keys.sealer,
                    documents,
                    dispatcher.registry,
                    Passwords(),
                ),
            ],
            registry=dispatcher.registry,
            public_url=settings.public_url,
            version=VERSION,
            public_keys=keys.tokens.public_keys(),
            ready=ready,
        )
        _log.info("serving", grpc=settings.grpc_listen, http=settings.http_listen)
        await _serve_http(LocalFileRoutes(object_store, rest_app), settings, stop)


def issuer_blueprints(
    settings: Settings,
    database: Database,
    environment: Environment,
    tokens: AccessTokens,
    sealer: Sealer,
    documents: ClientDocuments,
    registry: Registry,
    passwords: Passwords,
) -> list[Blueprint]:
    """The embedded issuer; where people sign in elsewhere, only what gives programs their tokens for /api/v1."""
    clock, ids = environment.clock, environment.ids
    issuer = Issuer(
        database=database,
        tokens=tokens,
        documents=documents,
        clock=clock,
        ids=ids,
        url=settings.public_url,
        mcp_resource=settings.mcp_resource,
        api_audience=settings.api_audience,
    )
    metadata = issuer_metadata(settings.public_url, documentation=f"{settings.mcp_resource}/connect")
    endpoints = endpoints_blueprint(issuer, metadata, signs_people_in=not settings.issuer)
    if settings.issuer:
        return [endpoints]
    accounts = Accounts(database, clock, ids, passwords)
    return [endpoints, IssuerPages(issuer, accounts, sealer, clock, registry.weakest_role).blueprint()]


async def run_worker(settings: Settings, stop: asyncio.Event) -> None:
    """Run executions until `stop` is set.

    Raises:
        SettingsError: a key ring is missing or unfit.
        DatabaseUnavailable: the database does not answer, or is not migrated.
    """
    keys = read_keys(settings)
    async with open_database(settings) as database:
        object_store = LocalObjectStore(
            settings.data_dir / "files", settings.public_url, keys.file_url_keys, SystemClock()
        )
        worker = worker_of(settings, database, object_store)
        await worker.start()
        try:
            await stop.wait()
        finally:
            await worker.stop()


async def _answers(database: Database) -> bool:
    try:
        async with database.begin(write=False) as connection:
            await connection.execute(sa.text("SELECT 1"))
    except DatabaseUnavailable:
        return False
    return True


async def _serve_http(app: LocalFileRoutes, settings: Settings, stop: asyncio.Event) -> None:
    config = Config()
    config.bind = [settings.http_listen]
    config.graceful_timeout = settings.shutdown_grace_seconds
    config.include_server_header = False
    config.errorlog = logging.getLogger("hypercorn.error")
    serving = asyncio.create_task(serve_http(app, config, shutdown_trigger=stop.wait, mode="asgi"))
    stopped = asyncio.create_task(stop.wait())
    await asyncio.wait({serving, stopped}, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    # Hypercorn may wait for an idle HTTP/2 connection for ever (field report D43), so the end is ours.
    await asyncio.wait({serving}, timeout=settings.shutdown_grace_seconds + CLOSING_SECONDS)
    if not serving.done():
        serving.cancel()
    elif not serving.cancelled():
        serving.result()
