"""What every command shares: settings from the environment, one sentence for a fault, an exit code."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import typer

from tool_service.settings import Settings, SettingsError

if TYPE_CHECKING:
    from tool_service.authorization_server.administration import Administration

EXIT_FAILED = 1
EXIT_BAD_SETTINGS = 2

T = TypeVar("T")


def settings() -> Settings:
    """The settings of this process, or its end with a sentence for each fault."""
    try:
        return Settings.from_env(os.environ)
    except SettingsError as error:
        fail(f"The tool service cannot start:\n{error}", EXIT_BAD_SETTINGS)


def fail(sentence: str, code: int = EXIT_FAILED) -> NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(code)


def administer(work: "Callable[[Administration], Awaitable[T]]") -> T:
    """Do the work on the database and the keys of the settings; a fault ends the process with its sentence."""
    from tool_service.app import open_administration
    from tool_service.authorization_server.administration import CannotBeDone

    async def run() -> T:
        async with open_administration(settings()) as administration:
            return await work(administration)

    try:
        return to_the_end(run)
    except CannotBeDone as cannot:
        fail(str(cannot))


def to_the_end(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What comes of the work; bad settings and a database that does not answer end the process with a sentence."""
    from tool_service.db.engine import DatabaseUnavailable

    try:
        return asyncio.run(work())
    except SettingsError as error:
        fail(str(error), EXIT_BAD_SETTINGS)
    except DatabaseUnavailable as error:
        fail(f"The database does not answer or is not migrated (python -m tool_service migrate): {error}.")
