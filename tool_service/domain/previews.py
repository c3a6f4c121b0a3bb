"""What a person is shown before they say yes to a destructive call: in words, and as facts."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tool_service.domain.json_text import canonical_json
from tool_service.domain.language import Localized


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is true of the object now, such as its state."""

    label: Localized
    value: Localized


@dataclass(frozen=True, slots=True)
class Preview:
    """What the call would do to which object.

    `summary` alone must be enough to decide by: it names the object, what changes, what it can cost at most and
    where data goes. The facts say how the object stands now.
    """

    summary: Localized
    facts: tuple[Fact, ...] = ()
    cost_ceiling_cents: int | None = None
    destination: str | None = None
    """Host to which data goes."""

    @property
    def digest(self) -> str:
        """Hex SHA-256 of what was agreed to. The facts are not in it: an object may live on while a person reads."""
        return hashlib.sha256(
            canonical_json([self.summary.pt, self.summary.en, self.cost_ceiling_cents, self.destination])
        ).hexdigest()


def write_preview(preview: Preview) -> dict[str, Any]:
    """As JSON, to be kept."""
    return {
        "summary": _texts(preview.summary),
        "facts": [{"label": _texts(each.label), "value": _texts(each.value)} for each in preview.facts],
        "cost_ceiling_cents": preview.cost_ceiling_cents,
        "destination": preview.destination,
    }


def read_preview(kept: Mapping[str, Any]) -> Preview:
    return Preview(
        summary=Localized(**kept["summary"]),
        facts=tuple(Fact(Localized(**each["label"]), Localized(**each["value"])) for each in kept["facts"]),
        cost_ceiling_cents=kept["cost_ceiling_cents"],
        destination=kept["destination"],
    )


def _texts(text: Localized) -> dict[str, str]:
    return {"pt": text.pt, "en": text.en}
