"""The JavaScript judges: installed from package-lock.json when they are needed, run with a Node that they accept.

They live beside the Python packages of the virtual environment, so that no tool of ours takes them for our own code.
"""

import hashlib
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent
HOME = Path(sys.prefix) / "judges"
PACKAGES = HOME / "node_modules"
_STAMP = HOME / "installed"
_MANIFEST = ("package.json", "package-lock.json", ".npmrc")
_ARCHITECTURES = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def install_packages() -> None:
    """Bring the packages to what the lock file says; nothing happens when they are there.

    Skips the test where npm is missing: but in CI a judge that did not judge is a failure.
    """
    wanted = hashlib.sha256(b"".join((FOLDER / name).read_bytes() for name in _MANIFEST)).hexdigest()
    if _STAMP.exists() and _STAMP.read_text() == wanted:
        return
    npm = shutil.which("npm")
    if npm is None:
        absent = pytest.fail if os.environ.get("CI") else pytest.skip
        absent("npm is missing: install Node.js, which brings it, to let the official suite and clients judge")
    HOME.mkdir(exist_ok=True)
    for name in _MANIFEST:
        shutil.copy(FOLDER / name, HOME)
    # No script of somebody else's package runs here.
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(command, cwd=HOME, check=True, stdout=subprocess.DEVNULL)
    _STAMP.write_text(wanted)


def program(name: str) -> str:
    """Path of one of our programs, placed where it finds the packages."""
    for path in (FOLDER / "programs").glob("*.mjs"):
        shutil.copy(path, HOME)
    return str(HOME / name)


def node() -> str:
    """The Node that the lock file brings, since the suite needs a newer one than many machines have; else theirs."""
    brought = PACKAGES / f"node-linux-{_ARCHITECTURES.get(platform.machine(), '')}" / "bin" / "node"
    return str(brought) if brought.exists() else "node"
