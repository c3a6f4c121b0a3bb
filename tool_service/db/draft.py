"""A new revision for the developer: `python -m tool_service.db.draft "Why the schema changes"`."""

import sys
import tempfile
from pathlib import Path

from tool_service.db.migrate import draft, upgrade


def main(message: str) -> None:
    """Compare a fresh database at head with `tables.py`, and write what is missing below `migrations/versions/`."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'draft.db'}"
        upgrade(url)
        draft(url, message)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].strip():
        sys.exit('Say why: python -m tool_service.db.draft "Why the schema changes"')
    main(sys.argv[1].strip())
