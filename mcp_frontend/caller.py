"""Who is behind a request: what the access token proves, and whom we know by it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Subject:
    """Of whom an issuer's token speaks, before anybody has said who that is here."""

    issuer: str
    subject: str
    organization_id: str | None
    """Only our own issuer knows it."""
    grant_id: str | None
    """What the person allowed the client; only our own issuer keeps that."""
    email: str | None
    email_verified: bool


@dataclass(frozen=True, slots=True)
class Person:
    """The active member behind a subject, as the tool service knows them now."""

    person_id: str
    organization_id: str
    name: str
    role: str
    organization_name: str
    language: str
    """pt-BR or en."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A member with a verified access token. The token itself is not kept: it never crosses to the tool service.

    issuer, subject, client_id and organization_id together are the principal.
    """

    issuer: str
    subject: str
    """Id of the person."""
    organization_id: str
    client_id: str
    client_name: str | None
    scopes: frozenset[str]
    token_id: str
    expires_at: int
    """Unix seconds."""
    grant_id: str | None = None
