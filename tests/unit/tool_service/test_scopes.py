"""Scopes and their aliases."""

import pytest

from tool_service.domain.scopes import ADMIN, ALIASES, ALL, MANAGE, OPERATE, READ, expand


def test_an_alias_stands_for_its_group() -> None:
    assert expand(frozenset({"kadu.read"})) == READ
    assert expand(frozenset({"kadu.operate", "kadu.read"})) == OPERATE
    assert expand(frozenset({"kadu.admin"})) == ALL


def test_each_group_holds_the_one_before() -> None:
    assert READ < OPERATE < MANAGE < ADMIN


def test_a_group_that_only_reads_names_nothing_that_writes() -> None:
    assert {scope.rpartition(".")[2] for scope in READ} == {"read"}


@pytest.mark.parametrize("scopes", [set[str](), {"kadu.made.up"}, {"KADU.READ"}, {"login", "openid"}])
def test_what_nobody_knows_gives_nothing(scopes: set[str]) -> None:
    assert expand(frozenset(scopes)) == frozenset()


def test_known_and_unknown_ones_are_told_apart() -> None:
    assert expand(frozenset({"kadu.tasks.run", "kadu.made.up"})) == {"kadu.tasks.run"}


def test_an_alias_is_no_scope_itself() -> None:
    assert not ALIASES.keys() & ALL


def test_expanding_twice_changes_nothing_more() -> None:
    once = expand(frozenset({"kadu.manage", "kadu.cost_cap.write"}))
    assert expand(once) == once
