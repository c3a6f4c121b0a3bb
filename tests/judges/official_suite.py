"""The official conformance suite, run over a server that carries the fixtures, and its results as counts.

https://github.com/modelcontextprotocol/conformance, package @modelcontextprotocol/conformance.
"""

import json
import re
import subprocess
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.judges.npm import PACKAGES, node

PACKAGE = PACKAGES / "@modelcontextprotocol" / "conformance"
LANES = ("2026-07-28", "2025-06-18")
RUN_WITHIN_SECONDS = 300
_RESULT_FOLDER = re.compile(r"server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z")
_PASSED = "SUCCESS"
# What the suite itself does not count: remarks, and checks that this server's capabilities rule out.
_UNCOUNTED = ("INFO", "SKIPPED")


@dataclass(frozen=True, slots=True)
class Verdict:
    """One scenario: how many of its checks passed, how many do not count, and the ids of all others."""

    passed: int
    uncounted: int
    failed: tuple[str, ...]


def version() -> str:
    return str(json.loads((PACKAGE / "package.json").read_text())["version"])


def run_lane(url: str, lane: str, folder: Path) -> Mapping[str, Verdict]:
    """Every scenario that the suite has for that revision, by name in order.

    Raises:
        subprocess.TimeoutExpired: the suite does not come to an end.
    """
    command = [node(), str(PACKAGE / "dist" / "index.js"), "server", "--url", url, "-o", str(folder)]
    with (folder / "log.txt").open("w") as log:
        # Its exit code tells of scenarios that do not apply here as well; the results are read one by one.
        subprocess.run(
            [*command, "--suite", "all", "--spec-version", lane],
            stdout=log,
            stderr=subprocess.STDOUT,
            timeout=RUN_WITHIN_SECONDS,
            check=False,
        )
    return {
        found[1]: _verdict(json.loads((result / "checks.json").read_text()))
        for result in sorted(folder.iterdir())
        if (found := _RESULT_FOLDER.fullmatch(result.name)) is not None
    }


def _verdict(checks: list[dict[str, str]]) -> Verdict:
    counted = Counter(check["status"] for check in checks)
    failed = tuple(check["id"] for check in checks if check["status"] not in (_PASSED, *_UNCOUNTED))
    return Verdict(counted[_PASSED], sum(counted[status] for status in _UNCOUNTED), failed)
