"""Key rings as text, from the setting itself or from the file that it names."""

from mcp_frontend.settings import KeyRing


class KeyRingUnreadable(Exception):
    """The file is not there or may not be read; the message names it."""


def read_key_ring(ring: KeyRing) -> str:
    """The text of a JWK Set.

    Raises:
        KeyRingUnreadable: see there.
    """
    if ring.text is not None:
        return ring.text.reveal()
    try:
        return ring.file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror or "refused").lower() if isinstance(error, OSError) else "it is no text"
        raise KeyRingUnreadable(f"cannot read the key file {ring.file} ({reason})") from error
