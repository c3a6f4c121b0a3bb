"""Every table. A row that belongs to an organization has `organization_id`; repositories never see it."""

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine.interfaces import Dialect

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Json = sa.JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


class UtcDateTime(sa.types.TypeDecorator[datetime]):
    """An aware datetime in UTC on both engines; a naive one is refused, not guessed."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("naive datetime")
        return value.astimezone(UTC)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _id() -> sa.Column[Any]:
    return sa.Column("id", sa.Uuid, primary_key=True)


def _organization() -> sa.Column[Any]:
    return sa.Column("organization_id", sa.ForeignKey("organizations.id"), nullable=False)


def _created() -> sa.Column[Any]:
    return sa.Column("created_at", UtcDateTime, nullable=False)


def _updated() -> sa.Column[Any]:
    return sa.Column("updated_at", UtcDateTime, nullable=False)


organizations = sa.Table(
    "organizations",
    metadata,
    _id(),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("document_number", sa.String(20), nullable=False),
    sa.Column("environment", sa.String(20), nullable=False),
    sa.Column("status", sa.String(20), nullable=False),
    sa.Column("locale", sa.String(10), nullable=False),
    sa.Column("timezone", sa.String(64), nullable=False),
    sa.Column("plan_name", sa.String(50), nullable=False),
    _created(),
    _updated(),
)

people = sa.Table(
    "people",
    metadata,
    _id(),
    sa.Column("email", sa.String(254), nullable=False, unique=True),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("locale", sa.String(10)),
    sa.Column("timezone", sa.String(64)),
    sa.Column("kind", sa.String(10), nullable=False, server_default="person"),
    _created(),
    _updated(),
)

members = sa.Table(
    "members",
    metadata,
    _id(),
    _organization(),
    sa.Column("person_id", sa.ForeignKey("people.id"), nullable=False),
    sa.Column("role", sa.String(20), nullable=False),
    sa.Column("status", sa.String(20), nullable=False),
    _created(),
    _updated(),
    sa.UniqueConstraint("organization_id", "person_id"),
)

tasks = sa.Table(
    "tasks",
    metadata,
    _id(),
    _organization(),
    sa.Column("slug", sa.String(60), nullable=False),
    sa.Column("name", sa.String(120), nullable=False),
    sa.Column("description", sa.String(1000), nullable=False),
    sa.Column("instructions", sa.Text, nullable=False),
    sa.Column("input_schema", Json),
    sa.Column("default_max_cost_cents", sa.Integer, nullable=False),
    sa.Column("timeout_seconds", sa.Integer, nullable=False),
    sa.Column("enabled", sa.Boolean, nullable=False),
    sa.Column("permission_mode", sa.String(20), nullable=False),
    sa.Column("visibility", sa.String(20), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("created_by", sa.ForeignKey("members.id"), nullable=False),
    sa.Column("external_id", sa.String(255)),
    sa.Column("tags", Json, nullable=False),
    sa.Column("custom_data", Json),
    sa.Column("deleted_at", UtcDateTime),
    _created(),
    _updated(),
    sa.Index(
        "uq_tasks_organization_id_slug_alive",
        "organization_id",
        "slug",
        unique=True,
        sqlite_where=sa.text("deleted_at IS NULL"),
        postgresql_where=sa.text("deleted_at IS NULL"),
    ),
    sa.Index("ix_tasks_organization_id_created_at_id", "organization_id", "created_at", "id"),
)

executions = sa.Table(
    "executions",
    metadata,
    _id(),
    _organization(),
    sa.Column("task_id", sa.ForeignKey("tasks.id"), nullable=False),
    sa.Column("thread_id", sa.Uuid, nullable=False),
    sa.Column("parent_execution_id", sa.ForeignKey("executions.id")),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("status", sa.String(20), nullable=False),
    sa.Column("status_reason", sa.String(40)),
    sa.Column("trigger", sa.String(20), nullable=False),
    sa.Column("requested_by", sa.ForeignKey("members.id"), nullable=False),
    sa.Column("client_name", sa.String(200)),
    sa.Column("message", sa.Text),
    sa.Column("params", Json, nullable=False),
    sa.Column("input_file_ids", Json, nullable=False),
    sa.Column("output_text", sa.Text),
    sa.Column("output_data", Json),
    sa.Column("pending_action", Json),
    sa.Column("error", Json),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("steps", sa.Integer, nullable=False),
    sa.Column("current_step", sa.String(200)),
    sa.Column("cost_cents", sa.Integer, nullable=False),
    sa.Column("max_cost_cents", sa.Integer, nullable=False),
    sa.Column("input_tokens", sa.BigInteger, nullable=False),
    sa.Column("output_tokens", sa.BigInteger, nullable=False),
    sa.Column("external_id", sa.String(255)),
    sa.Column("tags", Json, nullable=False),
    sa.Column("custom_data", Json),
    sa.Column("cancel_reason", sa.String(500)),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("queued_at", UtcDateTime, nullable=False),
    sa.Column("started_at", UtcDateTime),
    sa.Column("canceling_at", UtcDateTime),
    sa.Column("finished_at", UtcDateTime),
    _created(),
    _updated(),
    sa.Index("ix_executions_organization_id_created_at_id", "organization_id", "created_at", "id"),
    sa.Index("ix_executions_task_id_created_at", "task_id", "created_at"),
    sa.Index("ix_executions_status_updated_at", "status", "updated_at"),
)

execution_outputs = sa.Table(
    "execution_outputs",
    metadata,
    _id(),
    _organization(),
    sa.Column("execution_id", sa.ForeignKey("executions.id"), nullable=False),
    sa.Column("index", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("text", sa.Text),
    sa.Column("data", Json),
    sa.Column("file_id", sa.ForeignKey("files.id")),
    _created(),
    _updated(),
    sa.UniqueConstraint("execution_id", "index"),
)

files = sa.Table(
    "files",
    metadata,
    _id(),
    _organization(),
    sa.Column("filename", sa.String(255), nullable=False),
    sa.Column("content_type", sa.String(120), nullable=False),
    sa.Column("size_bytes", sa.BigInteger, nullable=False),
    sa.Column("sha256", sa.String(64)),
    sa.Column("declared_sha256", sa.String(64)),
    sa.Column("purpose", sa.String(10), nullable=False),
    sa.Column("status", sa.String(20), nullable=False),
    sa.Column("rejected_reason", sa.String(40)),
    sa.Column("execution_id", sa.ForeignKey("executions.id", use_alter=True)),
    sa.Column("created_by", sa.ForeignKey("members.id"), nullable=False),
    sa.Column("external_id", sa.String(255)),
    sa.Column("tags", Json, nullable=False),
    sa.Column("confirmed_at", UtcDateTime),
    sa.Column("upload_expires_at", UtcDateTime),
    sa.Column("deleted_at", UtcDateTime),
    _created(),
    _updated(),
    sa.Index("ix_files_organization_id_created_at_id", "organization_id", "created_at", "id"),
)

audit_events = sa.Table(
    "audit_events",
    metadata,
    _id(),
    _organization(),
    sa.Column("actor_type", sa.String(20), nullable=False),
    sa.Column("actor_id", sa.Uuid),
    sa.Column("actor_name", sa.String(200)),
    sa.Column("actor_role", sa.String(20)),
    sa.Column("channel", sa.String(20), nullable=False),
    sa.Column("client_name", sa.String(200)),
    sa.Column("token_id", sa.String(100)),
    sa.Column("action", sa.String(80), nullable=False),
    sa.Column("resource_type", sa.String(40)),
    sa.Column("resource_id", sa.String(100)),
    sa.Column("result", sa.String(10), nullable=False),
    sa.Column("code", sa.String(60)),
    sa.Column("confirmation_id", sa.String(100)),
    sa.Column("request_id", sa.String(100), nullable=False),
    sa.Column("changes", Json, nullable=False),
    _created(),
    sa.Index("ix_audit_events_organization_id_created_at_id", "organization_id", "created_at", "id"),
)

idempotency_records = sa.Table(
    "idempotency_records",
    metadata,
    sa.Column("organization_id", sa.ForeignKey("organizations.id"), primary_key=True),
    sa.Column("person_id", sa.ForeignKey("people.id"), primary_key=True),
    sa.Column("key", sa.String(300), primary_key=True),
    sa.Column("fingerprint", sa.String(64), nullable=False),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("status", sa.Integer, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("headers", Json, nullable=False),
    _created(),
    sa.Index("ix_idempotency_records_created_at", "created_at"),
)

workers = sa.Table(
    "workers",
    metadata,
    sa.Column("executor_id", sa.String(100), primary_key=True),
    sa.Column("started_at", UtcDateTime, nullable=False),
    sa.Column("seen_at", UtcDateTime, nullable=False),
)

passwords = sa.Table(
    "passwords",
    metadata,
    sa.Column("person_id", sa.ForeignKey("people.id"), primary_key=True),
    sa.Column("hash", sa.String(255), nullable=False),
    _updated(),
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
    _id(),
    sa.Column("secret_digest", sa.String(64), nullable=False, unique=True),
    sa.Column("person_id", sa.ForeignKey("people.id"), nullable=False),
    sa.Column("browser", sa.String(200), nullable=False),
    sa.Column("expires_at", UtcDateTime, nullable=False),
    sa.Column("ended_at", UtcDateTime),
    _created(),
    sa.Index("ix_sign_in_sessions_person_id", "person_id"),
)

# Who a subject of another issuer is here: bound at the first sign-in, to one member.
bound_subjects = sa.Table(
    "bound_subjects",
    metadata,
    sa.Column("issuer", sa.String(500), primary_key=True),
    sa.Column("subject", sa.String(255), primary_key=True),
    sa.Column("member_id", sa.ForeignKey("members.id"), nullable=False),
    _created(),
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
    _created(),
    _updated(),
    sa.Index("ix_oauth_clients_registration_created_at", "registration", "created_at"),
)

# One row per consent: the family of every code, refresh token and access token that come from it.
oauth_grants = sa.Table(
    "oauth_grants",
    metadata,
    _id(),
    _organization(),
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
    _created(),
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
    _created(),
    sa.Index("ix_oauth_refresh_tokens_grant_id", "grant_id"),
    sa.Index("ix_oauth_refresh_tokens_expires_at", "expires_at"),
)
