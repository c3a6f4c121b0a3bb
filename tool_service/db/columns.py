"""What every table is made of: the metadata, types that are alike on both engines, columns that recur."""

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


def id_column() -> sa.Column[Any]:
    return sa.Column("id", sa.Uuid, primary_key=True)


def organization_column() -> sa.Column[Any]:
    return sa.Column("organization_id", sa.ForeignKey("organizations.id"), nullable=False)


def created_column() -> sa.Column[Any]:
    return sa.Column("created_at", UtcDateTime, nullable=False)


def updated_column() -> sa.Column[Any]:
    return sa.Column("updated_at", UtcDateTime, nullable=False)
