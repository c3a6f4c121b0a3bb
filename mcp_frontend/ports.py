"""What several rooms need from outside: the time and randomness. Ports of one room live in that room."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    def now(self) -> datetime:
        """The present moment, UTC, aware."""
        ...


class Randomness(Protocol):
    def token_bytes(self, size: int) -> bytes:
        """`size` bytes that nobody can guess."""
        ...
