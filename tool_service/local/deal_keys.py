"""Makes the key rings of a first deployment and deals them out: `python -m tool_service.local.deal_keys`.

Takes three folders: one that keeps all rings, and one for each service, which gets only its own,
so that whoever breaks into the front end finds no key that mints tokens.
"""

import sys
from pathlib import Path

from tool_service.adapters.local_keys import (
    ASSERTION_KEYS,
    ASSERTION_PUBLIC_KEYS,
    ISSUER_KEYS,
    SEAL_KEYS,
    STATE_KEYS,
    generate_missing_rings,
)

TOOL_SERVICE_RINGS = (ISSUER_KEYS, SEAL_KEYS, ASSERTION_PUBLIC_KEYS)
MCP_FRONTEND_RINGS = (ASSERTION_KEYS, STATE_KEYS)


def deal(all_rings: Path, tool_service: Path, mcp_frontend: Path) -> None:
    """Make the rings that are missing, and copy to each service what is its own; doing it again changes nothing.

    Raises:
        KeyRingError: the assertion keys that exist cannot be used.
        OSError: a folder cannot be written.
    """
    generate_missing_rings(all_rings)
    for folder, names in ((tool_service, TOOL_SERVICE_RINGS), (mcp_frontend, MCP_FRONTEND_RINGS)):
        for name in names:
            # The mode first: at no time may others read a key.
            (folder / name).touch(mode=0o600)
            (folder / name).write_bytes((all_rings / name).read_bytes())


if __name__ == "__main__":
    deal(*map(Path, sys.argv[1:]))
