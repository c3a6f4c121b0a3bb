"""Where the parts of a local stack lie: its folder, its ports, and the environment of each process."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

_PORTS = ("mcp_port", "api_port", "grpc_port")


@dataclass(frozen=True, slots=True)
class Layout:
    """One local stack. Everything that it writes lies below `folder`; every port is on loopback."""

    folder: Path = Path(".kadu")
    mcp_port: int = 8000
    api_port: int = 8001
    grpc_port: int = 50051

    @property
    def mcp_url(self) -> str:
        return f"http://127.0.0.1:{self.mcp_port}"

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.api_port}"

    @property
    def api_url(self) -> str:
        return f"{self.issuer}/api/v1"

    @property
    def keys(self) -> Path:
        return self.folder / "keys"

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def tokens(self) -> Path:
        return self.folder / "tokens"

    @property
    def database(self) -> Path:
        return self.folder / "kadu.db"

    @property
    def database_url(self) -> str:
        return f"sqlite:///{self.database}"

    @property
    def ports(self) -> Mapping[str, int]:
        """What listens where, under the option that moves it."""
        return {"--mcp-port": self.mcp_port, "--api-port": self.api_port, "--grpc-port": self.grpc_port}

    def tool_service_environment(self) -> dict[str, str]:
        return {
            "TOOL_SERVICE_DATABASE_URL": self.database_url,
            "TOOL_SERVICE_DATA_DIR": str(self.folder),
            "TOOL_SERVICE_KEYS_DIR": str(self.keys),
            "TOOL_SERVICE_HTTP_LISTEN": f"127.0.0.1:{self.api_port}",
            "TOOL_SERVICE_GRPC_LISTEN": f"127.0.0.1:{self.grpc_port}",
            "TOOL_SERVICE_PUBLIC_URL": self.issuer,
            "TOOL_SERVICE_MCP_RESOURCE": self.mcp_url,
            "TOOL_SERVICE_CLIENT_DOCUMENTS_ON_LOOPBACK": "true",
        }

    def mcp_frontend_environment(self) -> dict[str, str]:
        return {
            "MCP_FRONTEND_LISTEN": f"127.0.0.1:{self.mcp_port}",
            "MCP_FRONTEND_PUBLIC_URL": self.mcp_url,
            "MCP_FRONTEND_ISSUER": self.issuer,
            "MCP_FRONTEND_TOOL_SERVICE": f"127.0.0.1:{self.grpc_port}",
            "MCP_FRONTEND_ASSERTION_KEYS_FILE": str(self.keys / "assertion_keys.json"),
            "MCP_FRONTEND_STATE_KEYS_FILE": str(self.keys / "state_keys.json"),
        }

    def remember(self) -> None:
        """Write down the ports, so that `demo-env` asks the stack that runs and not the default one."""
        self._note.write_text(json.dumps({name: getattr(self, name) for name in _PORTS}), encoding="utf-8")

    def as_remembered(self) -> "Layout":
        """This folder with the ports of the stack that was last started there."""
        try:
            ports = json.loads(self._note.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return self
        return replace(self, **ports)

    @property
    def _note(self) -> Path:
        return self.folder / "stack.json"
