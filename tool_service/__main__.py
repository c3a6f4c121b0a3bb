"""`python -m tool_service`: what containers, operators and `make run` start. Reads settings once and passes them down.

Heavy rooms are imported inside the commands that need them, so that --help answers at once.
"""

import asyncio
import errno
import json
import signal
from collections.abc import Callable, Coroutine
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from tool_service.commands.audit import audit
from tool_service.commands.command_line import EXIT_BAD_SETTINGS, fail, settings
from tool_service.commands.grants import grants, service, token
from tool_service.commands.people import member, organization
from tool_service.settings import PREFIX, Settings, SettingsError

_SETTINGS_HELP = "\n\n".join(
    f"{PREFIX}{each.name.upper()} ({each.default}): {each.metadata['meaning']}" for each in fields(Settings)
)

cli = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    # Typer's own tracebacks show the values of variables, which may be secrets.
    pretty_exceptions_enable=False,
    help="Kadu's tool service: gRPC and /api/v1 over one set of operations, and the workers that run executions."
    f"\n\nSet it by environment variables (defaults in brackets):\n\n{_SETTINGS_HELP}",
)

for name, group in {
    "organization": organization,
    "member": member,
    "token": token,
    "service": service,
    "grants": grants,
    "audit": audit,
}.items():
    cli.add_typer(group, name=name)


@cli.command()
def serve() -> None:
    """Serve gRPC and /api/v1, and run executions too unless they run apart."""
    from tool_service.app import serve as serve_until

    _run(lambda chosen, stop: serve_until(chosen, stop))


@cli.command()
def worker() -> None:
    """Run executions; start as many as you need."""
    from tool_service.app import run_worker

    _run(lambda chosen, stop: run_worker(chosen, stop))


@cli.command()
def migrate() -> None:
    """Bring the database up to date; several at once are fine."""
    from tool_service.app import migrate as migrate_database
    from tool_service.db.engine import DatabaseUnavailable

    chosen = settings()
    try:
        migrate_database(chosen.database_url)
    except DatabaseUnavailable as error:
        fail(f"The database does not answer: {error}.")
    typer.echo("The database is up to date.")


@cli.command()
def seed() -> None:
    """Add the demo organization, its people and its tasks, unless they are there."""
    from tool_service.adapters.system import SystemClock
    from tool_service.app import open_database
    from tool_service.db.engine import DatabaseUnavailable
    from tool_service.local.seed import seed as seed_database

    async def add() -> bool:
        async with open_database(settings()) as database:
            return await seed_database(database, SystemClock())

    try:
        added = asyncio.run(add())
    except DatabaseUnavailable as error:
        fail(f"The database does not answer: {error}.")
    typer.echo("Added the demo data." if added else "The demo data is there.")


@cli.command()
def openapi() -> None:
    """Print the OpenAPI 3.1 document of /api/v1."""
    from tool_service.app import VERSION, registry
    from tool_service.rest_api.openapi import openapi_document

    document = openapi_document(registry(), settings().public_url + "/api/v1", VERSION)
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2))


_Folder = Annotated[Path, typer.Option("--data-dir", help="Where keys, database, files and logs lie.")]
_McpPort = Annotated[int, typer.Option("--mcp-port", min=1, max=65535, help="Port of the MCP endpoint.")]
_ApiPort = Annotated[int, typer.Option("--api-port", min=1, max=65535, help="Port of /api/v1 and the issuer.")]
_GrpcPort = Annotated[int, typer.Option("--grpc-port", min=1, max=65535, help="Port of gRPC between the two.")]


@cli.command()
def local(
    data_dir: _Folder = Path(".kadu"),
    mcp_port: _McpPort = 8000,
    api_port: _ApiPort = 8001,
    grpc_port: _GrpcPort = 50051,
) -> None:
    """Run the whole product on this machine with demo data: both services, one worker, on loopback."""
    from tool_service.local.launch import run
    from tool_service.local.layout import Layout

    raise typer.Exit(run(Layout(data_dir, mcp_port, api_port, grpc_port), typer.echo))


@cli.command("demo-env")
def demo_env(data_dir: _Folder = Path(".kadu")) -> None:
    """Print shell assignments (URLs, tokens, ids) for programs that try the running local stack."""
    from tool_service.local.demo_env import assignments
    from tool_service.local.layout import Layout
    from tool_service.local.preflight import LocalFault

    try:
        typer.echo(assignments(Layout(data_dir)))
    except LocalFault as fault:
        fail(str(fault))


def _run(program: Callable[[Settings, asyncio.Event], Coroutine[Any, Any, None]]) -> None:
    from tool_service.adapters.logs import configure_logs
    from tool_service.db.engine import DatabaseUnavailable

    chosen = settings()
    configure_logs(chosen.log_format)
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_until_told(program, chosen))
    except SettingsError as error:
        fail(f"The tool service cannot start: {error}", EXIT_BAD_SETTINGS)
    except DatabaseUnavailable as error:
        fail(f"The database does not answer or is not migrated (python -m tool_service migrate): {error}")
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES, errno.EADDRNOTAVAIL):
            raise
        fail(f"The tool service cannot listen: {error.strerror or error}. Set {PREFIX}HTTP_LISTEN or GRPC_LISTEN.")


async def _until_told(
    program: Callable[[Settings, asyncio.Event], Coroutine[Any, Any, None]], chosen: Settings
) -> None:
    """Run the program with an event that SIGTERM and SIGINT set."""
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    await program(chosen, stop)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        from uvloop import new_event_loop
    except ImportError:  # no wheel for this platform
        return asyncio.new_event_loop
    return new_event_loop


if __name__ == "__main__":
    cli()
