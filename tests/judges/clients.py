"""Real clients, each of which walks through a running stack and tells what it saw."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.judges.npm import FOLDER, PACKAGES, node, program

PROGRAMS = FOLDER / "programs"
INSPECTOR = PACKAGES / "@modelcontextprotocol" / "inspector" / "clients" / "launcher" / "build" / "index.js"
TOLD_WITHIN_SECONDS = 110

STATELESS, HANDSHAKE, FIRST_HANDSHAKE = "2026-07-28", "2025-06-18", "2025-03-26"


@dataclass(frozen=True, slots=True)
class RealClient:
    """A program, how it is told to connect, and the revision that it must end up with."""

    name: str
    program: str
    mode: str
    speaks: str

    @property
    def asks_in_chat(self) -> bool:
        """Whether it can put a question to its person: in the older revisions there is no way to send one."""
        return self.speaks == STATELESS and self.program != "inspector.py"


CLIENTS = (
    RealClient("Python SDK 2, by itself", "client_of_python_sdk_2.py", "auto", STATELESS),
    RealClient("Python SDK 2, handshake", "client_of_python_sdk_2.py", "legacy", HANDSHAKE),
    RealClient("Python SDK 1", "client_of_python_sdk_1.py", HANDSHAKE, HANDSHAKE),
    RealClient("Python SDK 1, oldest revision", "client_of_python_sdk_1.py", FIRST_HANDSHAKE, FIRST_HANDSHAKE),
    RealClient("FastMCP 4, by itself", "client_of_fastmcp_4.py", "auto", STATELESS),
    RealClient("FastMCP 4, handshake", "client_of_fastmcp_4.py", "legacy", HANDSHAKE),
    RealClient("TypeScript SDK 2, by itself", "client_of_typescript_sdk_2.mjs", "auto", STATELESS),
    RealClient("TypeScript SDK 2, handshake", "client_of_typescript_sdk_2.mjs", "legacy", HANDSHAKE),
    RealClient("TypeScript SDK 1", "client_of_typescript_sdk_1.mjs", "", HANDSHAKE),
    RealClient("Inspector, stateless", "inspector.py", "modern", STATELESS),
    RealClient("Inspector, handshake", "inspector.py", "legacy", HANDSHAKE),
)


def story_of(client: RealClient, url: str, token: str, task_id: str, answer: str = "accept") -> Mapping[str, Any]:
    """What the client saw, and how its try to delete that task ended when its person answered so.

    Raises:
        AssertionError: it could not go the whole way; with what it said.
    """
    told = json.dumps({"url": url, "token": token, "mode": client.mode, "taskId": task_id, "answer": answer})
    if client.program.endswith(".mjs"):
        command = [node(), program(client.program), told]
    else:
        # Each SDK in an environment of its own: their dependencies exclude each other.
        uv = str(Path(sys.executable).with_name("uv"))
        command = [uv, "run", "--quiet", "--no-project", "--python", sys.executable, "--script"]
        command += [str(PROGRAMS / client.program), told]
        command += [node(), str(INSPECTOR)] if client.program == "inspector.py" else []
    done = subprocess.run(command, capture_output=True, text=True, timeout=TOLD_WITHIN_SECONDS, check=False)
    assert done.returncode == 0, f"{client.name}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    story: Mapping[str, Any] = json.loads(done.stdout)
    return story
