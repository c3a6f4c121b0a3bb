"""Both services as real processes on loopback, for tests that use the product from outside and may kill it.

Every process writes its log to the folder of the stack; `dump` shows the ends of them all.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from tests.support.secrets_told import secrets_in_logs
from tests.support.server_process import free_port, wait_until_answers
from tool_service.adapters.key_ring import load_signing_keys
from tool_service.adapters.local_keys import generate_missing_rings
from tool_service.adapters.system import SystemClock
from tool_service.app import migrate
from tool_service.authorization_server.tokens import AccessTokens
from tool_service.domain.scopes import ALL
from tool_service.local import demo


@dataclass
class Stack:
    """One installation: its database, its keys, its ports, its processes by name."""

    folder: Path
    database_url: str
    separate_worker: bool
    extra_environment: dict[str, str] = field(default_factory=dict)
    mcp_port: int = field(default_factory=free_port)
    http_port: int = field(default_factory=free_port)
    grpc_port: int = field(default_factory=free_port)
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def mcp_url(self) -> str:
        return f"http://127.0.0.1:{self.mcp_port}"

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.http_port}"

    @property
    def names(self) -> list[str]:
        return ["tool_service", "mcp_frontend", *(["worker"] if self.separate_worker else [])]

    def prepare(self) -> None:
        """Keys and tables; the demo data is added by `seed`."""
        generate_missing_rings(self.folder / "keys")
        migrate(self.database_url)
        self.run("seed")

    def run(self, *command: str) -> str:
        """One command of the tool service, to its end; what it printed."""
        whole = [sys.executable, "-m", "tool_service", *command]
        done = subprocess.run(whole, env=self._environment(), stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout

    def start_all(self) -> None:
        for name in self.names:
            self.start(name)
        for name in self.names:
            self.wait_until_ready(name)

    def start(self, name: str) -> None:
        module, *arguments = {
            "tool_service": ["tool_service", "serve"],
            "worker": ["tool_service", "worker"],
            "mcp_frontend": ["mcp_frontend"],
        }[name]
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", module, *arguments], env=self._environment(), stdout=log, stderr=log
            )

    def wait_until_ready(self, name: str) -> None:
        """Raises: AssertionError with the logs when it is not ready in time."""
        ready_url = {"tool_service": f"{self.issuer}/readyz", "mcp_frontend": f"{self.mcp_url}/readyz"}.get(name)
        if ready_url is not None:
            wait_until_answers(self.processes[name], ready_url, self.dump)

    def kill(self, name: str) -> None:
        """SIGKILL, and wait until it is gone."""
        self.processes[name].send_signal(signal.SIGKILL)
        self.processes[name].wait()

    def terminate(self, name: str) -> int:
        """SIGTERM; the exit code."""
        self.processes[name].send_signal(signal.SIGTERM)
        return self.processes[name].wait(timeout=30)

    def stop_all(self) -> None:
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
            process.wait()

    def token(self, person: demo.DemoPerson, audience: str | None = None, scopes: frozenset[str] = ALL) -> str:
        minter = AccessTokens(load_signing_keys(self.folder / "keys" / "issuer_keys.json"), self.issuer, SystemClock())
        return minter.mint(
            person_id=person.id,
            organization_id=person.organization.id,
            audience=audience or self.mcp_url,
            client_id="test-client",
            client_name="Test client",
            scopes=scopes,
            lifetime=timedelta(hours=1),
        )

    def dump(self) -> str:
        ends = [f"--- {path.name}\n{path.read_text(errors='replace')[-4000:]}" for path in self.folder.glob("*.log")]
        return "\n".join(ends)

    def _environment(self) -> dict[str, str]:
        keys = self.folder / "keys"
        return {
            **os.environ,
            "TOOL_SERVICE_DATABASE_URL": self.database_url,
            "TOOL_SERVICE_DATA_DIR": str(self.folder),
            "TOOL_SERVICE_KEYS_DIR": str(keys),
            "TOOL_SERVICE_HTTP_LISTEN": f"127.0.0.1:{self.http_port}",
            "TOOL_SERVICE_GRPC_LISTEN": f"127.0.0.1:{self.grpc_port}",
            "TOOL_SERVICE_PUBLIC_URL": self.issuer,
            "TOOL_SERVICE_MCP_RESOURCE": self.mcp_url,
            "TOOL_SERVICE_IN_PROCESS_WORKER": str(not self.separate_worker).lower(),
            "MCP_FRONTEND_LISTEN": f"127.0.0.1:{self.mcp_port}",
            "MCP_FRONTEND_PUBLIC_URL": self.mcp_url,
            "MCP_FRONTEND_ISSUER": self.issuer,
            "MCP_FRONTEND_TOOL_SERVICE": f"127.0.0.1:{self.grpc_port}",
            "MCP_FRONTEND_ASSERTION_KEYS_FILE": str(keys / "assertion_keys.json"),
            "MCP_FRONTEND_STATE_KEYS_FILE": str(keys / "state_keys.json"),
            **self.extra_environment,
        }


@contextmanager
def running(
    folder: Path, database_url: str = "", *, separate_worker: bool = False, environment: Mapping[str, str] | None = None
) -> Iterator[Stack]:
    """A prepared stack with demo data, started and in the end stopped; without a URL, on SQLite in the folder.

    Raises:
        AssertionError: in the end, when a process wrote a secret to its log.
    """
    stack = Stack(folder, database_url or f"sqlite:///{folder / 'kadu.db'}", separate_worker, dict(environment or {}))
    stack.prepare()
    try:
        stack.start_all()
        yield stack
    finally:
        stack.stop_all()
    assert list(secrets_in_logs(folder)) == [], "secrets in a log"
