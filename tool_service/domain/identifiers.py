"""Ids in arguments: text that may or may not be a UUID, and what to answer when it is not."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from tool_service.domain.errors import InvalidArguments, NotFound
from tool_service.domain.language import Localized

# Before the name of an operation, as MCP clients know it.
TOOL_PREFIX = "kadu_"

IdText = Annotated[str, Field(min_length=1, max_length=64)]


def existing_id(text: str, param: str = "id") -> UUID:
    """The id of an object that the caller names.

    Raises:
        NotFound: the text is no id, so nothing can have it.
    """
    try:
        return UUID(text)
    except ValueError:
        raise NotFound(param=param) from None


def filter_id(text: str, param: str) -> UUID:
    """The id that a list is cut to.

    Raises:
        InvalidArguments: the text is no id; an empty list would hide the mistake.
    """
    try:
        return UUID(text)
    except ValueError:
        detail = Localized(pt="Informe um id (UUID).", en="Give an id (UUID).")
        raise InvalidArguments("validation_error", detail, param=param) from None


def ids_beginning_with(text: str) -> tuple[UUID, UUID] | None:
    """The first and the last id whose text begins so; None when no id can.

    A range of ids, unlike a pattern over their text, is the same question to every database.
    """
    beginning = text.lower()
    first, last = (f"{beginning}{filler[len(beginning) :]}" for filler in (str(UUID(int=0)), str(UUID(int=2**128 - 1))))
    try:
        ids = UUID(first), UUID(last)
    except ValueError:
        return None
    # UUID() also reads other spellings, such as with braces; none of ours begins so.
    return ids if (str(ids[0]), str(ids[1])) == (first, last) else None
