"""The URIs of resources: parsed strictly, and matched with templates (RFC 3986, RFC 6570 level 1).

A variable is percent-decoded exactly once and "+" stays "+" (field report D29). What is no URI
of ours, or only nearly one, is None: to a client it looks like a document that is not there.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote_to_bytes

ROOT = "kobana://kadu/"
URI_LIMIT = 1024
# The longest id or slug that any operation takes.
SEGMENT_LIMIT = 64

# pchar of RFC 3986 section 3.3: no "/", "?", "#" and nothing that has to be encoded.
_SEGMENT = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})+")
_VARIABLE = re.compile(r"\{([a-z_]+)\}")

Path = tuple[str, ...]


def parse_uri(uri: str) -> Path | None:
    """The decoded segments behind `kobana://kadu/`; None when this is no URI that a document could have."""
    if len(uri) > URI_LIMIT or not uri.startswith(ROOT):
        return None
    segments = [_decoded(each) for each in uri.removeprefix(ROOT).split("/")]
    path = tuple(each for each in segments if each is not None)
    return path if len(path) == len(segments) else None


def _decoded(segment: str) -> str | None:
    if not _SEGMENT.fullmatch(segment):
        return None
    try:
        text = unquote_to_bytes(segment).decode()
    except UnicodeDecodeError:
        return None
    if len(text) > SEGMENT_LIMIT or text in {".", ".."} or not text.isprintable() or not {"/", "\\"}.isdisjoint(text):
        return None
    return text


@dataclass(frozen=True)
class UriTemplate:
    """A URI of ours, some of whose segments may be variables: `kobana://kadu/tasks/{id}`.

    Raises:
        ValueError: the text is no such template.
    """

    text: str

    def __post_init__(self) -> None:
        if parse_uri(_VARIABLE.sub("x", self.text)) is None:
            raise ValueError(f"{self.text} is no URI template below {ROOT}")

    @cached_property
    def variables(self) -> tuple[str, ...]:
        return tuple(_VARIABLE.findall(self.text))

    def match(self, path: Path) -> dict[str, str] | None:
        """The variables by name, empty for a fixed URI; None when the path is another document's."""
        if len(path) != len(self._segments):
            return None
        found: dict[str, str] = {}
        for mine, theirs in zip(self._segments, path, strict=True):
            if (variable := _VARIABLE.fullmatch(mine)) is not None:
                found[variable[1]] = theirs
            elif mine != theirs:
                return None
        return found

    def overlaps(self, other: "UriTemplate") -> bool:
        """Whether one URI could match both."""
        if len(self._segments) != len(other._segments):
            return False
        pairs = zip(self._segments, other._segments, strict=True)
        return all(mine == theirs or _VARIABLE.fullmatch(mine) or _VARIABLE.fullmatch(theirs) for mine, theirs in pairs)

    @cached_property
    def _segments(self) -> Sequence[str]:
        return self.text.removeprefix(ROOT).split("/")
