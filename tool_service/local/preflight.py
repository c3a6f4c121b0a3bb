"""What can stand in the way of a local stack, found before anything is started or written."""

import socket
import tempfile

from tool_service.local.layout import Layout


class LocalFault(Exception):
    """The stack cannot start or go on; the message tells the person what to do about it."""


def refuse_unfit(layout: Layout) -> None:
    """Look whether the folder can be written and the ports are free.

    Raises:
        LocalFault: naming the first thing in the way.
    """
    try:
        layout.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=layout.folder):
            pass
    except OSError as error:
        raise LocalFault(
            f"The folder {layout.folder} cannot be written ({error.strerror}); choose another one with --data-dir."
        ) from error
    for option, port in layout.ports.items():
        if not _is_free(port):
            raise LocalFault(
                f"Port {port} is in use, perhaps by another `make run`; end that, or choose another port: "
                f'make run ARGS="{option} {port + 100}"'
            )


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As the servers do: connections of an ended server that linger do not count.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
