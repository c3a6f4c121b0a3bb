"""What operators set: the environment variables TOOL_SERVICE_*, read once, in `__main__`."""

# ruff: noqa: RUF009 (_setting only wraps dataclasses.field)

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

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


def _setting(default: Any, meaning: str) -> Any:
    return field(default=default, metadata={"meaning": meaning})


@dataclass(frozen=True, slots=True)
class Settings:
    """Defaults fit one machine. A field's meaning is what the help and the reference page print."""

    database_url: Secret = _setting(
        _LOCAL_DATABASE, "sqlite:///path or postgresql://user:password@host/database; migrated before it serves."
    )
    data_dir: Path = _setting(Path(".kadu"), "Folder of the local file store.")
    keys_dir: Path = _setting(Path(".kadu/keys"), "Folder of the key rings, JWK Set files.")
    grpc_listen: str = _setting("127.0.0.1:50051", "Address and port of the gRPC service.")
    grpc_allow_insecure: bool = _setting(
        False, "Serve plaintext gRPC on an address that is neither loopback nor private."
    )
    http_listen: str = _setting("127.0.0.1:8001", "Address and port of /api/v1, signed file URLs and the issuer.")
    public_url: str = _setting(
        "http://127.0.0.1:8001", "URL of that HTTP service from outside; also the issuer of the tokens."
    )
    mcp_resource: str = _setting(
        "http://127.0.0.1:8000", "URL of the MCP endpoint: tokens are made out to it, and links for people lead there."
    )
    issuer: str = _setting(
        "", "OpenID Connect issuer of your own at which people sign in; empty: the one in this service."
    )
    client_documents_on_loopback: bool = _setting(
        False, "Also read the metadata documents of clients (https) from this machine; for development."
    )
    page_only_tools: str = _setting(
        "",
        "Comma list of destructive tools for which a yes counts only on the approval page, never in the chat,"
        " such as kadu_tasks_delete.",
    )
    in_process_worker: bool = _setting(True, "Run executions inside `serve`; false where workers run apart.")
    worker_concurrency: int = _setting(4, "How many executions one worker runs at once.")
    organization_concurrency: int = _setting(
        2, "How many executions of one organization run at once, over all workers."
    )
    worker_dead_after_seconds: float = _setting(
        15.0, "How long a worker may give no sign of life before others take its executions over."
    )
    shutdown_grace_seconds: float = _setting(10.0, "How long SIGTERM waits for what is in flight.")
    log_format: str = _setting("json", "json (one object a line) or console.")

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
        if self.issuer and not re.fullmatch(r"https?://[^?#\s]+", self.issuer):
            faults.append(f"{PREFIX}ISSUER: must be an http or https URL without query and fragment")
        if not self.database_url.startswith(("sqlite:///", "postgresql://")):
            faults.append(f"{PREFIX}DATABASE_URL: must be sqlite:///path or postgresql://user:password@host/database")
        if self.log_format not in {"json", "console"}:
            faults.append(f"{PREFIX}LOG_FORMAT: must be json or console")
        if not self.grpc_allow_insecure and not _is_private(self.grpc_listen):
            faults.append(
                f"{PREFIX}GRPC_LISTEN: {self.grpc_listen} is open to the world and gRPC here is plaintext;"
                f" listen on a private address, or set {PREFIX}GRPC_ALLOW_INSECURE=true"
            )
        return faults

    @property
    def api_audience(self) -> str:
        """What a token for /api/v1 is made out to."""
        return self.public_url + "/api/v1"


def _is_private(address: str) -> bool:
    """Whether only this machine or a private network reaches the address; 0.0.0.0 is all of them, so no."""
    host = address.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return False
    return not found.is_unspecified and found.is_private


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
