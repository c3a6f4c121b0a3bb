"""Makes .venv from uv.lock, needing nothing but python3, its venv module and pip.

`bootstrap.py run` installs what the services need, `bootstrap.py test` the tools of developers too.
When nothing has changed it reads three files and ends. It parses on every Python that can still be
met, so that an old one hears a sentence and not a SyntaxError: no f-strings, no annotations.
"""

from __future__ import print_function

import hashlib
import os
import subprocess
import sys

NEEDED_PYTHON = (3, 11)
UV_VERSION = "0.13.9"
PROFILES = {"run": ["--no-dev"], "test": []}

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
BIN = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
PYTHON = os.path.join(BIN, "python")
UV = os.path.join(BIN, "uv")
STAMP = os.path.join(VENV, "bootstrap.stamp")


class Fault(Exception):
    """Something that the person has to change; the message says what."""


def main(profile):
    refuse_old_python()
    wanted = stamp_of(profile)
    # An environment with the developers' tools serves `run` as well.
    if read_stamp() in (wanted, stamp_of("test")):
        return
    # Whoever interrupts us finds no stamp, and the next run does the rest.
    if os.path.exists(STAMP):
        os.remove(STAMP)
    if not works(UV, "--version", says=UV_VERSION):
        make_environment()
    say("Installing the locked packages (%s) ..." % profile)
    options = ["--frozen", "--no-python-downloads", "--python", PYTHON, "--project", ROOT]
    call([UV, "sync", "--quiet"] + options + PROFILES[profile], "The packages could not be installed (see above).")
    write_stamp(wanted)


def refuse_old_python():
    if sys.version_info < NEEDED_PYTHON:
        found = (sys.executable,) + tuple(sys.version_info[:2])
        sentence = "Kadu needs Python %d.%d or newer, and %s is %d.%d; name a newer one: make run PYTHON=python3.13"
        raise Fault(sentence % (NEEDED_PYTHON + found))


def make_environment():
    try:
        import ensurepip  # noqa: F401  (Debian leaves it out of python3)
        import venv  # noqa: F401
    except ImportError:
        raise Fault("Python's venv module is missing: install it (on Debian and Ubuntu: apt install python3-venv).")
    say("Making the virtual environment .venv ...")
    clear = [] if works(PYTHON, "-c", "") else ["--clear"]
    call([sys.executable, "-m", "venv"] + clear + [VENV], "The virtual environment .venv cannot be made (see above).")
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv==" + UV_VERSION]
    call(pip, "uv, which installs the locked packages, could not be installed (see above).")


def stamp_of(profile):
    digest = hashlib.sha256(profile.encode())
    for name in ("uv.lock", "pyproject.toml", os.path.join(".ci", "bootstrap.py")):
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def read_stamp():
    try:
        with open(STAMP) as file:
            return file.read()
    except IOError:
        return None


def write_stamp(text):
    with open(STAMP + ".new", "w") as file:
        file.write(text)
    os.replace(STAMP + ".new", STAMP)


def works(program, *arguments, **expected):
    try:
        printed = subprocess.check_output([program] + list(arguments), stderr=subprocess.STDOUT)
    except (OSError, subprocess.CalledProcessError):
        return False
    return expected.get("says", "").encode() in printed


def call(command, sentence):
    # An inherited VIRTUAL_ENV would make uv warn that it is not the one in use.
    environment = dict(os.environ, UV_PROJECT_ENVIRONMENT=VENV)
    environment.pop("VIRTUAL_ENV", None)
    if subprocess.call(command, env=environment) != 0:
        raise Fault(sentence)


def say(text):
    # Not stdout: `make demo-env` prints there what a shell evaluates.
    print(text, file=sys.stderr)


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except Fault as fault:
        sys.exit(str(fault))
    except KeyboardInterrupt:
        sys.exit("Interrupted; the next run continues.")
