"""The settings of the front end: read from a mapping, checked together, frozen.

Pure: nothing here opens a file or a socket. Every variable is a row of SETTINGS, which
the command line's help and the reference page print.
"""

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

PREFIX = "MCP_FRONTEND_"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setting:
    """One environment variable: its name without the prefix, its default as text, its meaning."""

    name: str
    default: str
    meaning: str


SETTINGS: tuple[Setting, ...] = (
    Setting("LISTEN", "127.0.0.1:8000", "Address and port of the MCP endpoint."),
    Setting("PUBLIC_URL", "http://127.0.0.1:8000", "URL that people type into their client; the OAuth resource."),
    Setting("ISSUER", "http://127.0.0.1:8001", "OpenID Connect issuer of the access tokens."),
    Setting("ISSUER_INTERNAL_URL", "", "How this process reaches the issuer, if not by the URL that people use."),
    Setting("ISSUER_AUDIENCE", "", "What the issuer calls this resource in its tokens; empty: PUBLIC_URL."),
    Setting(
        "ISSUER_TOKEN_TYPES",
        "at+jwt",
        "at+jwt: access tokens of RFC 9068; any: also those of issuers that say JWT or nothing.",
    ),
    Setting("CLIENT_ID", "kadu-pages", "As which client our own pages sign people in at the issuer."),
    Setting("CLIENT_SECRET", "", "The secret of that client, if the issuer gave it one."),
    Setting("TOOL_SERVICE", "127.0.0.1:50051", "gRPC address of the tool service."),
    Setting(
        "TOOL_SERVICE_ALLOW_INSECURE",
        "false",
        "Speak plaintext gRPC to an address that is neither loopback nor private.",
    ),
    Setting("ASSERTION_KEYS", "", "JWK Set (ES256, private) that signs caller assertions; wins over the file."),
    Setting("ASSERTION_KEYS_FILE", ".kadu/keys/assertion_keys.json", "File with that JWK Set."),
    Setting("STATE_KEYS", "", "JWK Set (oct, 256 bit) that seals requestState; wins over the file."),
    Setting("STATE_KEYS_FILE", ".kadu/keys/state_keys.json", "File with that JWK Set."),
    Setting("ALLOWED_ORIGINS", "", "More browser origins to accept, separated by commas."),
    Setting("ALLOWED_HOSTS", "", "More Host headers to accept (host or host:port), separated by commas."),
    Setting(
        "TRUSTED_PROXIES",
        "",
        "Networks of the proxies before us (10.0.0.0/8), separated by commas; only their X-Forwarded-Host and "
        "X-Forwarded-Proto count.",
    ),
    Setting("CALL_DEADLINE_SECONDS", "30", "How long one call of the tool service may take."),
    Setting("BODY_DEADLINE_SECONDS", "20", "How long a request body may take to arrive."),
    Setting("SHUTDOWN_GRACE_SECONDS", "10", "How long SIGTERM waits for what is in flight."),
    Setting("LOG_FORMAT", "json", "json (one object a line) or console."),
)


class Secret:
    """Text that never shows in a repr, a log or a traceback."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Where a JWK Set comes from: its text, or else the file."""

    text: Secret | None
    file: Path


