"""The clock and the source of ids of the machine that we run on."""

from datetime import UTC, datetime
from threading import Lock
from uuid import UUID

from uuid_utils.compat import uuid7


class SystemClock:
    """ports.Clock: the machine's time."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class UuidV7:
    """ports.Ids: RFC 9562 version 7; each id of one process is greater than the one before."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._last = 0

    def new(self) -> UUID:
        with self._lock:
            # A clock set back would otherwise break the order that lists and cursors rely on.
            self._last = max(uuid7().int, self._last + 1)
            return UUID(int=self._last)
