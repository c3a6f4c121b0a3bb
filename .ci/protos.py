"""Generates the gRPC stubs from protos/, and says whether the committed ones are current.

`protos.py` writes them; `protos.py --check` also lints the contract and refuses a breaking change
against the contract that has landed.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
STUBS = ("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py", "*_pb2_grpc.pyi")


def generate(into: Path) -> None:
    """Write the stubs of every contract below `into`, in the folders of their packages."""
    contracts = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "protos").rglob("*.proto"))
    outputs = [f"--{kind}={into}" for kind in ("python_out", "grpc_python_out")]
    outputs += [f"--{kind}=quiet:{into}" for kind in ("mypy_out", "mypy_grpc_out")]
    # protoc finds the plugins of mypy-protobuf on the PATH.
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "grpc_tools.protoc", "-I", ".", *outputs, *contracts]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def stale_stubs() -> Iterator[str]:
    """Paths of stubs that differ from what the contract generates, are missing, or have no contract."""
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        fresh, committed = _stubs(Path(folder)), _stubs(ROOT)
    for name in sorted(fresh.keys() | committed.keys()):
        if fresh.get(name) != committed.get(name):
            yield name


def _stubs(root: Path) -> dict[str, bytes]:
    found = (path for pattern in STUBS for path in (root / "protos").rglob(pattern))
    return {str(path.relative_to(root)): path.read_bytes() for path in found}


def lint() -> bool:
    return subprocess.run([BIN / "buf", "lint", "protos"], cwd=ROOT, check=False).returncode == 0


def keeps_landed_contract() -> bool:
    """Whether clients of the landed contract still understand this one; true where none has landed."""
    archive = _landed_protos()
    if archive is None:
        return True
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "--extract", "--directory", folder], input=archive, check=True)
        command = [BIN / "buf", "breaking", "protos", "--against", f"{folder}/protos"]
        return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def _landed_protos() -> bytes | None:
    # A clone knows what has landed as origin/main; without a remote, the last commit has.
    for revision in ("origin/main", "HEAD"):
        archived = subprocess.run(["git", "archive", revision, "protos"], cwd=ROOT, capture_output=True, check=False)
        if archived.returncode == 0:
            return archived.stdout
    return None


def main() -> None:
    if "--check" not in sys.argv:
        generate(ROOT)
        return
    stale = list(stale_stubs())
    if stale:
        sys.exit("not what the contract generates (run `make protos`): " + ", ".join(stale))
    if not lint() or not keeps_landed_contract():
        sys.exit(1)


if __name__ == "__main__":
    main()
