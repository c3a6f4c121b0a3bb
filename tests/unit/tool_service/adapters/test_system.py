"""The machine's clock and ids."""

from datetime import UTC, datetime, timedelta

from tool_service.adapters.system import SystemClock, UuidV7


def test_the_clock_tells_the_time_in_utc() -> None:
    before = datetime.now(UTC)
    now = SystemClock().now()
    assert now.utcoffset() == timedelta(0)
    assert before <= now <= datetime.now(UTC)


def test_ids_are_version_7_and_grow_even_within_one_millisecond() -> None:
    ids = UuidV7()
    made = [ids.new() for _ in range(2000)]
    assert {(each.version, each.variant) for each in made} == {(7, "specified in RFC 4122")}
    assert made == sorted(set(made))


def test_an_id_begins_with_the_milliseconds_of_its_making() -> None:
    before = datetime.now(UTC)
    milliseconds = UuidV7().new().int >> 80
    assert int(before.timestamp() * 1000) <= milliseconds <= datetime.now(UTC).timestamp() * 1000
