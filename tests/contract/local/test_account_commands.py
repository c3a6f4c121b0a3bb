"""The account commands of `python -m tool_service`, as an operator types them on a fresh machine."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tool_service.__main__ import cli
from tool_service.adapters.local_keys import generate_missing_rings

PASSWORD = "uma senha bem comprida"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    generate_missing_rings(tmp_path / "keys")
    return {
        "TOOL_SERVICE_DATABASE_URL": f"sqlite:///{tmp_path / 'kadu.db'}",
        "TOOL_SERVICE_KEYS_DIR": str(tmp_path / "keys"),
    }


def run(environment: dict[str, str], *arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(cli, list(arguments), env=environment, input=typed)


def test_from_an_empty_database_to_a_revoked_token(environment: dict[str, str]) -> None:
    assert run(environment, "migrate").exit_code == 0
    made = run(environment, "organization", "create", "Padaria", "--document-number", "11.222.333/0001-81")
    assert made.exit_code == 0, made.output
    member = ["member", "create", "ana@example.com", "--name", "Ana", "--role", "manager"]
    assert run(environment, *member).exit_code == 0
    again = run(environment, *member)
    assert (again.exit_code, again.stderr) == (1, "ana@example.com is a member of that company already.\n")
    typed = run(environment, "member", "set-password", "ana@example.com", typed=f"{PASSWORD}\n")
    assert (typed.exit_code, typed.stdout) == (0, "Set the password of ana@example.com.\n")
    assert PASSWORD not in typed.output
    generated = run(environment, "member", "set-password", "ana@example.com", "--generate")
    assert generated.exit_code == 0
    token = run(environment, "token", "create", "ana@example.com", "--name", "Planilha", "--scope", "kadu.read")
    assert token.stdout.count(".") == 2
    service = run(environment, "service", "create", "ERP", "--scope", "kadu.operate")
    assert service.stdout.startswith("client_id=service-")
    lines = [line.split("\t") for line in run(environment, "grants", "list").stdout.splitlines()]
    assert {line[1] for line in lines} == {"personal", "service"}
    [mine] = run(environment, "grants", "list", "--email", "ana@example.com").stdout.splitlines()
    revoked = run(environment, "grants", "revoke", mine.split("\t")[0])
    assert revoked.exit_code == 0
    assert run(environment, "grants", "list", "--email", "ana@example.com").stdout == ""


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["member", "set-password", "ana@example.com"], 1, "standard input"),
        (["member", "set-password", "ana@example.com", "--generate"], 1, "not migrated"),
        (["grants", "revoke", "not-an-id"], 2, "UUID"),
        (["member", "create", "ana@example.com", "--name", "Ana", "--role", "king"], 2, "king"),
        (["token", "create", "ana@example.com", "--name", "x", "--scope", "kadu.read", "--days", "366"], 2, "365"),
    ],
)
def test_what_cannot_be_done_is_a_sentence_and_no_traceback(
    environment: dict[str, str], arguments: list[str], code: int, said: str
) -> None:
    result = run(environment, *arguments)
    assert result.exit_code == code
    # An error box breaks its lines at the terminal's width.
    assert said in " ".join(result.stderr.replace("│", " ").split())
    assert "Traceback" not in result.output


@pytest.mark.parametrize("group", ["organization", "member", "token", "service", "grants"])
def test_every_group_explains_itself(environment: dict[str, str], group: str) -> None:
    shown = run(environment, group, "--help")
    assert shown.exit_code == 0
    assert "Commands" in shown.output


def test_the_audit_of_each_company_is_shown_to_hold_until_somebody_touches_it(
    environment: dict[str, str], tmp_path: Path
) -> None:
    run(environment, "migrate")
    run(environment, "organization", "create", "Padaria", "--document-number", "11.222.333/0001-81")
    run(environment, "member", "create", "ana@example.com", "--name", "Ana")
    verified = run(environment, "audit", "verify")
    name, events, sequence, digest, says = verified.stdout.rstrip("\n").split("\t")
    assert (verified.exit_code, name, events, says) == (0, "Padaria", sequence, "holds")
    assert int(events) >= 1
    assert len(digest) == 64
    with closing(sqlite3.connect(tmp_path / "kadu.db")) as connection, connection:
        connection.execute("UPDATE audit_events SET action = 'member_deleted' WHERE sequence = 1")
    broken = run(environment, "audit", "verify")
    assert broken.exit_code == 1
    assert "BROKEN: event 1 was changed" in broken.stdout
