"""House rules for the files round the code: one version in one place, nothing open to the world by default."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILES = [ROOT / "tool_service" / "Dockerfile", ROOT / "mcp_frontend" / "Dockerfile"]


def _read(*parts: str) -> str:
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


def test_every_place_that_installs_uv_pins_the_same_version() -> None:
    bootstrap = re.findall(r'UV_VERSION = "([\d.]+)"', _read(".ci", "bootstrap.py"))
    images = [re.findall(r"uv==([\d.]+)", path.read_text(encoding="utf-8")) for path in DOCKERFILES]
    assert images == [bootstrap, bootstrap]
    assert len(bootstrap) == 1


def test_the_bootstrap_asks_for_the_python_that_the_project_asks_for() -> None:
    major, minor = re.findall(r"NEEDED_PYTHON = \((\d+), (\d+)\)", _read(".ci", "bootstrap.py"))[0]
    assert re.findall(r'requires-python = ">=(.*)"', _read("pyproject.toml")) == [f"{major}.{minor}"]


def test_no_container_of_ours_runs_as_root() -> None:
    users = [re.findall(r"^USER (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE) for path in DOCKERFILES]
    assert users == [["kadu"], ["kadu"]]


def test_compose_publishes_ports_on_loopback_only() -> None:
    published = re.findall(r'ports: \["([^"]+)"\]', _read("docker-compose.yml"))
    assert published
    assert [each for each in published if not each.startswith("127.0.0.1:")] == []


def test_each_image_of_ours_is_built_once() -> None:
    # Built by several services, one tag has several contents, and the next `up` recreates containers.
    compose = _read("docker-compose.yml")
    built = re.findall(r"dockerfile: (\S+)}", compose)
    assert sorted(built) == ["mcp_frontend/Dockerfile", "tool_service/Dockerfile"]


def test_what_a_machine_makes_for_itself_is_never_committed() -> None:
    assert {".venv/", ".kadu/"} <= set(_read(".gitignore").split())


def test_every_top_level_entry_has_been_placed_on_purpose() -> None:
    allowed = {"CHANGELOG.md", "LICENSE", "Makefile", "README.md", "docker-compose.yml", "pyproject.toml", "uv.lock"}
    allowed |= {"docs", "mcp_frontend", "protos", "tests", "tool_service"}
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert found - allowed == set()
