"""What is wrong with arguments, field by field, in words that tell what to send instead."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from tool_service.domain.errors import InvalidArguments, Problem
from tool_service.domain.language import Localized
from tool_service.domain.schema import Arguments

# Pydantic's error types (docs.pydantic.dev, "Validation Errors"), with {names} of their context.
_TEXTS: Mapping[str, Localized] = {
    "missing": Localized(pt="Campo obrigatório.", en="This field is required."),
    "extra_forbidden": Localized(pt="Campo desconhecido.", en="There is no such field."),
    "string_type": Localized(pt="Envie um texto.", en="Send a text (a JSON string)."),
    "string_too_short": Localized(pt="Curto demais: no mínimo {min_length}.", en="Too short: at least {min_length}."),
    "string_too_long": Localized(pt="Longo demais: no máximo {max_length}.", en="Too long: at most {max_length}."),
    "string_pattern_mismatch": Localized(pt="Deve seguir {pattern}.", en="It must match {pattern}."),
    "too_short": Localized(pt="Itens de menos: no mínimo {min_length}.", en="Too few items: at least {min_length}."),
    "too_long": Localized(pt="Itens demais: no máximo {max_length}.", en="Too many items: at most {max_length}."),
    "greater_than_equal": Localized(pt="O mínimo é {ge}.", en="The minimum is {ge}."),
    "less_than_equal": Localized(pt="O máximo é {le}.", en="The maximum is {le}."),
    "literal_error": Localized(pt="Valores aceitos: {expected}.", en="Accepted values: {expected}."),
    "enum": Localized(pt="Valores aceitos: {expected}.", en="Accepted values: {expected}."),
}
# Some clients send what belongs in a number, array or object as text; they are told what that was.
_WANTED: Mapping[str, Localized] = {
    "int_type": Localized(pt="Envie um número inteiro", en="Send an integer"),
    "bool_type": Localized(pt="Envie true ou false", en="Send true or false"),
    "list_type": Localized(pt="Envie uma lista", en="Send an array"),
    "dict_type": Localized(pt="Envie um objeto", en="Send an object"),
    "model_type": Localized(pt="Envie um objeto", en="Send an object"),
}
_NOT_TEXT = Localized(pt=", não um texto", en=", not text")
_NUL = Localized(pt="O caractere NUL não é aceito.", en="The character NUL is not accepted.")
_INVALID = Localized(pt="Valor inválido.", en="Invalid value.")


def parse_arguments(model: type[Arguments], arguments: Mapping[str, Any]) -> Arguments:
    """The arguments as their model.

    Raises:
        InvalidArguments: every field that is wrong, in one error.
    """
    if nuls := list(_places_of_nul(arguments, ())):
        raise InvalidArguments.of([Problem("validation_error", _NUL, _path(place)) for place in nuls])
    try:
        return model.model_validate(arguments)
    except ValidationError as error:
        raise InvalidArguments.of([_problem(found) for found in error.errors(include_url=False)]) from error


def _problem(found: Any) -> Problem:
    return Problem("validation_error", _detail(found), _path(found["loc"]))


def _detail(found: Any) -> Localized:
    if (wanted := _WANTED.get(found["type"])) is not None:
        what = _NOT_TEXT if isinstance(found["input"], str) else Localized(pt="", en="")
        return Localized(pt=f"{wanted.pt}{what.pt}.", en=f"{wanted.en}{what.en}.")
    text = _TEXTS.get(found["type"], _INVALID)
    context = found.get("ctx", {})
    return Localized(pt=text.pt.format_map(context), en=text.en.format_map(context))


def _places_of_nul(value: Any, place: tuple[int | str, ...]) -> Iterator[tuple[int | str, ...]]:
    """Where a text holds U+0000, which PostgreSQL stores neither in text nor in JSON; a key counts for its object."""
    match value:
        case str() if "\x00" in value:
            yield place
        case Mapping():
            if any("\x00" in key for key in value):
                yield place
            for key, item in value.items():
                yield from _places_of_nul(item, (*place, key))
        case list():
            for index, item in enumerate(value):
                yield from _places_of_nul(item, (*place, index))


def _path(location: Sequence[int | str]) -> str:
    """Such as "input_file_ids[0]"."""
    path = ""
    for step in location:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    return path
