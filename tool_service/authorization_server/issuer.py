"""The embedded issuer: each of its requests in one transaction, which commits also when it ends in an OAuth error.

An error may have burnt a code or revoked a family, and that must stay.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from authlib.common.urls import add_params_to_uri
from authlib.oauth2 import OAuth2Error
from sqlalchemy.ext.asyncio import AsyncConnection

from tool_service.authorization_server.client_metadata import MetadataRefused, read_metadata
from tool_service.authorization_server.clients import OAuthClient, Registration
from tool_service.authorization_server.grant_audit import grant_created, grant_revoked
from tool_service.authorization_server.ports import ClientDocumentRefused, ClientDocuments
from tool_service.authorization_server.provider import GRANT_LIFETIME, Answer, FormRequest, Provider, Revoked
from tool_service.authorization_server.records import Grant, Records
from tool_service.authorization_server.registration import (
    client_of,
    default_method,
    metadata_of_document,
    registered,
)
from tool_service.authorization_server.tokens import AccessTokens
from tool_service.db.engine import Database
from tool_service.ports import Clock, Ids
from tool_service.repositories.audit import AuditLog
from tool_service.repositories.members import MemberDirectory

T = TypeVar("T")

# A document is asked for again this soon at the earliest, whatever its headers say.
DOCUMENT_FRESH_AT_LEAST = timedelta(minutes=1)
# The front end's own pages: for them the person is not asked, since they learn no more than who it is.
OWN_CLIENT_ID = "kadu-pages"
OWN_REDIRECT_PATH = "/signed-in"
_JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class Consent:
    """What a client asks of a person; nothing has been given yet."""

    client: OAuthClient
    scopes: frozenset[str]
    redirect_uri: str


@dataclass(frozen=True, slots=True)
class Unfit:
    """A request whose answer cannot go back to the client: a person has to be told. The text is plain ASCII."""

    error: str
    description: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """Who allows what, in which organization."""

    person_id: UUID
    organization_id: UUID
    scopes: frozenset[str]
    signed_in_at: datetime


def _error(code: str, description: str) -> Answer:
    return Answer(400, {"error": code, "error_description": description}, _JSON)


class Issuer:
    def __init__(
        self,
        *,
        database: Database,
        tokens: AccessTokens,
        documents: ClientDocuments,
        clock: Clock,
        ids: Ids,
        url: str,
        mcp_resource: str,
        api_audience: str,
    ) -> None:
        self.url = url
        self._database = database
        self._tokens = tokens
        self._documents = documents
        self._clock = clock
        self._ids = ids
        self.mcp_resource = mcp_resource
        self._api_audience = api_audience
        self._own_client = OAuthClient(
            client_id=OWN_CLIENT_ID,
            registration=Registration.OWN,
            name="Kadu",
            redirect_uris=(mcp_resource + OWN_REDIRECT_PATH,),
            grant_types=("authorization_code",),
            authentication_method="none",
            secret_digest=None,
            member_id=None,
            fresh_until=None,
        )

    async def token(self, request: FormRequest) -> Answer:
        """RFC 6749 3.2, for codes, refresh tokens and client credentials."""
        return await self._run(lambda provider: provider.create_token_response(request))

    async def revoke(self, request: FormRequest) -> Answer:
        """RFC 7009."""
        return await self._run(lambda provider: provider.create_endpoint_response("revocation", request))

    async def register(self, said: Any) -> Answer:
        """RFC 7591: a client of that metadata, from now on known by a fresh id."""
        if not isinstance(said, Mapping):
            return _error("invalid_client_metadata", "Send the metadata as a JSON object.")
        try:
            metadata = read_metadata(said, default_method(said))
        except MetadataRefused as refused:
            return _error(refused.code, refused.description)
        secret = None if metadata.authentication_method == "none" else secrets.token_urlsafe(32)
        client = client_of(secrets.token_urlsafe(16), Registration.DYNAMIC, metadata, secret)
        await self._run(lambda provider: provider.records.keep_client(client))
        return Answer(201, registered(client, metadata, secret, self._clock.now()), _JSON)

    async def ask(self, request: FormRequest) -> Consent | Answer | Unfit:
        """What the authorization request wants, or where its fault is answered. Gives nothing."""
        client_id = next(iter(request.values.get("client_id", ())), "")
        if client_id.startswith("https://"):
            try:
                await self._read_document(client_id)
            except ClientDocumentRefused as refused:
                return Unfit("invalid_client", f"The program's metadata document cannot be used: {refused.reason}.")
            except MetadataRefused as refused:
                return Unfit(refused.code, refused.description)
        return await self._run(lambda provider: self._asked(provider, request), write=False)

    async def decide(self, request: FormRequest, allowed: Allowed | None, request_id: str) -> Answer | Unfit:
        """Give the client a code for what the person allowed, or the answer that they did not."""

        def decide(provider: Provider) -> tuple[Answer | Unfit, Grant | None]:
            consent = self._asked(provider, request)
            if not isinstance(consent, Consent):
                return consent, None
            grant = None if allowed is None else self._grant(consent, allowed)
            consenting = provider.get_consent_grant(request)
            return self._with_issuer(
                provider.create_authorization_response(consenting.request, grant_user=grant, grant=consenting)
            ), grant

        async with self._database.begin(write=True) as connection:
            (answer, grant), _ = await self._inside(connection, decide, allowed.signed_in_at if allowed else None)
            if grant is not None:
                member = await MemberDirectory(connection).find_active(grant.organization_id, grant.person_id)
                assert member is not None
                event = grant_created(grant, member, self._ids.new(), self._clock.now(), request_id)
                await AuditLog(connection, grant.organization_id).append(event)
        return answer

    async def take_back(self, person_id: UUID, grant_id: UUID, request_id: str) -> None:
        """Revoke what the person allowed; a grant of somebody else is left alone."""

        def revoke(provider: Provider) -> None:
            grant = provider.records.find_grant(grant_id)
            if grant is not None and grant.person_id == person_id:
                provider.revoke(grant, "revoked_by_person")

        await self._run(revoke, request_id=request_id)

    def _asked(self, provider: Provider, request: FormRequest) -> Consent | Answer | Unfit:
        try:
            consenting = provider.get_consent_grant(request)
        except OAuth2Error as error:
            if not error.redirect_uri:
                return Unfit(error.error, error.get_error_description() or error.error)
            return self._with_issuer(provider.handle_error_response(None, error))
        asked = consenting.request
        return Consent(asked.client, provider.scopes_asked(asked.payload.scope), consenting.redirect_uri)

    def _grant(self, consent: Consent, allowed: Allowed) -> Grant:
        return Grant(
            id=self._ids.new(),
            organization_id=allowed.organization_id,
            person_id=allowed.person_id,
            kind="pages" if consent.client.registration is Registration.OWN else "client",
            client_id=consent.client.client_id,
            client_name=consent.client.name,
            scopes=allowed.scopes & consent.scopes,
            audience=self.mcp_resource,
            expires_at=self._clock.now() + GRANT_LIFETIME,
            revoked_at=None,
        )

    def _with_issuer(self, answer: Answer) -> Answer:
        """RFC 9207: every answer to a client says whose it is, so that no other issuer's is taken for it."""
        if answer.location is None:
            return answer
        location = add_params_to_uri(answer.location, [("iss", self.url)])
        return Answer(answer.status, answer.body, {**answer.headers, "Location": location})

    async def _read_document(self, client_id: str) -> None:
        """Make sure that the client of that URL is known as its document says now (or said a short while ago)."""
        known = await self._run(lambda provider: provider.records.client(client_id), write=False)
        now = self._clock.now()
        if known is not None and (known.fresh_until is None or known.fresh_until > now):
            return
        try:
            document = await self._documents.fetch(client_id)
        except ClientDocumentRefused as refused:
            if known is not None and refused.is_temporary:
                return
            raise
        metadata = metadata_of_document(client_id, document.body)
        fresh = max(timedelta(seconds=document.fresh_seconds), DOCUMENT_FRESH_AT_LEAST)
        client = client_of(client_id, Registration.DOCUMENT, metadata, fresh_until=now + fresh)
        await self._run(lambda provider: provider.records.keep_client(client))

    async def _run(self, work: Callable[[Provider], T], *, write: bool = True, request_id: str = "issuer") -> T:
        async with self._database.begin(write=write) as connection:
            result, revoked = await self._inside(connection, work)
            for each in revoked:
                member = await MemberDirectory(connection).find_active(each.grant.organization_id, each.grant.person_id)
                event = grant_revoked(each, member, self._ids.new(), self._clock.now(), request_id)
                await AuditLog(connection, each.grant.organization_id).append(event)
        return result

    async def _inside(
        self, connection: AsyncConnection, work: Callable[[Provider], T], signed_in_at: datetime | None = None
    ) -> tuple[T, list[Revoked]]:
        def inside(sync: Any) -> tuple[T, list[Revoked]]:
            provider = Provider(
                Records(sync, self._clock.now()),
                self._tokens,
                mcp_resource=self.mcp_resource,
                api_audience=self._api_audience,
                own_client=self._own_client,
                signed_in_at=signed_in_at,
            )
            return work(provider), provider.revoked

        return await connection.run_sync(inside)
