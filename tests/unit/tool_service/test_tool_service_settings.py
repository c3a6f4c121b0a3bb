"""Settings from an environment: defaults, names, faults."""

from pathlib import Path

import pytest

from tool_service.settings import Settings, SettingsError


def test_nothing_set_gives_the_local_defaults() -> None:
    assert Settings.from_env({"PATH": "/bin"}) == Settings()


def test_settings_are_read_by_their_field_names() -> None:
    environment = {
        "TOOL_SERVICE_DATABASE_URL": "postgresql://kadu:secret@db/kadu",
        "TOOL_SERVICE_KEYS_DIR": "/run/keys",
        "TOOL_SERVICE_IN_PROCESS_WORKER": "false",
        "TOOL_SERVICE_PUBLIC_URL": "https://kadu.example.com/",
        "TOOL_SERVICE_SHUTDOWN_GRACE_SECONDS": "2.5",
    }
    settings = Settings.from_env(environment)
    assert settings.keys_dir == Path("/run/keys")
    assert settings.in_process_worker is False
    assert settings.api_audience == "https://kadu.example.com/api/v1"
    assert settings.shutdown_grace_seconds == 2.5
    assert "secret" not in repr(settings)


def test_every_fault_is_reported_in_one_message() -> None:
    with pytest.raises(SettingsError) as refused:
        Settings.from_env(
            {
                "TOOL_SERVICE_HTTP_LISTEN": "8001",
                "TOOL_SERVICE_GRPC_LISTEN": "host:99999",
                "TOOL_SERVICE_DATABASE_URL": "mysql://x",
                "TOOL_SERVICE_WORKER_CONCURRENCY": "0",
                "TOOL_SERVICE_IN_PROCESS_WORKER": "maybe",
                "TOOL_SERVICE_NO_SUCH": "1",
            }
        )
    named = [line.partition(":")[0] for line in str(refused.value).splitlines()]
    assert sorted(set(named)) == [
        "TOOL_SERVICE_DATABASE_URL",
        "TOOL_SERVICE_GRPC_LISTEN",
        "TOOL_SERVICE_HTTP_LISTEN",
        "TOOL_SERVICE_IN_PROCESS_WORKER",
        "TOOL_SERVICE_NO_SUCH",
        "TOOL_SERVICE_WORKER_CONCURRENCY",
    ]


@pytest.mark.parametrize("address", ["0.0.0.0:50051", "[::]:50051", "1.2.3.4:50051", "tools.example.com:50051"])
def test_plaintext_grpc_to_the_world_needs_a_setting_that_says_so(address: str) -> None:
    with pytest.raises(SettingsError, match="TOOL_SERVICE_GRPC_ALLOW_INSECURE"):
        Settings.from_env({"TOOL_SERVICE_GRPC_LISTEN": address})
    allowed = {"TOOL_SERVICE_GRPC_LISTEN": address, "TOOL_SERVICE_GRPC_ALLOW_INSECURE": "true"}
    assert Settings.from_env(allowed).grpc_listen == address


@pytest.mark.parametrize("address", ["127.0.0.1:1", "[::1]:50051", "10.1.2.3:50051", "localhost:50051"])
def test_plaintext_grpc_within_the_machine_or_a_private_network_is_fine(address: str) -> None:
    assert Settings.from_env({"TOOL_SERVICE_GRPC_LISTEN": address}).grpc_listen == address
