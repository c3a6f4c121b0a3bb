"""Requirements and tests hold each other: none untested, none claimed that does not exist.

A claim may stand at any test of ours, whatever its level: where a rule is proven already it is not proven again.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.conformance.requirements import requirements

TESTS = Path(__file__).resolve().parents[1]


def _claims() -> Iterator[str]:
    # Read from the sources, so that the answer is the same when only this file runs.
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "requirement":
                yield from (ast.literal_eval(argument) for argument in node.args)


REQUIRED_IDS = Counter(requirement.id for requirement in requirements())
CLAIMED_IDS = set(_claims())


def test_every_requirement_has_a_test() -> None:
    assert REQUIRED_IDS.keys() - CLAIMED_IDS == set()


def test_every_claim_is_of_a_requirement() -> None:
    assert CLAIMED_IDS - REQUIRED_IDS.keys() == set()


def test_every_requirement_has_an_id_of_its_own_and_says_who_demands_what() -> None:
    assert [each for each, count in REQUIRED_IDS.items() if count > 1] == []
    assert [item.id for item in requirements() if not (item.sentence.endswith(".") and item.source)] == []
