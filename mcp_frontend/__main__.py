"""`python -m mcp_frontend`: reads the settings, starts Hypercorn, stops within the grace. Nothing else."""

import asyncio
import errno
import os
import signal

import typer
from hypercorn.asyncio import serve

from mcp_frontend.adapters.logs import configure_logs
from mcp_frontend.app import create_app
from mcp_frontend.settings import PREFIX, SETTINGS, Settings, SettingsError
from mcp_frontend.web.asgi import AsgiApp
from mcp_frontend.web.http_server import server_config

try:
    from uvloop import new_event_loop
except ImportError:  # no wheel for this platform
    from asyncio import new_event_loop

EXIT_FAILED = 1
EXIT_BAD_SETTINGS = 2
# What is in flight has the grace; after it, closing must not take long either.
CLOSING_SECONDS = 1.0

_HELP = (
    "The MCP front end: Streamable HTTP in, gRPC out.\n\nSet it by environment variables (defaults in brackets):\n\n"
    + "\n\n".join(f"{PREFIX}{setting.name} ({setting.default or 'empty'}): {setting.meaning}" for setting in SETTINGS)
)

# Typer's own tracebacks show the values of variables, which may be secrets.
cli = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@cli.command(help=_HELP)
def run() -> None:
    try:
        settings = Settings.from_env(os.environ)
        app = create_app(settings)
    except SettingsError as error:
        typer.echo(f"The front end cannot start: {error}.", err=True)
        raise typer.Exit(EXIT_BAD_SETTINGS) from None
    configure_logs(settings.log_format)
    try:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(_serve_until_told(app, settings))
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES, errno.EADDRNOTAVAIL):
            raise
        reason = (error.strerror or "refused").lower()
        typer.echo(
            f"The front end cannot listen on {settings.listen} ({reason}); set {PREFIX}LISTEN to another address.",
            err=True,
        )
        raise typer.Exit(EXIT_FAILED) from None


async def _serve_until_told(app: AsgiApp, settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT, then answer what is in flight and return within the grace."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    config = server_config(settings.listen, settings.shutdown_grace_seconds)
    serving = asyncio.create_task(serve(app, config, shutdown_trigger=stop.wait, mode="asgi"))
    stopped = asyncio.create_task(stop.wait())
    await asyncio.wait({serving, stopped}, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    # Hypercorn waits for open connections longer than its graceful_timeout where one is
    # HTTP/2 and the Python newer than 3.12.0 (field report D43), so the end is ours.
    await asyncio.wait({serving}, timeout=settings.shutdown_grace_seconds + CLOSING_SECONDS)
    if not serving.done():
        serving.cancel()
    elif not serving.cancelled():
        serving.result()


if __name__ == "__main__":
    cli()
