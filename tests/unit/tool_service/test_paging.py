"""Cursors: bound to their list, filter and organization, good for a day, and absent behind the last page."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated
from uuid import UUID

import pytest
from pydantic import MISSING, Field

from tests.support.clock import NOON, FakeClock, fake_id
from tests.support.fake_sealer import FakeSealer
from tool_service.domain.paging import Cursors, InvalidCursor, Key, ListArguments

ORGANIZATION, ANOTHER = fake_id(1), fake_id(2)
KEYS = [Key(NOON - timedelta(minutes=n), fake_id(100 - n)) for n in range(3)]


class Wanted(ListArguments):
    q: Annotated[str, Field(description="Text.")] | MISSING = MISSING


class Desk:
    """Cursors with a clock, and the first page's cursor of the list "tasks"."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.cursors = Cursors(FakeSealer(), self.clock)

    def page(self, arguments: Wanted, rows: Sequence[Key] = KEYS) -> tuple[Sequence[Key], str | None]:
        return self.cursors.before_next(rows, lambda row: row, arguments, "tasks", ORGANIZATION)

    def cursor(self, arguments: Wanted) -> str:
        _, cursor = self.page(arguments)
        assert cursor is not None
        return cursor

    def after(self, arguments: Wanted, list_name: str = "tasks", organization: UUID = ORGANIZATION) -> Key | None:
        return self.cursors.after(arguments, list_name, organization)


def test_the_first_page_begins_nowhere() -> None:
    assert Desk().after(Wanted()) is None


def test_a_page_is_cut_to_the_limit_and_continues_behind_its_last_row() -> None:
    desk = Desk()
    page, cursor = desk.page(Wanted(limit=2))
    assert list(page) == KEYS[:2]
    assert cursor is not None
    assert desk.after(Wanted(limit=2, cursor=cursor)) == KEYS[1]


@pytest.mark.parametrize("limit", [3, 4, 100])
def test_behind_the_last_page_there_is_no_cursor(limit: int) -> None:
    assert Desk().page(Wanted(limit=limit)) == (KEYS, None)
    assert Desk().page(Wanted(limit=limit), []) == ([], None)


def test_a_key_survives_to_the_microsecond() -> None:
    desk, key = Desk(), Key(NOON + timedelta(microseconds=1), fake_id(7))
    _, cursor = desk.page(Wanted(limit=1), [key, KEYS[0]])
    assert cursor is not None
    assert desk.after(Wanted(cursor=cursor)) == key


def test_the_limit_may_change_between_pages() -> None:
    desk = Desk()
    assert desk.after(Wanted(limit=50, cursor=desk.cursor(Wanted(limit=1)))) == KEYS[0]


def test_a_cursor_is_refused_for_another_filter_list_or_organization() -> None:
    desk = Desk()
    cursor = desk.cursor(Wanted(limit=1, q="a"))
    assert desk.after(Wanted(q="a", cursor=cursor)) == KEYS[0]
    for arguments in (Wanted(q="b", cursor=cursor), Wanted(cursor=cursor)):
        with pytest.raises(InvalidCursor):
            desk.after(arguments)
    with pytest.raises(InvalidCursor):
        desk.after(Wanted(q="a", cursor=cursor), list_name="executions")
    with pytest.raises(InvalidCursor):
        desk.after(Wanted(q="a", cursor=cursor), organization=ANOTHER)


def test_a_cursor_is_good_for_a_day() -> None:
    desk = Desk()
    arguments = Wanted(cursor=desk.cursor(Wanted(limit=1)))
    desk.clock.advance(timedelta(hours=24))
    assert desk.after(arguments) == KEYS[0]
    desk.clock.advance(timedelta(microseconds=1))
    with pytest.raises(InvalidCursor) as refused:
        desk.after(arguments)
    assert (refused.value.code, refused.value.problems[0].param) == ("invalid_cursor", "cursor")


def test_what_was_sealed_for_another_purpose_is_no_cursor() -> None:
    with pytest.raises(InvalidCursor):
        Desk().after(Wanted(cursor=FakeSealer().seal("file", b"{}")))


def test_the_filters_are_every_argument_but_limit_and_cursor() -> None:
    assert Wanted(limit=3, cursor="c", q="a").filters() == {"q": "a"}
    assert Wanted(limit=3).filters() == {}
