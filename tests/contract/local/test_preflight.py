"""What stands in the way of a local stack is said in one sentence, before anything is started."""

import socket
from pathlib import Path

import pytest

from tool_service.local.layout import Layout
from tool_service.local.preflight import LocalFault, refuse_unfit


def _free_ports(count: int) -> list[int]:
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(probe.getsockname()[1]) for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def _layout(folder: Path) -> Layout:
    return Layout(folder, *_free_ports(3))


def test_a_new_folder_and_free_ports_are_fit(tmp_path: Path) -> None:
    layout = _layout(tmp_path / "new" / "folder")

    refuse_unfit(layout)

    assert list(layout.folder.iterdir()) == []


def test_a_port_in_use_is_named_with_the_option_that_moves_it(tmp_path: Path) -> None:
    layout = _layout(tmp_path)
    with socket.create_server(("127.0.0.1", layout.grpc_port)), pytest.raises(LocalFault) as caught:
        refuse_unfit(layout)

    assert str(caught.value) == (
        f"Port {layout.grpc_port} is in use, perhaps by another `make run`; end that, or choose another port: "
        f'make run ARGS="--grpc-port {layout.grpc_port + 100}"'
    )


def test_a_folder_that_cannot_be_made_is_named_with_the_reason(tmp_path: Path) -> None:
    # A file in its place stops even the superuser, whom permissions do not stop.
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "data"

    with pytest.raises(LocalFault) as caught:
        refuse_unfit(_layout(folder))

    assert str(caught.value) == (
        f"The folder {folder} cannot be written (Not a directory); choose another one with --data-dir."
    )


def test_the_ports_of_the_last_stack_are_remembered(tmp_path: Path) -> None:
    started = Layout(tmp_path, mcp_port=9000, api_port=9001, grpc_port=9002)
    started.remember()

    assert Layout(tmp_path).as_remembered() == started


def test_a_folder_in_which_no_stack_was_started_has_the_default_ports(tmp_path: Path) -> None:
    assert Layout(tmp_path).as_remembered() == Layout(tmp_path)
