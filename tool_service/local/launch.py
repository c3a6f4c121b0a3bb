"""Starts a local stack from nothing, or from what the last one left, and keeps it running."""

import asyncio
import os
import sys
from collections.abc import Callable

from tool_service.local.layout import Layout
from tool_service.local.preflight import LocalFault, refuse_unfit
from tool_service.local.prepare import prepare
from tool_service.local.processes import Program, supervise
from tool_service.local.welcome import welcome


def run(layout: Layout, say: Callable[[str], None]) -> int:
    """Serve until somebody asks to stop; the exit code: 0 when asked, 1 for a fault that has been said."""
    try:
        refuse_unfit(layout)
        prepare(layout, say)
        layout.remember()
        layout.logs.mkdir(exist_ok=True)
        asyncio.run(supervise(_programs(layout), say, lambda: say(_greeting(layout))))
    except LocalFault as fault:
        say(str(fault))
        return 1
    return 0


def _greeting(layout: Layout) -> str:
    # Imported while the services start, and not before them: it takes seconds to load.
    from tool_service.local.tokens import mint_demo_tokens

    return welcome(layout, mint_demo_tokens(layout)["owner"])


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
