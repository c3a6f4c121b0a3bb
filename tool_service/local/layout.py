"""Where the parts of a local stack lie: its folder, its ports, and the environment of each process."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


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
    def files(self) -> Path:
        return self.folder / "files"

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def database_url(self) -> str:
        return f"sqlite:///{self.folder / 'kadu.db'}"

    @property
    def ports(self) -> Mapping[str, int]:
        """What listens where, under the option that moves it."""
        return {"--mcp-port": self.mcp_port, "--api-port": self.api_port, "--grpc-port": self.grpc_port}

    def tool_service_environment(self) -> dict[str, str]:
        return {
            "TOOL_SERVICE_DATABASE_URL": self.database_url,
            "TOOL_SERVICE_HTTP_LISTEN": f"127.0.0.1:{self.api_port}",
            "TOOL_SERVICE_GRPC_LISTEN": f"127.0.0.1:{self.grpc_port}",
            "TOOL_SERVICE_PUBLIC_URL": self.issuer,
            "TOOL_SERVICE_MCP_URL": self.mcp_url,
            "TOOL_SERVICE_FILES_FOLDER": str(self.files),
            "TOOL_SERVICE_ISSUER_KEYS_FILE": str(self.keys / "issuer_keys.json"),
            "TOOL_SERVICE_SEAL_KEYS_FILE": str(self.keys / "seal_keys.json"),
            "TOOL_SERVICE_ASSERTION_PUBLIC_KEYS_FILE": str(self.keys / "assertion_public_keys.json"),
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
