"""JSON as text that is compared, hashed and measured: one spelling for one value."""

import json
from collections.abc import Mapping
from typing import Any


def canonical_json(value: Any) -> bytes:
    """UTF-8 JSON with sorted keys and no blanks; integers keep every digit."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def depth_of(value: Any) -> int:
    """How many objects and arrays lie inside one another; 0 for a plain value."""
    if isinstance(value, Mapping):
        return 1 + max((depth_of(item) for item in value.values()), default=0)
    if isinstance(value, list | tuple):
        return 1 + max((depth_of(item) for item in value), default=0)
    return 0
