"""What dates and times mean in the filters of lists."""

from datetime import UTC, datetime

import pytest

from tool_service.domain.errors import InvalidArguments
from tool_service.domain.period import CreatedRangeArguments


def test_a_bare_date_is_that_whole_day_in_sao_paulo() -> None:
    arguments = CreatedRangeArguments(created_from="2026-12-01", created_to="2026-12-01")
    assert arguments.created_between() == (
        datetime(2026, 12, 1, 3, tzinfo=UTC),
        datetime(2026, 12, 2, 3, tzinfo=UTC),
    )


def test_a_time_copied_from_an_answer_includes_what_was_created_in_that_millisecond() -> None:
    arguments = CreatedRangeArguments(created_to="2026-12-01T12:00:00.123Z")
    assert arguments.created_between() == (None, datetime(2026, 12, 1, 12, 0, 0, 124_000, tzinfo=UTC))


@pytest.mark.parametrize("text", ["2026-12-01T12:00:00", "2026-13-01", "yesterday at noon", "9999-12-31"])
def test_what_is_no_date_or_has_no_offset_is_refused(text: str) -> None:
    with pytest.raises(InvalidArguments) as refused:
        CreatedRangeArguments(created_to=text).created_between()
    assert refused.value.problems[0].param == "created_to"
