"""The tables of accounts: how people prove who they are, and what they let programs do."""

import sqlalchemy as sa

from tool_service.db.columns import (
    Json,
    UtcDateTime,
    created_column,
    id_column,
    metadata,
    organization_column,
    updated_column,
)

passwords = sa.Table(
    "passwords",
    metadata,
    sa.Column("person_id", sa.ForeignKey("people.id"), primary_key=True),
    sa.Column("hash", sa.String(255), nullable=False),
    updated_column(),
)

# How often signing in failed, by a digest of the e-mail that was typed, whether or not anybody has it.
sign_in_failures = sa.Table(
    "sign_in_failures",
    metadata,
    sa.Column("email_digest", sa.String(64), primary_key=True),
    sa.Column("failures", sa.Integer, nullable=False),
    sa.Column("window_ends_at", UtcDateTime, nullable=False),
)

sign_in_sessions = sa.Table(
    "sign_in_sessions",
    metadata,
    id_column(),
    sa.Column("secret_digest", sa.String(64), nullable=False, unique=True),
    sa.Column("person_id", sa.ForeignKey("people.id"), nullable=False),
    sa.Column("browser", sa.String(200), nullable=False),
    sa.Column("expires_at", UtcDateTime, nullable=False),
    sa.Column("ended_at", UtcDateTime),
    created_column(),
    sa.Index("ix_sign_in_sessions_person_id", "person_id"),
)

# Who a subject of another issuer is here: bound at the first sign-in, to one member.
bound_subjects = sa.Table(
    "bound_subjects",
    metadata,
    sa.Column("issuer", sa.String(500), primary_key=True),
    sa.Column("subject", sa.String(255), primary_key=True),
    sa.Column("member_id", sa.ForeignKey("members.id"), nullable=False),
    created_column(),
    sa.UniqueConstraint("issuer", "member_id"),
)

oauth_clients = sa.Table(
    "oauth_clients",
    metadata,
    sa.Column("client_id", sa.String(1000), primary_key=True),
    sa.Column("registration", sa.String(10), nullable=False),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("redirect_uris", Json, nullable=False),
    sa.Column("grant_types", Json, nullable=False),
    sa.Column("authentication_method", sa.String(30), nullable=False),
    sa.Column("secret_digest", sa.String(64)),
    # Set for a service: the member as whom it acts.
    sa.Column("member_id", sa.ForeignKey("members.id")),
    # Set for a metadata document: until when our copy is fresh.
    sa.Column("fresh_until", UtcDateTime),
    created_column(),
    updated_column(),
    sa.Index("ix_oauth_clients_registration_created_at", "registration", "created_at"),
)

# One row per consent: the family of every code, refresh token and access token that come from it.
oauth_grants = sa.Table(
    "oauth_grants",
    metadata,
    id_column(),
    organization_column(),
    sa.Column("person_id", sa.ForeignKey("people.id"), nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("client_id", sa.String(1000), nullable=False),
    sa.Column("client_name", sa.String(200), nullable=False),
    sa.Column("scopes", Json, nullable=False),
    sa.Column("audience", sa.String(500), nullable=False),
    sa.Column("activated_at", UtcDateTime),
    sa.Column("used_at", UtcDateTime),
    sa.Column("expires_at", UtcDateTime, nullable=False),
    sa.Column("revoked_at", UtcDateTime),
    sa.Column("revoked_reason", sa.String(40)),
    created_column(),
    sa.Index("ix_oauth_grants_organization_id_person_id", "organization_id", "person_id"),
    sa.Index("ix_oauth_grants_client_id", "client_id"),
)

oauth_codes = sa.Table(
    "oauth_codes",
    metadata,
    sa.Column("code_digest", sa.String(64), primary_key=True),
    sa.Column("grant_id", sa.ForeignKey("oauth_grants.id"), nullable=False),
    sa.Column("client_id", sa.String(1000), nullable=False),
    sa.Column("redirect_uri", sa.String(2000), nullable=False),
    sa.Column("redirect_uri_was_named", sa.Boolean, nullable=False),
    sa.Column("code_challenge", sa.String(128), nullable=False),
    sa.Column("scope", sa.String(1000), nullable=False),
    sa.Column("nonce", sa.String(255)),
    sa.Column("signed_in_at", UtcDateTime, nullable=False),
    sa.Column("expires_at", UtcDateTime, nullable=False),
    sa.Column("redeemed_at", UtcDateTime),
    sa.Index("ix_oauth_codes_expires_at", "expires_at"),
)

oauth_refresh_tokens = sa.Table(
    "oauth_refresh_tokens",
    metadata,
    sa.Column("token_digest", sa.String(64), primary_key=True),
    sa.Column("grant_id", sa.ForeignKey("oauth_grants.id"), nullable=False),
    sa.Column("expires_at", UtcDateTime, nullable=False),
    sa.Column("rotated_at", UtcDateTime),
    created_column(),
    sa.Index("ix_oauth_refresh_tokens_grant_id", "grant_id"),
    sa.Index("ix_oauth_refresh_tokens_expires_at", "expires_at"),
)
