"""Logs are one JSON object a line, for us and for the libraries, and hold no values of variables."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from mcp_frontend.adapters.logs import configure_logs


@pytest.fixture(autouse=True)
def _logs_as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    structlog.reset_defaults()
    root.handlers, root.level = handlers, level


def test_ours_and_a_librarys_lines_have_one_shape(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("json")
    structlog.get_logger("ours").info("request", status=200)
    logging.getLogger("theirs").warning("careful")
    ours, theirs = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert ours.pop("timestamp").endswith("Z")
    assert theirs.pop("timestamp").endswith("Z")
    assert ours == {"event": "request", "status": 200, "level": "info"}
    assert theirs == {"event": "careful", "level": "warning"}


def test_a_traceback_shows_no_values(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("json")
    token = "secret-token"
    try:
        raise ValueError(len(token))
    except ValueError:
        structlog.get_logger("ours").exception("failed")
    line = capsys.readouterr().err
    assert "ValueError: 12" in json.loads(line)["exception"]
    assert "secret-token" not in line


def test_a_console_gets_lines_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("console")
    structlog.get_logger("ours").info("request", status=200)
    assert "status=200" in capsys.readouterr().err
