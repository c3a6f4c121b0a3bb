"""Where the browser is, or how it gets here: the distribution's own package, installed where we may."""

import os
import shutil
import subprocess
from contextlib import suppress

import pytest

INSTALLED_WITHIN_SECONDS = 300
NAMES = ("chromium", "chromium-browser", "google-chrome")
_INSTALL = ("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-dejavu-core")


def find_chromium() -> str:
    """Path of a Chromium.

    Skips the test where there is none and none can be installed: but in CI a level that did not run is a failure.
    """
    path = _installed()
    if path is None and os.geteuid() == 0 and shutil.which("apt-get"):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (("apt-get", "update", "-qq"), _INSTALL):
            with suppress(subprocess.TimeoutExpired):
                subprocess.run(
                    command, env=environment, capture_output=True, check=False, timeout=INSTALLED_WITHIN_SECONDS
                )
        path = _installed()
    if path is None:
        absent = pytest.fail if os.environ.get("CI") else pytest.skip
        absent("no browser: install Chromium (Debian: apt-get install chromium) to let tests look at the pages")
    return path


def _installed() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)
