"""Several values in one text argument: "failed,expired"."""

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeVar

from tool_service.domain.errors import InvalidArguments
from tool_service.domain.language import Localized

Chosen = TypeVar("Chosen", bound=StrEnum)


def comma_list(text: str) -> tuple[str, ...]:
    """The items without blanks round them and without empty or repeated ones, in their order."""
    return tuple(dict.fromkeys(item for part in text.split(",") if (item := part.strip())))


def chosen_from(values: type[Chosen], text: str, param: str) -> Sequence[Chosen]:
    """The items as values of that enumeration.

    Raises:
        InvalidArguments: one is none of them, or there is no item.
    """
    names = comma_list(text)
    if not names or any(name not in set(values) for name in names):
        accepted = ", ".join(values)
        detail = Localized(pt=f"Valores aceitos: {accepted}.", en=f"Accepted values: {accepted}.")
        raise InvalidArguments("validation_error", detail, param=param)
    return [values(name) for name in names]
