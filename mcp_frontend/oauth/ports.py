"""What verifying a token and knowing its person need from outside."""

from dataclasses import dataclass
from typing import Protocol

from joserfc.jwk import ECKey, OKPKey, RSAKey

from mcp_frontend.caller import Person, Subject


class IssuerUnavailable(Exception):
    """The issuer was never read, and cannot be read; that says nothing about a token."""

    def __init__(self, retry_after_seconds: int = 2) -> None:
        super().__init__(f"the issuer is unavailable, retry after {retry_after_seconds} s")
        self.retry_after_seconds = retry_after_seconds


class MembersUnavailable(Exception):
    """Nobody can say at the moment whom a subject stands for; the same question may succeed later."""

    def __init__(self, retry_after_seconds: int = 1) -> None:
        super().__init__(f"members are unavailable, retry after {retry_after_seconds} s")
        self.retry_after_seconds = retry_after_seconds


@dataclass(frozen=True, slots=True)
class VerifyingKey:
    """A public key and the algorithms for which it may be used."""

    key: ECKey | RSAKey | OKPKey
    algorithms: frozenset[str]


class KeySource(Protocol):
    async def find(self, key_id: str) -> VerifyingKey | None:
        """The issuer's signature key with that id, or None when the issuer has no such key.

        Raises:
            IssuerUnavailable: see there.
        """
        ...


@dataclass(frozen=True, slots=True)
class IssuerMetadata:
    """Where the issuer does what. What browsers open is as the issuer says it; the rest as this process reaches it."""

    document: bytes
    """The whole document, as it came."""
    authorization_url: str
    token_url: str
    keys_url: str
    end_session_url: str | None
    account_url: str | None
    """Where people take back what they allowed, if the issuer has a page for it."""
    sends_issuer: bool
    """Whether its answers name it (RFC 9207)."""


class IssuerSource(Protocol):
    async def metadata(self) -> IssuerMetadata:
        """Raises: IssuerUnavailable."""
        ...


class CodeRefused(Exception):
    """The issuer gave no ID token for the code; the message says why and quotes neither."""


class CodeExchange(Protocol):
    async def redeem(self, token_url: str, code: str, verifier: str) -> str:
        """The ID token for an authorization code that our own pages got, not yet verified.

        Raises:
            CodeRefused: see there.
            IssuerUnavailable: it did not answer; the code may be used up.
        """
        ...


class MemberDirectory(Protocol):
    async def recognize(self, subject: Subject) -> Person | None:
        """The active member behind the subject now; None when nobody is, or the access was taken back.

        Raises:
            MembersUnavailable: see there.
        """
        ...
