"""Our own pages as a relying party of the issuer (OpenID Connect Core 1.0 3.1, with PKCE of RFC 7636).

Nothing is kept here: what a sign-in needs at its end travels sealed in `state`, and who is signed in travels sealed
in a cookie. So any replica serves any step, and two tabs that sign in at once do not disturb each other.
"""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal
from urllib.parse import urlencode, urlsplit

import structlog

from mcp_frontend.caller import Person, Subject
from mcp_frontend.oauth.claims import BadToken, read_signed, require_issuer_and_time, subject_of
from mcp_frontend.oauth.ports import CodeExchange, CodeRefused, IssuerSource, KeySource, MemberDirectory
from mcp_frontend.ports import Clock, Randomness
from mcp_frontend.sealing import NotSealed, SealingRing, encode

STARTED_SECONDS = 10 * 60
SESSION_SECONDS = 60 * 60
SCOPE = "openid profile email"
_ID_TOKEN_TYPES = ("jwt", "none")
_STATE, _SESSION = "login1", "session1"
_LIMIT_TARGET_CHARACTERS = 500
_log = structlog.get_logger(__name__)

Reason = Literal["sign_in_expired", "sign_in_denied", "sign_in_failed", "not_a_member"]


class SignInRefused(Exception):
    """Nobody was signed in, for a reason that a page can tell."""

    def __init__(self, reason: Reason, email: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.email = email


@dataclass(frozen=True, slots=True)
class SignedIn:
    cookie: str
    """Who it is, sealed, for SESSION_SECONDS."""
    target: str
    """The path at which the sign-in began."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """An active member with a signed-in browser."""

    subject: Subject
    person: Person
    email: str


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """One client of one issuer."""

    issuer: str
    client_id: str
    redirect_uri: str
    source: IssuerSource
    keys: KeySource
    codes: CodeExchange
    members: MemberDirectory
    ring: SealingRing
    clock: Clock
    randomness: Randomness

    async def start(self, target: str, browser: str, language: str) -> str:
        """The URL at which the person signs in; `browser` is a secret of theirs that must come back with the answer.

        Raises:
            IssuerUnavailable: nobody can sign in at the moment.
        """
        metadata = await self.source.metadata()
        verifier = encode(self.randomness.token_bytes(32))
        nonce = encode(self.randomness.token_bytes(16))
        state = {
            "browser": _digest(browser),
            "verifier": verifier,
            "nonce": nonce,
            "target": own_path(target),
            "expires_at": self._now() + STARTED_SECONDS,
        }
        query = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": SCOPE,
            "state": self.ring.seal(_STATE, state),
            "nonce": nonce,
            "code_challenge": _digest(verifier),
            "code_challenge_method": "S256",
            "ui_locales": language,
        }
        joint = "&" if urlsplit(metadata.authorization_url).query else "?"
        return f"{metadata.authorization_url}{joint}{urlencode(query)}"

    async def finish(self, answer: Mapping[str, str], browser: str) -> SignedIn:
        """Who came back from the issuer, with the answer in the query of our redirect URI.

        Raises:
            SignInRefused: see there.
            IssuerUnavailable, MembersUnavailable: it can be tried again.
        """
        state = self._open(_STATE, answer.get("state", ""))
        if state is None or not hmac.compare_digest(state["browser"], _digest(browser)):
            raise SignInRefused("sign_in_expired")
        metadata = await self.source.metadata()
        # RFC 9207 2.4: else another issuer's answer could be taken for this one's.
        said = answer.get("iss")
        if said != self.issuer and (said is not None or metadata.sends_issuer):
            raise self._failed("the answer is of another issuer")
        if "code" not in answer:
            if answer.get("error") == "access_denied":
                raise SignInRefused("sign_in_denied")
            raise self._failed(f"the issuer said {answer.get('error', 'nothing')[:100]}")
        try:
            id_token = await self.codes.redeem(metadata.token_url, answer["code"], state["verifier"])
            claims = await self._verified(id_token, state["nonce"])
            subject = subject_of(claims, self.issuer)
        except (CodeRefused, BadToken) as refused:
            raise self._failed(str(refused)) from refused
        if await self.members.recognize(subject) is None:
            raise SignInRefused("not_a_member", subject.email or "")
        session = {**asdict(subject), "expires_at": self._now() + SESSION_SECONDS}
        return SignedIn(self.ring.seal(_SESSION, session), state["target"])

    async def visitor(self, cookie: str) -> Visitor | None:
        """The member behind a session cookie, as they are now; None when nobody is signed in, or no longer.

        Raises:
            MembersUnavailable: nobody can say at the moment.
        """
        session = self._open(_SESSION, cookie)
        if session is None:
            return None
        subject = Subject(**{name: session[name] for name in Subject.__dataclass_fields__})
        person = await self.members.recognize(subject) if subject.issuer == self.issuer else None
        return None if person is None else Visitor(subject, person, subject.email or "")

    async def _verified(self, id_token: str, nonce: str) -> Mapping[str, Any]:
        """The claims of an ID token that is for us and for this sign-in (OpenID Connect Core 3.1.3.7)."""
        claims = await read_signed(id_token, self.keys, _ID_TOKEN_TYPES)
        require_issuer_and_time(claims, self.issuer, self.clock.now().timestamp())
        audience = claims.get("aud")
        audiences = audience if isinstance(audience, list) else [audience]
        if self.client_id not in audiences or (len(audiences) > 1 and claims.get("azp") != self.client_id):
            raise BadToken("The ID token is for another client.")
        if claims.get("nonce") != nonce:
            raise BadToken("The ID token is of another sign-in.")
        return claims

    def _open(self, label: str, text: str) -> dict[str, Any] | None:
        try:
            opened: dict[str, Any] = self.ring.open(label, text)
        except NotSealed:
            return None
        return opened if self._now() < opened["expires_at"] else None

    def _now(self) -> int:
        return int(self.clock.now().timestamp())

    @staticmethod
    def _failed(why: str) -> SignInRefused:
        _log.warning("sign_in.failed", reason=why)
        return SignInRefused("sign_in_failed")


def own_path(target: str) -> str:
    """The target if it is a path of ours, else the account: nobody is led away from here by a link."""
    # A browser reads a backslash as a slash, and drops tabs and line ends.
    is_ours = target.startswith("/") and not target.startswith("//") and target.isascii() and target.isprintable()
    return target if is_ours and "\\" not in target and len(target) <= _LIMIT_TARGET_CHARACTERS else "/account"


def _digest(text: str) -> str:
    return encode(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
