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
        "TOOL_SERVICE_GRACE_SECONDS": "2.5",
    }
    settings = Settings.from_env(environment)
    assert settings.keys_dir == Path("/run/keys")
    assert settings.in_process_worker is False
    assert settings.api_audience == "https://kadu.example.com/api/v1"
    assert settings.grace_seconds == 2.5
    assert "secret" not in repr(settings)


def test_every_fault_is_reported_in_one_message() -> None:
    with pytest.raises(SettingsError) as refused:
        Settings.from_env(
            {
                "TOOL_SERVICE_HTTP_LISTEN": "8001",
                "TOOL_SERVICE_GRPC_LISTEN": "host:99999",
                "TOOL_SERVICE_DATABASE_URL": "mysql://x",
                "TOOL_SERVICE_WORKER_CONCURRENCY": "0",
                "TOOL_SERVICE_GENERATE_KEYS": "maybe",
                "TOOL_SERVICE_NO_SUCH": "1",
            }
        )
    named = [line.partition(":")[0] for line in str(refused.value).splitlines()]
    assert sorted(named) == [
        "TOOL_SERVICE_DATABASE_URL",
        "TOOL_SERVICE_GENERATE_KEYS",
        "TOOL_SERVICE_GRPC_LISTEN",
        "TOOL_SERVICE_HTTP_LISTEN",
        "TOOL_SERVICE_NO_SUCH",
        "TOOL_SERVICE_WORKER_CONCURRENCY",
    ]
