"""The client's trace, where a request carries one: continued when well-formed, ignored when not.

A bad trace never fails a call. Format: https://www.w3.org/TR/trace-context/#traceparent-header
"""

import re
from collections.abc import Mapping
from typing import Any

from mcp_frontend.protocol.headers import Headers

TRACE_PARENT = "traceparent"

# Version 00 has exactly these four fields. All-zero ids and version ff are invalid by the format.
_TRACE_PARENT = re.compile(r"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")


def trace_parent(meta: Mapping[str, Any], headers: Headers) -> str | None:
    """The traceparent of `_meta`, else that of the HTTP request, else None.

    `_meta` is the client's own; the header may be a proxy's.
    """
    lines = headers.values(TRACE_PARENT)
    for value in (meta.get(TRACE_PARENT), lines[0] if len(lines) == 1 else None):
        if isinstance(value, str) and (found := trace_parent_of(value)):
            return found
    return None


def trace_parent_of(text: str) -> str | None:
    """The text, if it is a traceparent."""
    return text if _TRACE_PARENT.fullmatch(text) else None
