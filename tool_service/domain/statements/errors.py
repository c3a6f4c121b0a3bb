"""Why a statement cannot be read, in the words of the person who sent it.

Unreadable         one value (an amount, a date) makes no sense; whoever knows the place adds it
StatementError     the same with file and line: what the person is told
"""

from tool_service.domain.language import Language, Localized


class Unreadable(ValueError):
    """A single value that cannot be understood."""

    def __init__(self, what: Localized) -> None:
        super().__init__(what.en)
        self.what = what


class StatementError(Exception):
    """A file that cannot be read, and the line (from 1) where that shows."""

    def __init__(self, filename: str, line: int, what: Localized) -> None:
        super().__init__(f"{filename}, line {line}: {what.en}")
        self.filename = filename
        self.line = line
        self.what = what

    def message(self, language: Language) -> str:
        """ "extrato.csv, linha 17: ..." """
        word = Localized(pt="linha", en="line").in_(language)
        return f"{self.filename}, {word} {self.line}: {self.what.in_(language)}"
