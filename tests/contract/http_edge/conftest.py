"""Whatever a client sends, it is no fault of ours: none of these tests may leave an error in the log."""

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _no_errors_in_the_log(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    assert [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR] == []
