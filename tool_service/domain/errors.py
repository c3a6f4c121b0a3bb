"""What a caller can act on. A kind is a class, a code is a row of the catalogue.

OperationError
├── InvalidArguments      fix an argument and call again
├── PermissionDenied      the scope, the role or the object's permission forbids it
│   └── InsufficientScope the token lacks a scope that the person may grant
├── NotFound              no such object for this caller
├── Conflict              the object's state does not allow it
├── Gone                  the content was removed for good
├── LimitExceeded         a plan, cost, rate or queue limit is used up
└── Declined              a person said no
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tool_service.domain.language import Localized


@dataclass(frozen=True, slots=True)
class Problem:
    """One item of an error body."""

    code: str
    detail: Localized | None = None
    param: str | None = None


class OperationError(Exception):
    """The caller can act on this; everything else that is raised is our fault."""

    def __init__(
        self,
        code: str,
        detail: Localized | None = None,
        *,
        param: str | None = None,
        retry_after_seconds: int | None = None,
    ) -> None:
        super().__init__(code)
        self.problems: Sequence[Problem] = (Problem(code, detail, param),)
        self.retry_after_seconds = retry_after_seconds

    @property
    def code(self) -> str:
        return self.problems[0].code


class InvalidArguments(OperationError):
    @classmethod
    def of(cls, problems: Sequence[Problem]) -> "InvalidArguments":
        """Several problems at once, in the order of the arguments."""
        error = cls(problems[0].code)
        error.problems = tuple(problems)
        return error


class PermissionDenied(OperationError):
    pass


class InsufficientScope(PermissionDenied):
    def __init__(self, required: frozenset[str], missing: frozenset[str]) -> None:
        names = ", ".join(sorted(missing))
        super().__init__(
            "insufficient_scope",
            Localized(
                pt=f"Para acessar esse recurso você precisa do escopo {names}.",
                en=f"To use this you need the scope {names}.",
            ),
        )
        self.required = required


class NotFound(OperationError):
    def __init__(self, code: str = "not_found", detail: Localized | None = None, *, param: str | None = None) -> None:
        super().__init__(code, detail, param=param)


class Conflict(OperationError):
    pass


class Gone(OperationError):
    pass


class LimitExceeded(OperationError):
    pass


class Declined(OperationError):
    pass
