"""The settings: defaults that work on one machine, and one message for everything that is wrong."""

from ipaddress import ip_network
from pathlib import Path

import pytest

from mcp_frontend.settings import SETTINGS, KeyRing, Secret, Settings, SettingsError


def test_an_empty_environment_is_the_local_product() -> None:
    assert Settings.from_env({}) == Settings(
        listen="127.0.0.1:8000",
        public_url="http://127.0.0.1:8000",
        issuer="http://127.0.0.1:8001",
        issuer_internal_url="",
        issuer_audience="http://127.0.0.1:8000",
        older_token_types=False,
        client_id="kadu-pages",
        client_secret=None,
        tool_service="127.0.0.1:50051",
        assertion_keys=KeyRing(None, Path(".kadu/keys/assertion_keys.json")),
        state_keys=KeyRing(None, Path(".kadu/keys/state_keys.json")),
        allowed_origins=(),
        allowed_hosts=(),
        trusted_proxies=(),
        call_deadline_seconds=30.0,
        body_deadline_seconds=20.0,
        shutdown_grace_seconds=10.0,
        log_format="json",
    )


def test_every_setting_is_read_from_its_variable() -> None:
    changed = {
        "LISTEN": "0.0.0.0:9000",
        "PUBLIC_URL": "https://mcp.example/",
        "ISSUER": "https://issuer.example/realm/",
        "ISSUER_INTERNAL_URL": "http://issuer:8001",
        "ISSUER_AUDIENCE": "api://kadu",
        "ISSUER_TOKEN_TYPES": "any",
        "CLIENT_ID": "kadu",
        "CLIENT_SECRET": "swordfish",
        "TOOL_SERVICE": "tools.example.com:443",
        "TOOL_SERVICE_ALLOW_INSECURE": "true",
        "ASSERTION_KEYS": "a-ring",
        "ASSERTION_KEYS_FILE": "a.json",
        "STATE_KEYS": "s-ring",
        "STATE_KEYS_FILE": "s.json",
        "ALLOWED_ORIGINS": "https://a.example, https://b.example:8443",
        "ALLOWED_HOSTS": "internal:8000,other",
        "TRUSTED_PROXIES": "10.0.0.0/8, ::1",
        "CALL_DEADLINE_SECONDS": "1.5",
        "BODY_DEADLINE_SECONDS": "2",
        "SHUTDOWN_GRACE_SECONDS": "3",
        "LOG_FORMAT": "console",
    }
    assert changed.keys() == {setting.name for setting in SETTINGS}
    assert Settings.from_env({f"MCP_FRONTEND_{name}": value for name, value in changed.items()}) == Settings(
        listen="0.0.0.0:9000",
        public_url="https://mcp.example",
        issuer="https://issuer.example/realm/",
        issuer_internal_url="http://issuer:8001",
        issuer_audience="api://kadu",
        older_token_types=True,
        client_id="kadu",
        client_secret=Secret("swordfish"),
        tool_service="tools.example.com:443",
        assertion_keys=KeyRing(Secret("a-ring"), Path("a.json")),
        state_keys=KeyRing(Secret("s-ring"), Path("s.json")),
        allowed_origins=("https://a.example", "https://b.example:8443"),
        allowed_hosts=("internal:8000", "other"),
        trusted_proxies=(ip_network("10.0.0.0/8"), ip_network("::1")),
        call_deadline_seconds=1.5,
        body_deadline_seconds=2.0,
        shutdown_grace_seconds=3.0,
        log_format="console",
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LISTEN", "8000"),
        ("LISTEN", "localhost:http"),
        ("LISTEN", "localhost:70000"),
        ("PUBLIC_URL", "mcp.example"),
        ("PUBLIC_URL", "ftp://mcp.example"),
        ("PUBLIC_URL", "https://mcp.example?x=1"),
        ("PUBLIC_URL", "https://person:pw@mcp.example"),
        ("ISSUER", ""),
        ("ISSUER_INTERNAL_URL", "keys"),
        ("ISSUER_TOKEN_TYPES", "jwt"),
        ("CLIENT_ID", " "),
        ("TOOL_SERVICE", "127.0.0.1"),
        ("TOOL_SERVICE_ALLOW_INSECURE", "yes"),
        ("ALLOWED_ORIGINS", "https://a.example/path"),
        ("ALLOWED_ORIGINS", "*"),
        ("TRUSTED_PROXIES", "*"),
        ("TRUSTED_PROXIES", "10.0.0.1/8"),
        ("CALL_DEADLINE_SECONDS", "soon"),
        ("CALL_DEADLINE_SECONDS", "0"),
        ("CALL_DEADLINE_SECONDS", "nan"),
        ("SHUTDOWN_GRACE_SECONDS", "601"),
        ("LOG_FORMAT", "xml"),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_variable(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"MCP_FRONTEND_{name}: "):
        Settings.from_env({f"MCP_FRONTEND_{name}": value})


def test_all_faults_stand_in_one_message() -> None:
    environment = {"MCP_FRONTEND_LISTEN": "x", "MCP_FRONTEND_ISSUER": "y", "MCP_FRONTEND_LOG_FORMAT": "z"}
    with pytest.raises(SettingsError) as refused:
        Settings.from_env(environment)
    assert [fault.split(":")[0] for fault in refused.value.faults] == [
        "MCP_FRONTEND_ISSUER",
        "MCP_FRONTEND_LISTEN",
        "MCP_FRONTEND_LOG_FORMAT",
    ]


@pytest.mark.parametrize(
    "address", ["127.0.0.1:1", "[::1]:1", "10.1.2.3:1", "192.168.0.9:1", "localhost:1", "tool_service:1"]
)
def test_plaintext_grpc_may_go_to_loopback_and_private_places(address: str) -> None:
    assert Settings.from_env({"MCP_FRONTEND_TOOL_SERVICE": address}).tool_service == address


@pytest.mark.parametrize("address", ["8.8.8.8:1", "tools.example.com:50051", "[2606:4700::1]:1"])
def test_plaintext_grpc_goes_nowhere_else_unless_that_is_set(address: str) -> None:
    with pytest.raises(SettingsError, match="MCP_FRONTEND_TOOL_SERVICE_ALLOW_INSECURE=true"):
        Settings.from_env({"MCP_FRONTEND_TOOL_SERVICE": address})


def test_variables_of_others_are_ignored() -> None:
    environment = {"MCP_FRONTEND_PORT_8000_TCP": "tcp://10.0.0.1:8000", "HOME": "x"}
    assert Settings.from_env(environment) == Settings.from_env({})


def test_a_secret_shows_nowhere() -> None:
    settings = Settings.from_env({"MCP_FRONTEND_STATE_KEYS": "a-secret"})
    assert "a-secret" not in repr(settings)
    assert f"{settings.state_keys.text}" == "***"
    assert settings.state_keys.text is not None
    assert settings.state_keys.text.reveal() == "a-secret"
