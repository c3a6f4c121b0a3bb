"""The whole schema: every module of tables, known to one metadata."""

from tool_service.db import account_tables, tables
from tool_service.db.columns import metadata

MODULES = (tables, account_tables)

__all__ = ["MODULES", "metadata"]
