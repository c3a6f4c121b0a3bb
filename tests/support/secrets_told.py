"""What nobody may ever read in an answer, a log, a metric or a trace: tokens, codes, passwords, sealed state.

All of our secrets but passwords are at least 32 random bytes or a signature, in base64url. So every such run of
characters is suspected, whoever made it: an id is shorter, a digest is hexadecimal.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.sign_in import PASSWORD, VERIFIER
from tool_service.local import demo

_BASE64URL = re.compile(r"[A-Za-z0-9_-]{40,}")
_KINDS = (re.compile("[a-z]"), re.compile("[A-Z]"), re.compile("[0-9]"))
_KNOWN = (demo.PASSWORD, PASSWORD, VERIFIER)


def secrets_in(text: str) -> list[str]:
    """Everything in it that may be a secret, in order."""
    random = [run for run in _BASE64URL.findall(text) if all(kind.search(run) for kind in _KINDS)]
    return [known for known in _KNOWN if known in text] + random


def secrets_in_logs(folder: Path) -> Iterator[str]:
    """Each line of a log below the folder that tells one, with the name of its file."""
    for path in sorted(folder.rglob("*.log")):
        for line in path.read_text(errors="replace").splitlines():
            if secrets_in(line):
                yield f"{path.name}: {line}"
