"""The official suite finds nothing that applies to this server and that it does not do."""

from collections.abc import Mapping

import pytest

from tests.judges.not_applicable import NOT_APPLICABLE
from tests.judges.official_suite import LANES, Verdict, version
from tests.judges.page import PAGE, conformance_page

Lanes = Mapping[str, Mapping[str, Verdict]]

# Fewer would mean that the suite, or our reading of its results, has lost some.
APPLICABLE = {"2026-07-28": 38, "2025-06-18": 20}


@pytest.mark.parametrize("lane", LANES)
def test_every_applicable_scenario_passes(lanes: Lanes, lane: str) -> None:
    applicable = {name: verdict for name, verdict in lanes[lane].items() if (lane, name) not in NOT_APPLICABLE}
    assert {name: verdict.failed for name, verdict in applicable.items() if verdict.failed} == {}
    assert len(applicable) == APPLICABLE[lane]


@pytest.mark.parametrize(("lane", "scenario"), NOT_APPLICABLE)
def test_what_is_said_not_to_apply_indeed_fails(lanes: Lanes, lane: str, scenario: str) -> None:
    assert lanes[lane][scenario].failed != ()


def test_the_page_says_what_the_suite_found(lanes: Lanes) -> None:
    assert PAGE.read_text(encoding="utf-8") == conformance_page(version(), lanes), "run `make conformance`"
