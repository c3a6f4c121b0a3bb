"""The WWW-Authenticate header: what a refused client has to bring (RFC 6750, RFC 9728)."""

from collections.abc import Iterable
from dataclasses import dataclass

# What a client asks for first; the rest it earns by step-up.
BASELINE_SCOPES = ("kadu.read", "kadu.tasks.run")


@dataclass(frozen=True, slots=True)
class Challenge:
    """Why a request was refused. `error` is None when no token was sent, as RFC 6750 wants it."""

    error: str | None = None
    description: str | None = None
    scopes: tuple[str, ...] = BASELINE_SCOPES

    def header(self, metadata_url: str) -> str:
        """One challenge on one line, every value quoted, every parameter once."""
        parameters = (
            ("error", self.error),
            ("error_description", self.description),
            ("resource_metadata", metadata_url),
            ("scope", " ".join(self.scopes)),
        )
        return "Bearer " + ", ".join(f'{name}="{_quotable(value)}"' for name, value in parameters if value)


# Said of a token that is good, while nobody stands behind it any more.
NOT_RECOGNIZED = Challenge(
    "invalid_token", "The access was taken back, or the person is no active member of the organization."
)


def insufficient_scope(required: Iterable[str], granted: Iterable[str]) -> Challenge:
    """The step-up: what the call needs together with what the token has.

    Some clients replace their scopes by those of the challenge instead of adding them
    (field report D20); this way neither kind loses any.
    """
    return Challenge(
        error="insufficient_scope",
        description="The access token lacks a scope that this call needs.",
        scopes=tuple(sorted({*required, *granted})),
    )


def _quotable(value: str) -> str:
    # RFC 6750 3: printable ASCII without the quote and the backslash.
    return "".join(character for character in value if " " <= character <= "~" and character not in '"\\')
