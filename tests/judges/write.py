"""`make conformance`: runs the judges over a fresh stack and writes docs/reference/conformance.md.

The page is written before the tests look at it, so what they then say is about the server.
"""

import sys
from collections.abc import Generator, Mapping
from typing import Any

import pytest

from tests.judges.npm import FOLDER
from tests.judges.official_suite import Verdict, version
from tests.judges.page import PAGE, conformance_page


class WritesPage:
    """A plugin that brings the page up to date when the verdicts are in."""

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        value = yield
        if fixturedef.argname == "lanes" and isinstance(value, Mapping):
            lanes: Mapping[str, Mapping[str, Verdict]] = value
            PAGE.write_text(conformance_page(version(), lanes), encoding="utf-8")
        return value


if __name__ == "__main__":
    sys.exit(pytest.main([str(FOLDER), *sys.argv[1:]], plugins=[WritesPage()]))
