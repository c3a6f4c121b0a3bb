"""What the issuer keeps, in SQL: clients, grants, codes and refresh tokens, on the connection of one transaction.

Synchronous, because Authlib asks synchronously: the issuer runs it inside `AsyncConnection.run_sync`.
Nothing here belongs to one organization's view; a grant is found by a secret that only its client has.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import sqlalchemy as sa

from tool_service.authorization_server.clients import OAuthClient, Registration
from tool_service.db.account_tables import oauth_clients, oauth_codes, oauth_grants, oauth_refresh_tokens
from tool_service.db.tables import members, people

# Kept for a while after its end, so that using it again is still seen as what it is.
CODES_KEPT = timedelta(days=1)
UNUSED_CLIENTS_KEPT = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Grant:
    """What a person allowed a client: the family of all tokens that come from it."""

    id: UUID
    organization_id: UUID
    person_id: UUID
    kind: str
    client_id: str
    client_name: str
    scopes: frozenset[str]
    audience: str
    expires_at: datetime
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class Code:
    """An authorization code, as Authlib asks about it."""

    grant: Grant
    client_id: str
    redirect_uri: str
    redirect_uri_was_named: bool
    code_challenge: str
    scope: str
    nonce: str | None
    signed_in_at: datetime
    expires_at: datetime
    redeemed_at: datetime | None

    code_challenge_method = "S256"

    def get_redirect_uri(self) -> str | None:
        return self.redirect_uri if self.redirect_uri_was_named else None

    def get_scope(self) -> str:
        return self.scope


@dataclass(frozen=True, slots=True)
class FamilyToken:
    """A token that was found, as far as it matters which family it belongs to."""

    grant: Grant

    def check_client(self, client: OAuthClient) -> bool:
        return self.grant.client_id == client.client_id

    def get_scope(self) -> str:
        return " ".join(sorted(self.grant.scopes))


@dataclass(frozen=True, slots=True)
class RefreshToken(FamilyToken):
    digest: str
    expires_at: datetime
    rotated_at: datetime | None


class Records:
    def __init__(self, connection: sa.Connection, now: datetime) -> None:
        self._connection = connection
        self.now = now

    def client(self, client_id: str) -> OAuthClient | None:
        """The client of that id, which may be any text; None when nobody has it."""
        if "\x00" in client_id:  # PostgreSQL cannot even compare it.
            return None
        row = self._first(sa.select(oauth_clients).where(oauth_clients.c.client_id == client_id))
        return None if row is None else _client(row)

    def keep_client(self, client: OAuthClient) -> None:
        """Add the client, or replace what was known of it; forget registrations that nobody ever used."""
        values = _client_values(client) | {"updated_at": self.now}
        if self.client(client.client_id) is not None:
            self._execute(
                sa.update(oauth_clients).where(oauth_clients.c.client_id == client.client_id).values(**values)
            )
        else:
            self._execute(sa.insert(oauth_clients).values(**values, created_at=self.now))
        used = sa.select(oauth_grants.c.id).where(oauth_grants.c.client_id == oauth_clients.c.client_id)
        self._execute(
            sa.delete(oauth_clients).where(
                oauth_clients.c.registration.in_((Registration.DYNAMIC, Registration.DOCUMENT)),
                oauth_clients.c.created_at < self.now - UNUSED_CLIENTS_KEPT,
                ~used.exists(),
            )
        )

    def add_grant(self, grant: Grant, *, active: bool) -> None:
        """A new family; one that comes from a code counts from the moment when the code is redeemed."""
        values = {name: getattr(grant, name) for name in Grant.__dataclass_fields__} | {"scopes": sorted(grant.scopes)}
        self._execute(
            sa.insert(oauth_grants).values(**values, created_at=self.now, activated_at=self.now if active else None)
        )

    def lock_grant(self, grant_id: UUID) -> Grant:
        """The grant, which nobody else changes until this transaction ends.

        Every change of a family begins here, so two of them never wait for each other in a circle.
        """
        grant = self.find_grant(grant_id)
        assert grant is not None
        return grant

    def find_grant(self, grant_id: UUID) -> Grant | None:
        """The same for an id that somebody typed; None when there is none."""
        row = self._first(sa.select(oauth_grants).where(oauth_grants.c.id == grant_id).with_for_update())
        return None if row is None else _grant(row)

    def grant_of_service(self, client_id: str) -> Grant | None:
        statement = sa.select(oauth_grants).where(
            oauth_grants.c.client_id == client_id,
            oauth_grants.c.kind == "service",
            oauth_grants.c.revoked_at.is_(None),
            oauth_grants.c.expires_at > self.now,
        )
        row = self._first(statement)
        return None if row is None else _grant(row)

    def mark_used(self, grant: Grant) -> None:
        """The family gave a token now."""
        activated = sa.func.coalesce(oauth_grants.c.activated_at, sa.literal(self.now, oauth_grants.c.used_at.type))
        self._update_grant(grant.id, used_at=self.now, activated_at=activated)

    def revoke(self, grant_id: UUID, reason: str) -> bool:
        """Whether it was still good; tokens that came from it are refused everywhere within seconds."""
        statement = sa.update(oauth_grants).where(oauth_grants.c.id == grant_id, oauth_grants.c.revoked_at.is_(None))
        return self._execute(statement.values(revoked_at=self.now, revoked_reason=reason)).rowcount == 1

    def is_active_member(self, grant: Grant) -> bool:
        statement = sa.select(members.c.id).where(
            members.c.organization_id == grant.organization_id,
            members.c.person_id == grant.person_id,
            members.c.status == "active",
        )
        return self._first(statement) is not None

    def person(self, person_id: UUID) -> sa.RowMapping:
        row = self._first(sa.select(people).where(people.c.id == person_id))
        assert row is not None
        return row

    def add_code(self, code_digest: str, code: Code) -> None:
        values = {name: getattr(code, name) for name in Code.__dataclass_fields__ if name != "grant"}
        self._execute(sa.insert(oauth_codes).values(code_digest=code_digest, grant_id=code.grant.id, **values))
        self._execute(sa.delete(oauth_codes).where(oauth_codes.c.expires_at < self.now - CODES_KEPT))

    def lock_code(self, code_digest: str) -> Code | None:
        """The code with its grant locked; None when there is none."""
        of_code = sa.select(oauth_codes).where(oauth_codes.c.code_digest == code_digest)
        row = self._first(of_code)
        if row is None:
            return None
        grant = self.lock_grant(row["grant_id"])
        # Read again: whoever held the lock before may have redeemed it.
        row = self._first(of_code)
        assert row is not None
        return Code(grant=grant, **{name: row[name] for name in Code.__dataclass_fields__ if name != "grant"})

    def mark_redeemed(self, code_digest: str) -> None:
        statement = sa.update(oauth_codes).where(oauth_codes.c.code_digest == code_digest)
        self._execute(statement.values(redeemed_at=self.now))

    def add_refresh_token(self, token: RefreshToken) -> None:
        self._execute(
            sa.insert(oauth_refresh_tokens).values(
                token_digest=token.digest,
                grant_id=token.grant.id,
                created_at=self.now,
                expires_at=token.expires_at,
            )
        )
        self._execute(sa.delete(oauth_refresh_tokens).where(oauth_refresh_tokens.c.expires_at < self.now))

    def lock_refresh_token(self, token_digest: str) -> RefreshToken | None:
        """The token with its grant locked; None when there is none."""
        of_token = sa.select(oauth_refresh_tokens).where(oauth_refresh_tokens.c.token_digest == token_digest)
        row = self._first(of_token)
        if row is None:
            return None
        grant = self.lock_grant(row["grant_id"])
        row = self._first(of_token)
        assert row is not None
        return RefreshToken(grant, token_digest, row["expires_at"], row["rotated_at"])

    def mark_rotated(self, token: RefreshToken) -> None:
        """From now on the grace runs; a second use within it does not prolong it."""
        statement = sa.update(oauth_refresh_tokens).where(
            oauth_refresh_tokens.c.token_digest == token.digest, oauth_refresh_tokens.c.rotated_at.is_(None)
        )
        self._execute(statement.values(rotated_at=self.now))

    def _update_grant(self, grant_id: UUID, **values: Any) -> None:
        self._execute(sa.update(oauth_grants).where(oauth_grants.c.id == grant_id).values(**values))

    def _first(self, statement: sa.Select[Any]) -> sa.RowMapping | None:
        return self._connection.execute(statement).mappings().first()

    def _execute(self, statement: Any) -> sa.CursorResult[Any]:
        return self._connection.execute(statement)


def _client(row: sa.RowMapping) -> OAuthClient:
    values: dict[str, Any] = {name: row[name] for name in OAuthClient.__dataclass_fields__}
    values["registration"] = Registration(values["registration"])
    values["redirect_uris"] = tuple(values["redirect_uris"])
    values["grant_types"] = tuple(values["grant_types"])
    return OAuthClient(**values)


def _client_values(client: OAuthClient) -> dict[str, Any]:
    values: dict[str, Any] = {name: getattr(client, name) for name in OAuthClient.__dataclass_fields__}
    lists: dict[str, Sequence[str]] = {"redirect_uris": client.redirect_uris, "grant_types": client.grant_types}
    return values | {name: list(each) for name, each in lists.items()}


def _grant(row: sa.RowMapping) -> Grant:
    values: dict[str, Any] = {name: row[name] for name in Grant.__dataclass_fields__}
    values["scopes"] = frozenset(values["scopes"])
    return Grant(**values)
