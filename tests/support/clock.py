"""Time and ids that a test owns."""

from datetime import UTC, datetime, timedelta
from itertools import count
from uuid import UUID

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


class FakeClock:
    """ports.Clock: stands still until the test moves it."""

    def __init__(self, now: datetime = NOON) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def advance(self, by: timedelta) -> None:
        self._now += by


class FakeIds:
    """ports.Ids: well-formed UUIDs of version 7 that count up from 1; `fake_id(n)` is the n-th."""

    def __init__(self, first: int = 1) -> None:
        self._numbers = count(first)

    def new(self) -> UUID:
        return fake_id(next(self._numbers))


def fake_id(number: int) -> UUID:
    return UUID(int=(0x019A << 112) | (0x7 << 76) | (0x8 << 60) | number)
