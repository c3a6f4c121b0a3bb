"""Create the tables of the first release."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None

JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "organizations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("document_number", sa.String(length=20), nullable=False),
        sa.Column("environment", sa.String(length=20), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("locale", sa.String(length=10), nullable=False),
        sa.Column("timezone", sa.String(length=64), nullable=False),
        sa.Column("plan_name", sa.String(length=50), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_organizations"),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("locale", sa.String(length=10), nullable=True),
        sa.Column("timezone", sa.String(length=64), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
        sa.UniqueConstraint("email", name="uq_people_email"),
    )
    op.create_table(
        "workers",
        sa.Column("executor_id", sa.String(length=100), nullable=False),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("seen_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("executor_id", name="pk_workers"),
    )
    op.create_table(
        "audit_events",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("actor_type", sa.String(length=20), nullable=False),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("actor_name", sa.String(length=200), nullable=True),
        sa.Column("actor_role", sa.String(length=20), nullable=True),
        sa.Column("channel", sa.String(length=20), nullable=False),
        sa.Column("client_name", sa.String(length=200), nullable=True),
        sa.Column("token_id", sa.String(length=100), nullable=True),
        sa.Column("action", sa.String(length=80), nullable=False),
        sa.Column("resource_type", sa.String(length=40), nullable=True),
        sa.Column("resource_id", sa.String(length=100), nullable=True),
        sa.Column("result", sa.String(length=10), nullable=False),
        sa.Column("code", sa.String(length=60), nullable=True),
        sa.Column("confirmation_id", sa.String(length=100), nullable=True),
        sa.Column("request_id", sa.String(length=100), nullable=False),
        sa.Column("changes", JSON, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_audit_events_organization_id"),
        sa.PrimaryKeyConstraint("id", name="pk_audit_events"),
    )
    op.create_index(
        "ix_audit_events_organization_id_created_at_id", "audit_events", ["organization_id", "created_at", "id"]
    )
    op.create_table(
        "idempotency_records",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.String(length=300), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("headers", JSON, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name="fk_idempotency_records_organization_id"
        ),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_idempotency_records_person_id"),
        sa.PrimaryKeyConstraint("organization_id", "person_id", "key", name="pk_idempotency_records"),
    )
    op.create_index("ix_idempotency_records_created_at", "idempotency_records", ["created_at"])
    op.create_table(
        "members",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_members_organization_id"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_members_person_id"),
        sa.PrimaryKeyConstraint("id", name="pk_members"),
        sa.UniqueConstraint("organization_id", "person_id", name="uq_members_organization_id_person_id"),
    )
    op.create_table(
        "files",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("filename", sa.String(length=255), nullable=False),
        sa.Column("content_type", sa.String(length=120), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=True),
        sa.Column("declared_sha256", sa.String(length=64), nullable=True),
        sa.Column("purpose", sa.String(length=10), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("rejected_reason", sa.String(length=40), nullable=True),
        sa.Column("execution_id", sa.Uuid(), nullable=True),
        sa.Column("created_by", sa.Uuid(), nullable=False),
        sa.Column("external_id", sa.String(length=255), nullable=True),
        sa.Column("tags", JSON, nullable=False),
        sa.Column("confirmed_at", MOMENT, nullable=True),
        sa.Column("upload_expires_at", MOMENT, nullable=True),
        sa.Column("deleted_at", MOMENT, nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["created_by"], ["members.id"], name="fk_files_created_by"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_files_organization_id"),
        sa.PrimaryKeyConstraint("id", name="pk_files"),
    )
    op.create_index("ix_files_organization_id_created_at_id", "files", ["organization_id", "created_at", "id"])
    op.create_table(
        "tasks",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("slug", sa.String(length=60), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("description", sa.String(length=1000), nullable=False),
        sa.Column("instructions", sa.Text(), nullable=False),
        sa.Column("input_schema", JSON, nullable=True),
        sa.Column("default_max_cost_cents", sa.Integer(), nullable=False),
        sa.Column("timeout_seconds", sa.Integer(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("permission_mode", sa.String(length=20), nullable=False),
        sa.Column("visibility", sa.String(length=20), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.Uuid(), nullable=False),
        sa.Column("external_id", sa.String(length=255), nullable=True),
        sa.Column("tags", JSON, nullable=False),
        sa.Column("custom_data", JSON, nullable=True),
        sa.Column("deleted_at", MOMENT, nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["created_by"], ["members.id"], name="fk_tasks_created_by"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_tasks_organization_id"),
        sa.PrimaryKeyConstraint("id", name="pk_tasks"),
    )
    op.create_index("ix_tasks_organization_id_created_at_id", "tasks", ["organization_id", "created_at", "id"])
    op.create_index(
        "uq_tasks_organization_id_slug_alive",
        "tasks",
        ["organization_id", "slug"],
        unique=True,
        sqlite_where=sa.text("deleted_at IS NULL"),
        postgresql_where=sa.text("deleted_at IS NULL"),
    )
    op.create_table(
        "executions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("task_id", sa.Uuid(), nullable=False),
        sa.Column("thread_id", sa.Uuid(), nullable=False),
        sa.Column("parent_execution_id", sa.Uuid(), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("status_reason", sa.String(length=40), nullable=True),
        sa.Column("trigger", sa.String(length=20), nullable=False),
        sa.Column("requested_by", sa.Uuid(), nullable=False),
        sa.Column("client_name", sa.String(length=200), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("params", JSON, nullable=False),
        sa.Column("input_file_ids", JSON, nullable=False),
        sa.Column("output_text", sa.Text(), nullable=True),
        sa.Column("output_data", JSON, nullable=True),
        sa.Column("pending_action", JSON, nullable=True),
        sa.Column("error", JSON, nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("steps", sa.Integer(), nullable=False),
        sa.Column("current_step", sa.String(length=200), nullable=True),
        sa.Column("cost_cents", sa.Integer(), nullable=False),
        sa.Column("max_cost_cents", sa.Integer(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("external_id", sa.String(length=255), nullable=True),
        sa.Column("tags", JSON, nullable=False),
        sa.Column("custom_data", JSON, nullable=True),
        sa.Column("cancel_reason", sa.String(length=500), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("queued_at", MOMENT, nullable=False),
        sa.Column("started_at", MOMENT, nullable=True),
        sa.Column("canceling_at", MOMENT, nullable=True),
        sa.Column("finished_at", MOMENT, nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_executions_organization_id"),
        sa.ForeignKeyConstraint(["parent_execution_id"], ["executions.id"], name="fk_executions_parent_execution_id"),
        sa.ForeignKeyConstraint(["requested_by"], ["members.id"], name="fk_executions_requested_by"),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name="fk_executions_task_id"),
        sa.PrimaryKeyConstraint("id", name="pk_executions"),
    )
    op.create_index(
        "ix_executions_organization_id_created_at_id", "executions", ["organization_id", "created_at", "id"]
    )
    op.create_index("ix_executions_status_updated_at", "executions", ["status", "updated_at"])
    op.create_index("ix_executions_task_id_created_at", "executions", ["task_id", "created_at"])

    # Files and executions refer to each other, so one of the two references comes after both tables.
    with op.batch_alter_table("files") as files:
        files.create_foreign_key("fk_files_execution_id", "executions", ["execution_id"], ["id"])
    op.create_table(
        "execution_outputs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("execution_id", sa.Uuid(), nullable=False),
        sa.Column("index", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("data", JSON, nullable=True),
        sa.Column("file_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["execution_id"], ["executions.id"], name="fk_execution_outputs_execution_id"),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name="fk_execution_outputs_file_id"),
        sa.ForeignKeyConstraint(["organization_id"], ["organizations.id"], name="fk_execution_outputs_organization_id"),
        sa.PrimaryKeyConstraint("id", name="pk_execution_outputs"),
        sa.UniqueConstraint("execution_id", "index", name="uq_execution_outputs_execution_id_index"),
    )


def downgrade() -> None:
    with op.batch_alter_table("files") as files:
        files.drop_constraint("fk_files_execution_id", type_="foreignkey")
    for table in (
        "execution_outputs",
        "executions",
        "tasks",
        "files",
        "members",
        "idempotency_records",
        "audit_events",
        "workers",
        "people",
        "organizations",
    ):
        op.drop_table(table)
