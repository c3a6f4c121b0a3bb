"""Every query is born scoped to one organization: a repository reaches its tables through ScopedRepository."""

import ast
from pathlib import Path

from tool_service import repositories

FOLDER = Path(repositories.__path__[0])
STATEMENTS = {"select", "insert", "update", "delete", "text", "exec_driver_sql"}

# The wall itself, and the classes that say in their docstring why they stand outside of it.
OUTSIDE = {
    "approvals.py:ApprovalDirectory",
    "scoped.py:ScopedRepository",
    "members.py:MemberDirectory",
    "overdue_executions.py:OverdueExecutions",
    "workers.py:WorkerRegistry",
}


def _raw_statements(source: str, name: str) -> set[str]:
    """Where a module makes a statement by itself: "module:class", or "module:" outside of every class."""
    module = ast.parse(source)
    imports = [node for node in ast.walk(module) if isinstance(node, ast.ImportFrom)]
    ours = [node for node in imports if (node.module or "").startswith("tool_service.db")]
    tables = {each.name for node in ours for each in node.names}
    found: set[str] = set()

    def walk(node: ast.AST, owner: str) -> None:
        for child in ast.iter_child_nodes(node):
            inside = child.name if isinstance(child, ast.ClassDef) and not owner else owner
            if _makes_a_statement(child, tables):
                found.add(f"{name}:{inside}")
            walk(child, inside)

    walk(module, "")
    return found


def _makes_a_statement(node: ast.AST, tables: set[str]) -> bool:
    if isinstance(node, ast.ImportFrom):
        # Imported by name, a statement could be made out of this rule's sight.
        return (node.module or "").startswith("sqlalchemy") and bool(STATEMENTS & {each.name for each in node.names})
    if not isinstance(node, ast.Attribute) or node.attr not in STATEMENTS:
        return False
    # `connection.exec_driver_sql(...)`, `sa.select(...)`, and the same methods of a table: `tasks.insert()`.
    root = node.value
    while isinstance(root, ast.Attribute):
        root = root.value
    return node.attr == "exec_driver_sql" or (isinstance(root, ast.Name) and root.id in {"sa", "sqlalchemy"} | tables)


def test_no_repository_makes_a_statement_past_the_wall() -> None:
    found = set().union(*(_raw_statements(path.read_text(), path.name) for path in FOLDER.glob("*.py")))
    assert found == OUTSIDE


def test_the_rule_sees_every_way_round_the_wall() -> None:
    ways = (
        "import sqlalchemy as sa\nclass A:\n def f(self): return sa.select(tasks)",
        "import sqlalchemy as sa\nclass A:\n def f(self): return sa.sql.text('SELECT 1')",
        "from tool_service.db.tables import tasks\nclass A:\n def f(self): return tasks.insert()",
        "from tool_service.db.tables import tasks\nclass A:\n async def f(self):\n  def g(): return tasks.delete()",
        "class A:\n async def f(self): await self._connection.exec_driver_sql('SELECT 1')",
    )
    assert [_raw_statements(way, "a.py") for way in ways] == [{"a.py:A"}] * len(ways)
    assert _raw_statements("from sqlalchemy import select", "a.py") == {"a.py:"}
    assert _raw_statements("from sqlalchemy.dialects.postgresql import insert", "a.py") == {"a.py:"}
    assert _raw_statements("class A:\n def f(self): return self._select(tasks)", "a.py") == set()
