"""How much is done at a stretch, and how much at most.

A slice is what runs between two looks at the clock of a turn: about a twentieth of a second.
"""

from array import array
from collections.abc import Callable, Iterator
from heapq import merge
from typing import Any

from tool_service.domain.language import Localized
from tool_service.domain.statements.model import SourceFile

SLICE_ROWS = 5_000
ROW_LIMIT = 1_000_000
# Of all files of a turn together: what bounds its memory.
TURN_ROW_LIMIT = 2_000_000


def sorted_in_slices(count: int, key: Callable[[int], Any]) -> Iterator[int]:
    """The rows 0 to `count` - 1 by key, equal ones in their order, n log n.

    One sort() of a million rows would hold the interpreter for a second; slices that are merged do not.
    """
    slices = (range(start, min(start + SLICE_ROWS, count)) for start in range(0, count, SLICE_ROWS))
    # Arrays, since the garbage collector would walk through every list.
    return merge(*[array("l", sorted(each, key=key)) for each in slices], key=key)


def refuse_more_rows(file: SourceFile, line: int, rows: int, limit: int) -> None:
    """Raises:
    StatementError: there are more rows than the limit.
    """
    if rows > limit:
        raise file.error(
            line,
            Localized(
                pt=f"os arquivos passam de {limit} lançamentos; envie períodos menores",
                en=f"the files have more than {limit} movements; send shorter periods",
            ),
        )