class SettingsError(Exception):
    """At least one setting is wrong; the message names every one of them."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Settings:
    listen: str
    """host:port"""
    public_url: str
    """Without a trailing slash."""
    issuer: str
    """Byte for byte the `iss` of its tokens."""
    issuer_internal_url: str
    """Empty: as people reach it."""
    issuer_audience: str
    older_token_types: bool
    client_id: str
    client_secret: Secret | None
    tool_service: str
    """host:port"""
    assertion_keys: KeyRing
    state_keys: KeyRing
    allowed_origins: tuple[str, ...]
    allowed_hosts: tuple[str, ...]
    trusted_proxies: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]
    call_deadline_seconds: float
    body_deadline_seconds: float
    shutdown_grace_seconds: float
    log_format: str

    @classmethod
    def from_env(cls, environment: Mapping[str, str]) -> "Settings":
        """The settings of an environment; variables that are no setting are ignored.

        Raises:
            SettingsError: naming all faults at once.
        """
        read = _Reader(environment)
        issuer = read("ISSUER", _url)
        public_url = read("PUBLIC_URL", _url).rstrip("/")
        insecure_allowed = read("TOOL_SERVICE_ALLOW_INSECURE", _flag)
        settings = cls(
            listen=read("LISTEN", _address),
            public_url=public_url,
            issuer=issuer,
            issuer_internal_url=read("ISSUER_INTERNAL_URL", lambda text: _url(text) if text else ""),
            issuer_audience=read("ISSUER_AUDIENCE", str) or public_url,
            older_token_types=read("ISSUER_TOKEN_TYPES", _token_types),
            client_id=read("CLIENT_ID", _client_id),
            client_secret=Secret(secret) if (secret := environment.get(PREFIX + "CLIENT_SECRET", "").strip()) else None,
            tool_service=read("TOOL_SERVICE", lambda text: _private_address(text, insecure_allowed)),
            assertion_keys=read.key_ring("ASSERTION_KEYS"),
            state_keys=read.key_ring("STATE_KEYS"),
            allowed_origins=read("ALLOWED_ORIGINS", lambda text: tuple(_origin(item) for item in _items(text))),
            allowed_hosts=read("ALLOWED_HOSTS", _items),
            trusted_proxies=read("TRUSTED_PROXIES", lambda text: tuple(_network(item) for item in _items(text))),
            call_deadline_seconds=read("CALL_DEADLINE_SECONDS", _seconds),
            body_deadline_seconds=read("BODY_DEADLINE_SECONDS", _seconds),
            shutdown_grace_seconds=read("SHUTDOWN_GRACE_SECONDS", _seconds),
            log_format=read("LOG_FORMAT", _log_format),
        )
        if read.faults:
            raise SettingsError(read.faults)
        return settings


class _Reader:
    """Reads one setting after the other and gathers what is wrong with them."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._defaults = {setting.name: setting.default for setting in SETTINGS}
        self.faults: list[str] = []

    def __call__(self, name: str, parse: Callable[[str], T]) -> T:
        default = self._defaults[name]
        try:
            return parse(self._environment.get(PREFIX + name, default).strip())
        except ValueError as error:
            self.faults.append(f"{PREFIX}{name}: {error}")
            # A stand-in, so that the other settings are judged as well.
            return parse(default)

    def key_ring(self, name: str) -> KeyRing:
        # Not through parse(): the text of a key must not end up in a fault.
        text = self._environment.get(PREFIX + name, "")
        return KeyRing(text=Secret(text) if text.strip() else None, file=self(f"{name}_FILE", Path))


def _url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be an http or https URL with a host")
    if parts.query or parts.fragment or parts.username is not None:
        raise ValueError("must have no query, fragment or user name")
    return text


def _origin(text: str) -> str:
    if urlsplit(_url(text)).path:
        raise ValueError(f"{text!r} must be an origin, such as https://app.example.com")
    return text


def _address(text: str) -> str:
    host, colon, port = text.rpartition(":")
    if not colon or not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
        raise ValueError("must be host:port, such as 127.0.0.1:8000")
    return text


def _private_address(text: str, insecure_allowed: bool) -> str:
    host = _address(text).rpartition(":")[0].strip("[]")
    if insecure_allowed or _is_private(host):
        return text
    raise ValueError(
        f"{host} is neither loopback nor private, and gRPC is in plaintext; "
        f"set {PREFIX}TOOL_SERVICE_ALLOW_INSECURE=true if the way there is protected"
    )


def _is_private(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        # A name of one label lives in the local network only: a container's or localhost.
        return "." not in host
    return address.is_loopback or address.is_private


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        raise ValueError(f"{text!r} must be a network, such as 10.0.0.0/8, or one address") from None


def _flag(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError("must be true or false")
    return text.lower() == "true"


def _token_types(text: str) -> bool:
    if text not in ("at+jwt", "any"):
        raise ValueError("must be at+jwt or any")
    return text == "any"


def _client_id(text: str) -> str:
    if not text:
        raise ValueError("must not be empty")
    return text


def _items(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        raise ValueError("must be a number of seconds") from None
    if not 0 < seconds <= 600:
        raise ValueError("must be more than 0 and at most 600 seconds")
    return seconds


def _log_format(text: str) -> str:
    if text not in ("json", "console"):
        raise ValueError("must be json or console")
    return text
