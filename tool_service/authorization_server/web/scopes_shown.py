"""Scopes as a person sees them: what each allows, in plain words, and whether their role lets it count."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tool_service.authorization_server.web.words import SCOPE_WORDS
from tool_service.domain.caller import Role
from tool_service.domain.language import Language
from tool_service.domain.scopes import READ

ScopeRoles = Callable[[str], Role | None]
"""The weakest role with which a scope opens anything; None where nothing uses it."""


@dataclass(frozen=True, slots=True)
class ShownScope:
    name: str
    text: str
    only_reads: bool
    role_forbids: bool


def shown_scopes(
    scopes: Iterable[str], role: Role | None, role_of_scope: ScopeRoles, language: Language
) -> list[ShownScope]:
    """In the order of the catalogue of scopes: first those that only read, then from the mildest to the strongest."""
    known = [name for name in SCOPE_WORDS if name in set(scopes)]
    return [
        ShownScope(
            name=name,
            text=SCOPE_WORDS[name].in_(language),
            only_reads=name in READ,
            role_forbids=role is not None and (needed := role_of_scope(name)) is not None and not role.includes(needed),
        )
        for name in known
    ]
