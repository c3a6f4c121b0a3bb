"""Everything that decides whether a change may land, in the order in which it is cheap to know.

Every step runs, so that one look shows all that is wrong. The tests come last, and a level of
tests in which nothing ran counts as failed: a check that did not run has not passed.
"""

import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
LEVELS = ("unit", "contract", "conformance", "e2e", "judges", "browser")
STEPS: dict[str, list[str | Path]] = {
    "format": [BIN / "ruff", "format", "--check", "--quiet", "."],
    "lint": [BIN / "ruff", "check", "--quiet", "."],
    "types": [BIN / "pyrefly", "check", "--summary=none"],
    "import contracts": [BIN / "lint-imports", "--no-cache"],
    "generated stubs": [sys.executable, ".ci/protos.py", "--check"],
}


def main() -> None:
    failed = [name for name, command in STEPS.items() if not passes(name, command)]
    failed += failed_tests()
    if failed:
        sys.exit("check failed: " + ", ".join(failed))


def passes(name: str, command: list[str | Path]) -> bool:
    """Run one step quietly; what it printed matters only when it fails."""
    started = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(f"{name:<18} {'ok' if done.returncode == 0 else 'FAILED':<7} {time.monotonic() - started:5.1f} s", flush=True)
    if done.returncode != 0:
        print(done.stdout, flush=True)
    return done.returncode == 0


def failed_tests() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [BIN / "pytest", "--quiet", f"--junit-xml={report}"]
        status = subprocess.run(command, cwd=ROOT, check=False).returncode
        ran = tests_per_level(report) if report.exists() else Counter()
    missing = [f"no test of level {level} ran" for level in LEVELS if not ran[level]]
    return (["tests"] if status else []) + missing


def tests_per_level(report: Path) -> Counter[str]:
    """How many tests ran to an end below each folder of tests/; skipped ones did not."""
    counted: Counter[str] = Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        if case.find("skipped") is None:
            counted[case.get("classname", "").split(".")[1]] += 1
    return counted


if __name__ == "__main__":
    main()
