"""People at the issuer: signing in, their sessions, their memberships, and what they allowed to whom."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.authorization_server.clients import digest
from tool_service.authorization_server.passwords import Passwords
from tool_service.db.account_tables import oauth_grants, passwords, sign_in_failures, sign_in_sessions
from tool_service.db.engine import Database
from tool_service.db.tables import members, organizations, people
from tool_service.domain.caller import Role
from tool_service.domain.third_party_text import harmless_line
from tool_service.ports import Clock, Ids

SESSION_LIFETIME = timedelta(hours=12)
FAILURES_LIMIT = 10
FAILURES_WINDOW = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Session:
    """One browser in which a person is signed in."""

    id: UUID
    person_id: UUID
    name: str
    email: str
    browser: str
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class SignedIn:
    """`secret` goes into the browser's cookie and is kept nowhere else."""

    secret: str


@dataclass(frozen=True, slots=True)
class WrongCredentials:
    """Nobody has that e-mail, or the password is another: which of the two, we do not tell."""


@dataclass(frozen=True, slots=True)
class TooManyFailures:
    retry_after_seconds: int


@dataclass(frozen=True, slots=True)
class Membership:
    organization_id: UUID
    organization_name: str
    role: Role


@dataclass(frozen=True, slots=True)
class Connection:
    """A client that a person lets act for them, or a token that they made for a program."""

    id: UUID
    kind: str
    client_id: str
    client_name: str
    organization_name: str
    scopes: frozenset[str]
    created_at: datetime
    used_at: datetime | None
    expires_at: datetime


