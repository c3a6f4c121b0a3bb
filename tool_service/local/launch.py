"""Starts a local stack from nothing, or from what the last one left: keys, database, demo data, processes."""

import asyncio
import os
import sys
from collections.abc import Callable

from tool_service.adapters.key_ring import KeyRingError
from tool_service.adapters.local_keys import generate_missing_rings
from tool_service.adapters.system import SystemClock
from tool_service.app import migrate
from tool_service.db.engine import Database
from tool_service.local.layout import Layout
from tool_service.local.preflight import LocalFault, refuse_unfit
from tool_service.local.processes import Program, supervise
from tool_service.local.seed import seed
from tool_service.local.tokens import mint_demo_tokens
from tool_service.local.welcome import welcome


def run(layout: Layout, say: Callable[[str], None]) -> int:
    """Serve until somebody asks to stop; the exit code: 0 when asked, 1 for a fault that has been said."""
    try:
        refuse_unfit(layout)
        say(f"Preparing keys and database in {layout.folder} ...")
        generate_missing_rings(layout.keys)
        layout.logs.mkdir(exist_ok=True)
        migrate(layout.database_url)
        asyncio.run(_serve(layout, say))
    except (LocalFault, KeyRingError) as fault:
        say(str(fault))
        return 1
    return 0


async def _serve(layout: Layout, say: Callable[[str], None]) -> None:
    database = Database(layout.database_url)
    if await seed(database, SystemClock()):
        say(f"Made the demo organization in {layout.folder}.")
    await database.close()
    layout.remember()

    def greet() -> None:
        say(welcome(layout, mint_demo_tokens(layout)["owner"]))

    await supervise(_programs(layout), say, greet)


def _programs(layout: Layout) -> list[Program]:
    # The tool service first: the front end is ready when it is.
    return [
        Program(
            name="the tool service",
            command=(sys.executable, "-m", "tool_service", "serve"),
            environment=os.environ | layout.tool_service_environment(),
            ready_url=f"{layout.issuer}/readyz",
            log=layout.logs / "tool_service.log",
        ),
        Program(
            name="the MCP front end",
            command=(sys.executable, "-m", "mcp_frontend"),
            environment=os.environ | layout.mcp_frontend_environment(),
            ready_url=f"{layout.mcp_url}/readyz",
            log=layout.logs / "mcp_frontend.log",
        ),
    ]
