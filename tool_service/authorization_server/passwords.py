"""Passwords by argon2id. Hashing takes a core for a while and 64 MiB, so it runs in threads, a few at a time."""

import asyncio
import unicodedata

from pwdlib import PasswordHash
from pwdlib.exceptions import PwdlibError
from pwdlib.hashers.argon2 import Argon2Hasher

MINIMUM_CHARACTERS = 12
LIMIT_CHARACTERS = 200
AT_ONCE = 2


class PasswordUnfit(ValueError):
    """The message says what is asked of a password."""


class Passwords:
    def __init__(self, hasher: Argon2Hasher | None = None) -> None:
        """The library's default cost, which RFC 9106 4 names second; tests bring a cheaper hasher."""
        self._hashing = PasswordHash((hasher or Argon2Hasher(),))
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._nobodys: str | None = None

    async def hash(self, password: str) -> str:
        """What to keep of a new password.

        Raises:
            PasswordUnfit: see there.
        """
        if not MINIMUM_CHARACTERS <= len(password) <= LIMIT_CHARACTERS:
            raise PasswordUnfit(f"A password has {MINIMUM_CHARACTERS} to {LIMIT_CHARACTERS} characters.")
        async with self._turns:
            return await asyncio.to_thread(self._hashing.hash, _unified(password))

    async def verify(self, password: str, kept: str | None) -> bool:
        """Whether it is the password; without one to compare with it takes as long, and is not."""
        if len(password) > LIMIT_CHARACTERS:
            return False
        if self._nobodys is None:
            self._nobodys = await self.hash("nobody's password")
        async with self._turns:
            same = await asyncio.to_thread(self._verify, password, kept or self._nobodys)
        return same and kept is not None

    def _verify(self, password: str, kept: str) -> bool:
        try:
            return self._hashing.verify(_unified(password), kept)
        except PwdlibError:
            return False


def _unified(password: str) -> str:
    # Keyboards differ in how they spell one accented letter (RFC 8265 4.2).
    return unicodedata.normalize("NFC", password)