class Accounts:
    def __init__(self, database: Database, clock: Clock, ids: Ids, passwords: Passwords) -> None:
        self._database = database
        self._clock = clock
        self._ids = ids
        self._passwords = passwords

    async def sign_in(self, email: str, password: str, browser: str) -> SignedIn | WrongCredentials | TooManyFailures:
        """A fresh session for the person of that e-mail and password. Raises: DatabaseUnavailable."""
        email = normalized_email(email)
        async with self._database.begin(write=False) as connection:
            if (limited := await self._limited(connection, email)) is not None:
                return limited
            person = await _person_with_password(connection, email)
        # Outside of every transaction: it takes a good part of a second.
        is_theirs = await self._passwords.verify(password, None if person is None else person["hash"])
        now = self._clock.now()
        async with self._database.begin(write=True) as connection:
            if person is None or not is_theirs:
                await self._count_failure(connection, email)
                return WrongCredentials()
            secret = secrets.token_urlsafe(32)
            await connection.execute(
                sa.insert(sign_in_sessions).values(
                    id=self._ids.new(),
                    secret_digest=digest(secret),
                    person_id=person["id"],
                    browser=harmless_line(browser, 200) or "?",
                    created_at=now,
                    expires_at=now + SESSION_LIFETIME,
                )
            )
            await connection.execute(sa.delete(sign_in_failures).where(_of_email(email)))
            await connection.execute(sa.delete(sign_in_sessions).where(sign_in_sessions.c.expires_at < now))
        return SignedIn(secret)

    async def session(self, secret: str) -> Session | None:
        """The session whose cookie it is, while it lasts."""
        if not secret:
            return None
        statement = _sessions().where(sign_in_sessions.c.secret_digest == digest(secret), self._alive())
        async with self._database.begin(write=False) as connection:
            row = (await connection.execute(statement)).mappings().first()
        return None if row is None else _session(row)

    async def sessions(self, person_id: UUID) -> Sequence[Session]:
        """Every browser in which the person is signed in, youngest first."""
        statement = _sessions().where(sign_in_sessions.c.person_id == person_id, self._alive())
        async with self._database.begin(write=False) as connection:
            rows = await connection.execute(statement.order_by(sign_in_sessions.c.created_at.desc()))
            return [_session(row) for row in rows.mappings()]

    async def end_session(self, person_id: UUID, session_id: UUID) -> None:
        """Sign the person out of one browser; a session of somebody else is left alone."""
        ended = sa.update(sign_in_sessions).where(
            sign_in_sessions.c.id == session_id, sign_in_sessions.c.person_id == person_id
        )
        async with self._database.begin(write=True) as connection:
            await connection.execute(ended.values(ended_at=self._clock.now()))

    async def memberships(self, person_id: UUID) -> Sequence[Membership]:
        """Where the person is an active member, by name."""
        statement = (
            sa.select(organizations.c.id, organizations.c.name, members.c.role)
            .join(organizations, organizations.c.id == members.c.organization_id)
            .where(members.c.person_id == person_id, members.c.status == "active")
            .order_by(organizations.c.name)
        )
        async with self._database.begin(write=False) as connection:
            rows = (await connection.execute(statement)).all()
        return [Membership(row[0], row[1], Role(row[2])) for row in rows]

    async def connections(self, person_id: UUID) -> Sequence[Connection]:
        """What the person allowed and did not take back, youngest first."""
        columns = [oauth_grants.c[name] for name in Connection.__dataclass_fields__ if name != "organization_name"]
        statement = (
            sa.select(*columns, organizations.c.name.label("organization_name"))
            .join(organizations, organizations.c.id == oauth_grants.c.organization_id)
            .where(
                oauth_grants.c.person_id == person_id,
                oauth_grants.c.kind != "pages",
                oauth_grants.c.activated_at.is_not(None),
                oauth_grants.c.revoked_at.is_(None),
                oauth_grants.c.expires_at > self._clock.now(),
            )
            .order_by(oauth_grants.c.created_at.desc())
        )
        async with self._database.begin(write=False) as connection:
            rows = await connection.execute(statement)
            return [_connection(row) for row in rows.mappings()]

    def _alive(self) -> sa.ColumnElement[bool]:
        return sign_in_sessions.c.ended_at.is_(None) & (sign_in_sessions.c.expires_at > self._clock.now())

    async def _limited(self, connection: AsyncConnection, email: str) -> TooManyFailures | None:
        row = (await connection.execute(sa.select(sign_in_failures).where(_of_email(email)))).mappings().first()
        if row is None or row["failures"] < FAILURES_LIMIT:
            return None
        left = (row["window_ends_at"] - self._clock.now()).total_seconds()
        return TooManyFailures(int(left) + 1) if left > 0 else None

    async def _count_failure(self, connection: AsyncConnection, email: str) -> None:
        now = self._clock.now()
        await connection.execute(sa.delete(sign_in_failures).where(sign_in_failures.c.window_ends_at <= now))
        values = {"email_digest": digest(email), "failures": 0, "window_ends_at": now + FAILURES_WINDOW}
        try:
            async with connection.begin_nested():
                await connection.execute(sa.insert(sign_in_failures).values(values))
        except sa.exc.IntegrityError:
            pass  # Not the first of this window.
        counted = sa.update(sign_in_failures).where(_of_email(email))
        await connection.execute(counted.values(failures=sign_in_failures.c.failures + 1))


def normalized_email(text: str) -> str:
    """The one spelling of an e-mail under which a person is kept."""
    return harmless_line(text, 254).lower()


async def _person_with_password(connection: AsyncConnection, email: str) -> Any:
    statement = (
        sa.select(people.c.id, passwords.c.hash)
        .join(passwords, passwords.c.person_id == people.c.id)
        .where(people.c.email == email)
    )
    return (await connection.execute(statement)).mappings().first()


def _sessions() -> Any:
    of_person = ("name", "email")
    columns = [(people if name in of_person else sign_in_sessions).c[name] for name in Session.__dataclass_fields__]
    return sa.select(*columns).join(people, people.c.id == sign_in_sessions.c.person_id)


def _of_email(email: str) -> sa.ColumnElement[bool]:
    return sign_in_failures.c.email_digest == digest(email)


def _session(row: sa.RowMapping) -> Session:
    values: dict[str, Any] = dict(row)
    return Session(**values)


def _connection(row: sa.RowMapping) -> Connection:
    values: dict[str, Any] = dict(row)
    values["scopes"] = frozenset(values["scopes"])
    return Connection(**values)
