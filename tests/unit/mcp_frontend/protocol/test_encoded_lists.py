"""What is remembered of a list, for how long, and that memory never changes an answer."""

from collections.abc import Sequence

from mcp_frontend.protocol.encoded_lists import EncodedLists


class CountingEncoder:
    """Encodes by joining, and says what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, items: Sequence[str]) -> bytes:
        self.asked.append(list(items))
        return ",".join(items).encode()


def test_the_same_tuple_is_encoded_once() -> None:
    lists, encode = EncodedLists(), CountingEncoder()
    items = ("a", "b")
    assert [lists.bytes_of(items, encode) for _ in range(3)] == [b"a,b"] * 3
    assert encode.asked == [["a", "b"]]


def test_an_equal_tuple_is_another_list() -> None:
    lists, encode = EncodedLists(), CountingEncoder()
    # Built at run time, or the compiler makes one of the two.
    first, second = (tuple("a") for _ in range(2))
    assert first is not second
    assert lists.bytes_of(first, encode) == lists.bytes_of(second, encode) == b"a"
    assert len(encode.asked) == 2


def test_a_list_that_can_change_is_encoded_every_time() -> None:
    lists, encode = EncodedLists(), CountingEncoder()
    items = ["a"]
    assert lists.bytes_of(items, encode) == b"a"
    items.append("b")
    assert lists.bytes_of(items, encode) == b"a,b"


def test_lists_that_came_and_went_are_never_mistaken_for_one_another() -> None:
    # Without the tuple being kept, a new one takes the place in memory of one that is gone.
    lists, encode = EncodedLists(limit=3), CountingEncoder()
    for number in range(1000):
        assert lists.bytes_of((str(number),), encode) == str(number).encode()


def test_the_list_unused_for_longest_is_forgotten_first() -> None:
    lists, encode = EncodedLists(limit=2), CountingEncoder()
    kept, lost, new = ("kept",), ("lost",), ("new",)
    for items in (kept, lost, kept, new, kept, lost):
        lists.bytes_of(items, encode)
    assert encode.asked == [["kept"], ["lost"], ["new"], ["lost"]]
