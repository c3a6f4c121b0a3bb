"""The marker by which a test claims a requirement."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "requirement(*ids): the requirements that this test proves")
