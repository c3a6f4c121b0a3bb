"""What operators do to accounts from outside of any session: each deed one transaction, and on record."""

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.authorization_server.accounts import normalized_email
from tool_service.authorization_server.clients import OAuthClient, Registration, digest
from tool_service.authorization_server.grant_audit import OPERATOR_REVOKED, grant_revoked
from tool_service.authorization_server.member_audit import done_by_operator
from tool_service.authorization_server.passwords import Passwords, PasswordUnfit
from tool_service.authorization_server.provider import Revoked
from tool_service.authorization_server.records import Grant, Records
from tool_service.authorization_server.tokens import AccessTokens
from tool_service.db.account_tables import oauth_grants, passwords, sign_in_sessions
from tool_service.db.engine import Database
from tool_service.db.tables import members, organizations, people
from tool_service.domain.audit import Change
from tool_service.domain.caller import Role
from tool_service.domain.organizations import MemberStatus
from tool_service.domain.scopes import ALIASES, ALL, expand
from tool_service.domain.third_party_text import harmless_line
from tool_service.ports import Clock, Ids
from tool_service.repositories.audit import AuditLog

REQUEST_ID = "command-line"
SERVICE_LIFETIME = timedelta(days=10 * 365)
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


class CannotBeDone(Exception):
    """The message is one sentence for the operator. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class MadeService:
    client_id: str
    secret: str
    """Kept nowhere; whoever loses it makes another service."""


@dataclass(frozen=True, slots=True)
class GrantLine:
    id: UUID
    kind: str
    email: str
    client_name: str
    used_at: datetime | None
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Administration:
    database: Database
    clock: Clock
    ids: Ids
    passwords: Passwords
    tokens: AccessTokens
    api_audience: str

    async def create_organization(self, name: str, document_number: str, *, is_sandbox: bool) -> UUID:
        """Raises: CannotBeDone."""
        digits = re.sub(r"[.\-/\s]", "", document_number)
        if not re.fullmatch(r"[0-9A-Z]{12}[0-9]{2}|[0-9]{11}", digits):
            raise CannotBeDone("The document number must be a CNPJ (14 characters) or a CPF (11 digits).")
        organization_id = self.ids.new()
        row = {
            "id": organization_id,
            "name": _name(name),
            "document_number": digits,
            "environment": "sandbox" if is_sandbox else "production",
            "status": "active",
            "locale": "pt-BR",
            "timezone": "America/Sao_Paulo",
            "plan_name": "standard",
            **self._stamps(),
        }
        async with self.database.begin(write=True) as connection:
            await connection.execute(sa.insert(organizations).values(row))
            await self._record(connection, organization_id, "organization_created", "organization", organization_id)
        return organization_id

    async def create_member(self, organization: str, email: str, name: str, role: Role, *, is_invited: bool) -> UUID:
        """Raises: CannotBeDone."""
        email = normalized_email(email)
        if not _EMAIL.fullmatch(email):
            raise CannotBeDone(f"{email!r} is no e-mail.")
        async with self.database.begin(write=True) as connection:
            organization_id = await self._organization(connection, organization)
            person_id = await self._person(connection, email)
            if person_id is None:
                person_id = await self._add_person(connection, email, _name(name), "person")
            known = sa.select(members.c.id).where(
                members.c.organization_id == organization_id, members.c.person_id == person_id
            )
            if (await connection.execute(known)).first() is not None:
                raise CannotBeDone(f"{email} is a member of that company already.")
            status = MemberStatus.INVITED if is_invited else MemberStatus.ACTIVE
            return await self._add_member(connection, organization_id, person_id, role, status)

    async def set_password(self, email: str, password: str) -> None:
        """Raises: CannotBeDone."""
        try:
            kept = await self.passwords.hash(password)
        except PasswordUnfit as unfit:
            raise CannotBeDone(str(unfit)) from None
        async with self.database.begin(write=True) as connection:
            person_id = await self._person(connection, normalized_email(email))
            if person_id is None:
                raise CannotBeDone(f"Nobody has the e-mail {email}.")
            now = self.clock.now()
            await connection.execute(sa.delete(passwords).where(passwords.c.person_id == person_id))
            row = {"person_id": person_id, "hash": kept, "updated_at": now}
            await connection.execute(sa.insert(passwords).values(row))
            ended = sa.update(sign_in_sessions).where(
                sign_in_sessions.c.person_id == person_id, sign_in_sessions.c.ended_at.is_(None)
            )
            await connection.execute(ended.values(ended_at=now))
            memberships = sa.select(members.c.id, members.c.organization_id).where(members.c.person_id == person_id)
            for member_id, organization_id in (await connection.execute(memberships)).all():
                await self._record(connection, organization_id, "password_set", "member", member_id)

    async def create_personal_token(
        self, organization: str, email: str, name: str, scopes: frozenset[str], days: int
    ) -> str:
        """A token for /api/v1 that is good while its grant is and the person is a member. Raises: CannotBeDone."""
        async with self.database.begin(write=True) as connection:
            organization_id = await self._organization(connection, organization)
            person_id = await self._person(connection, normalized_email(email))
            grant = self._grant(
                kind="personal",
                organization_id=organization_id,
                person_id=person_id or UUID(int=0),
                client_id="personal-token",
                client_name=_name(name, 100),
                scopes=_scopes(scopes),
                lifetime=timedelta(days=days),
            )
            if not await connection.run_sync(lambda sync: self._records(sync).is_active_member(grant)):
                raise CannotBeDone(f"{email} is no active member of that company.")
            await self._add_grant(connection, grant)
        return self.tokens.mint(
            person_id=grant.person_id,
            organization_id=organization_id,
            audience=self.api_audience,
            client_id=grant.client_id,
            client_name=grant.client_name,
            scopes=grant.scopes,
            lifetime=timedelta(days=days),
            grant_id=grant.id,
        )

    async def create_service(self, organization: str, name: str, role: Role, scopes: frozenset[str]) -> MadeService:
        """A member of its own, with a client that signs in as it. Raises: CannotBeDone."""
        if not Role.MANAGER.includes(role):
            raise CannotBeDone("A service is at most a manager.")
        made = MadeService(f"service-{secrets.token_hex(8)}", secrets.token_urlsafe(32))
        name, scopes = _name(name, 100), _scopes(scopes)
        async with self.database.begin(write=True) as connection:
            organization_id = await self._organization(connection, organization)
            # A name below .invalid (RFC 2606 2) is nobody's, so no e-mail is ever sent there and nobody signs in by it.
            email = f"{made.client_id}@services.invalid"
            person_id = await self._add_person(connection, email, name, "service")
            member_id = await self._add_member(connection, organization_id, person_id, role, MemberStatus.ACTIVE)
            client = OAuthClient(
                client_id=made.client_id,
                registration=Registration.SERVICE,
                name=name,
                redirect_uris=(),
                grant_types=("client_credentials",),
                authentication_method="client_secret_basic",
                secret_digest=digest(made.secret),
                member_id=member_id,
                fresh_until=None,
            )
            await connection.run_sync(lambda sync: self._records(sync).keep_client(client))
            grant = self._grant(
                kind="service",
                organization_id=organization_id,
                person_id=person_id,
                client_id=made.client_id,
                client_name=name,
                scopes=scopes,
                lifetime=SERVICE_LIFETIME,
            )
            await self._add_grant(connection, grant)
        return made

    async def grants(self, email: str = "") -> Sequence[GrantLine]:
        """What holds now, youngest first; of one person, or of everybody."""
        columns = [
            people.c.email if name == "email" else oauth_grants.c[name] for name in GrantLine.__dataclass_fields__
        ]
        statement = (
            sa.select(*columns)
            .join(people, people.c.id == oauth_grants.c.person_id)
            .where(
                oauth_grants.c.activated_at.is_not(None),
                oauth_grants.c.revoked_at.is_(None),
                oauth_grants.c.expires_at > self.clock.now(),
            )
            .order_by(oauth_grants.c.created_at.desc(), oauth_grants.c.id)
        )
        if email:
            statement = statement.where(people.c.email == normalized_email(email))
        async with self.database.begin(write=False) as connection:
            rows = (await connection.execute(statement)).mappings()
            return [GrantLine(*(row[name] for name in GrantLine.__dataclass_fields__)) for row in rows]

    async def revoke(self, grant_id: UUID) -> None:
        """Raises: CannotBeDone."""
        async with self.database.begin(write=True) as connection:
            grant = await connection.run_sync(lambda sync: self._records(sync).find_grant(grant_id))
            if grant is None:
                raise CannotBeDone(f"There is no grant {grant_id}.")
            if not await connection.run_sync(lambda sync: self._records(sync).revoke(grant_id, OPERATOR_REVOKED)):
                raise CannotBeDone(f"The grant {grant_id} was revoked before.")
            revoked = Revoked(grant, OPERATOR_REVOKED)
            event = grant_revoked(revoked, None, self.ids.new(), self.clock.now(), REQUEST_ID)
            await AuditLog(connection, grant.organization_id).append(event)

    def _records(self, sync: sa.Connection) -> Records:
        return Records(sync, self.clock.now())

    def _stamps(self) -> dict[str, datetime]:
        return {"created_at": self.clock.now(), "updated_at": self.clock.now()}

    def _grant(self, *, lifetime: timedelta, **values: Any) -> Grant:
        return Grant(
            id=self.ids.new(),
            audience=self.api_audience,
            expires_at=self.clock.now() + lifetime,
            revoked_at=None,
            **values,
        )

    async def _add_grant(self, connection: AsyncConnection, grant: Grant) -> None:
        await connection.run_sync(lambda sync: self._records(sync).add_grant(grant, active=True))
        changes = (Change("kind", None, grant.kind), Change("scopes", None, sorted(grant.scopes)))
        await self._record(
            connection,
            grant.organization_id,
            "oauth_grant_created",
            "oauth_grant",
            grant.id,
            changes,
            client_name=grant.client_name,
        )

    async def _organization(self, connection: AsyncConnection, named: str) -> UUID:
        statement = sa.select(organizations.c.id).limit(2)
        if named:
            statement = statement.where(sa.or_(organizations.c.name == named, organizations.c.id == _id(named)))
        found = (await connection.execute(statement)).scalars().all()
        match found:
            case [organization_id]:
                return organization_id
            case [] if not named:
                raise CannotBeDone("There is no company yet; first: python -m tool_service organization create")
            case []:
                raise CannotBeDone(f"There is no company {named!r}.")
            case _:
                raise CannotBeDone("There are several such companies; name one by its id with --organization.")

    async def _person(self, connection: AsyncConnection, email: str) -> UUID | None:
        statement = sa.select(people.c.id).where(people.c.email == email, people.c.kind == "person")
        return (await connection.execute(statement)).scalar()

    async def _add_person(self, connection: AsyncConnection, email: str, name: str, kind: str) -> UUID:
        person_id = self.ids.new()
        row = {"id": person_id, "email": email, "name": name, "kind": kind, "locale": None, "timezone": None}
        await connection.execute(sa.insert(people).values(row | self._stamps()))
        return person_id

    async def _add_member(
        self, connection: AsyncConnection, organization_id: UUID, person_id: UUID, role: Role, status: MemberStatus
    ) -> UUID:
        member_id = self.ids.new()
        row = {
            "id": member_id,
            "organization_id": organization_id,
            "person_id": person_id,
            "role": role.value,
            "status": status.value,
        }
        await connection.execute(sa.insert(members).values(row | self._stamps()))
        changes = (Change("role", None, role.value), Change("status", None, status.value))
        await self._record(connection, organization_id, "member_created", "member", member_id, changes)
        return member_id

    async def _record(
        self,
        connection: AsyncConnection,
        organization_id: UUID,
        action: str,
        resource_type: str,
        resource_id: UUID,
        changes: tuple[Change, ...] = (),
        client_name: str | None = None,
    ) -> None:
        event = done_by_operator(
            action, resource_type, resource_id, changes, self.ids.new(), self.clock.now(), REQUEST_ID, client_name
        )
        await AuditLog(connection, organization_id).append(event)


def _name(text: str, length: int = 200) -> str:
    if not (name := harmless_line(text, length)):
        raise CannotBeDone("The name must not be empty.")
    return name


def _scopes(named: frozenset[str]) -> frozenset[str]:
    if unknown := named - ALL - ALIASES.keys():
        raise CannotBeDone(f"There is no scope {', '.join(sorted(unknown))}.")
    if not named:
        raise CannotBeDone("Name at least one scope.")
    return expand(named)


def _id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
