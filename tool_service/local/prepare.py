"""What a stack needs before it starts: keys, an up-to-date database, demo data.

Loading what does this takes longer than doing it, so a later start first looks whether anything
is to be done, and imports nothing of it otherwise.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from tool_service.local.layout import Layout
from tool_service.local.preflight import LocalFault

_MIGRATIONS = Path(__file__).parents[1] / "db" / "migrations" / "versions"


def prepare(layout: Layout, say: Callable[[str], None]) -> None:
    """Make what is missing; nothing that is there is changed, but for a database of an older release.

    Raises:
        LocalFault: keys that exist cannot be used.
    """
    wanted = fingerprint()
    if _is_prepared(layout, wanted):
        return
    say(f"Preparing keys and database in {layout.folder} ...")
    _make(layout, say)
    made = [layout.database, *layout.keys.iterdir()]
    note = {"fingerprint": wanted, "files": sorted(str(path.relative_to(layout.folder)) for path in made)}
    _note(layout).write_text(json.dumps(note), encoding="utf-8")


def _is_prepared(layout: Layout, wanted: str) -> bool:
    try:
        note = json.loads(_note(layout).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return False
    return note["fingerprint"] == wanted and all((layout.folder / name).exists() for name in note["files"])


def _note(layout: Layout) -> Path:
    return layout.folder / "prepared.json"


def fingerprint() -> str:
    """Changes when the schema does: ours by its migrations, the durable engine's by its release."""
    digest = hashlib.sha256(version("dbos").encode())
    for migration in sorted(_MIGRATIONS.glob("*.py")):
        digest.update(migration.read_bytes())
    return digest.hexdigest()


def _make(layout: Layout, say: Callable[[str], None]) -> None:
    from tool_service.adapters.key_ring import KeyRingError
    from tool_service.adapters.local_keys import generate_missing_rings
    from tool_service.app import migrate

    try:
        generate_missing_rings(layout.keys)
    except KeyRingError as error:
        raise LocalFault(str(error)) from error
    migrate(layout.database_url)
    if asyncio.run(_seed(layout.database_url)):
        say("Added the demo organization.")


async def _seed(database_url: str) -> bool:
    from tool_service.adapters.system import SystemClock
    from tool_service.db.engine import Database
    from tool_service.local.seed import seed

    database = Database(database_url)
    try:
        return await seed(database, SystemClock())
    finally:
        await database.close()
