"""What operators set: the environment variables TOOL_SERVICE_*, read once, in `__main__`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

PREFIX = "TOOL_SERVICE_"
_ADDRESS = re.compile(r"(?P<host>\[[0-9a-fA-F:]+\]|[^:\s]+):(?P<port>[0-9]{1,5})")


class SettingsError(Exception):
    """Every fault of the environment, one a line."""


class Secret(str):
    """Text that never shows itself in a log or a traceback."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "***"


_LOCAL_DATABASE = Secret("sqlite:///.kadu/kadu.db")


@dataclass(frozen=True, slots=True)
class Settings:
    """Defaults fit one machine; see docs/reference/settings.md."""

    database_url: Secret = _LOCAL_DATABASE
    data_dir: Path = Path(".kadu")
    keys_dir: Path = Path(".kadu/keys")
    grpc_listen: str = "127.0.0.1:50051"
    http_listen: str = "127.0.0.1:8001"
    public_url: str = "http://127.0.0.1:8001"
    mcp_resource: str = "http://127.0.0.1:8000"
    in_process_worker: bool = True
    generate_keys: bool = True
    allow_insecure_grpc: bool = False
    worker_concurrency: int = 4
    grace_seconds: float = 10.0
    log_level: str = "info"

    @classmethod
    def from_env(cls, environment: Mapping[str, str]) -> "Settings":
        """Read TOOL_SERVICE_<FIELD>.

        Raises:
            SettingsError: with every fault at once.
        """
        faults: list[str] = []
        values: dict[str, object] = {}
        known = {PREFIX + each.name.upper(): each for each in fields(cls)}
        for name, text in environment.items():
            if not name.startswith(PREFIX):
                continue
            if name not in known:
                faults.append(f"{name}: there is no such setting")
                continue
            try:
                values[known[name].name] = _read(text, known[name].default)
            except ValueError as error:
                faults.append(f"{name}: {error}")
        settings = cls(**values)  # type: ignore[arg-type]
        faults += settings._faults()
        if faults:
            raise SettingsError("\n".join(faults))
        return settings

    def _faults(self) -> list[str]:
        faults = [
            f"{PREFIX}{name}: must be host:port, such as 127.0.0.1:8001"
            for name, address in (("GRPC_LISTEN", self.grpc_listen), ("HTTP_LISTEN", self.http_listen))
            if (found := _ADDRESS.fullmatch(address)) is None or int(found["port"]) > 65535
        ]
        faults += [
            f"{PREFIX}{name}: must be an http or https URL without a path"
            for name, url in (("PUBLIC_URL", self.public_url), ("MCP_RESOURCE", self.mcp_resource))
            if not re.fullmatch(r"https?://[^/?#\s]+", url)
        ]
        if not self.database_url.startswith(("sqlite:///", "postgresql://")):
            faults.append(f"{PREFIX}DATABASE_URL: must be sqlite:///path or postgresql://user:password@host/database")
        if self.log_level not in {"debug", "info", "warning", "error"}:
            faults.append(f"{PREFIX}LOG_LEVEL: must be debug, info, warning or error")
        return faults

    @property
    def api_audience(self) -> str:
        """What a token for /api/v1 is made out to."""
        return self.public_url + "/api/v1"


def _read(text: str, default: object) -> object:
    match default:
        case bool():
            if text.lower() not in {"true", "false", "1", "0"}:
                raise ValueError("must be true or false")
            return text.lower() in {"true", "1"}
        case int() | float():
            number = type(default)(text)
            if number <= 0:
                raise ValueError("must be greater than 0")
            return number
        case Secret():
            return Secret(text)
        case Path():
            return Path(text)
        case _:
            return text.rstrip("/") if text.startswith(("http://", "https://")) else text
