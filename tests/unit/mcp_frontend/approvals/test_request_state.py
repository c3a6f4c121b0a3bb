"""requestState: what seals, what opens, and what every other text is worth."""

import base64
from dataclasses import replace
from datetime import timedelta

import pytest

from mcp_frontend.approvals.request_state import (
    LIFETIME_SECONDS,
    LIMIT_CHARACTERS,
    Expired,
    Invalid,
    Question,
    RequestStates,
    Valid,
)
from mcp_frontend.caller import Caller
from mcp_frontend.sealing import SealingKeyError, SealingRing
from tests.support.clock import FakeClock
from tests.support.keys import CountingRandomness, state_keys

CALLER = Caller("https://issuer", "person-1", "organization-1", "client-1", None, frozenset(), "token-1", 0)
QUESTION = Question(CALLER, "tools/call", "kadu_tasks_delete", {"id": "t1", "n": 9007199254740993})


def _states(keys: str, clock: FakeClock | None = None) -> RequestStates:
    return RequestStates(SealingRing(keys, CountingRandomness()), clock or FakeClock(), CountingRandomness())


def _flip(state: str, at: int) -> str:
    replacement = "A" if state[at] != "A" else "B"
    return state[:at] + replacement + state[at + 1 :]


def test_a_state_opens_for_the_question_that_it_was_sealed_for() -> None:
    states = _states(state_keys())
    opened = states.open(states.seal(QUESTION, key="confirm", attempt=3), QUESTION)
    # The first sixteen bytes of the counting randomness, in base64url.
    assert opened == Valid(base64.urlsafe_b64encode(bytes(15) + b"\x01").rstrip(b"=").decode(), "confirm", 3)


def test_every_state_has_a_confirmation_id_of_its_own() -> None:
    states = _states(state_keys())
    opened = [states.open(states.seal(QUESTION, key="confirm", attempt=1), QUESTION) for _ in range(2)]
    assert len({each.confirmation_id for each in opened if isinstance(each, Valid)}) == 2


@pytest.mark.requirement("confirmation.state-sealed")
def test_a_state_tells_nothing_of_what_it_holds() -> None:
    state = _states(state_keys()).seal(QUESTION, key="confirm", attempt=1)
    prefix, sealed = state.rsplit(".", 1)
    data = base64.urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4))
    assert prefix == "v1.s1"
    assert b"kadu_tasks_delete" not in data
    assert b"confirm" not in data


@pytest.mark.requirement("confirmation.state-bound")
@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (replace(QUESTION, tool="kadu_tasks_run"), "other tool"),
        (replace(QUESTION, method="prompts/get"), "other method"),
        (replace(QUESTION, arguments={"id": "t1", "n": 9007199254740992}), "other arguments"),
        (replace(QUESTION, arguments={"id": "t1"}), "other arguments"),
        (replace(QUESTION, caller=replace(CALLER, subject="person-2")), "other principal"),
        (replace(QUESTION, caller=replace(CALLER, organization_id="organization-2")), "other principal"),
        (replace(QUESTION, caller=replace(CALLER, client_id="client-2")), "other principal"),
        (replace(QUESTION, caller=replace(CALLER, issuer="https://other")), "other principal"),
        (replace(QUESTION, tool="kadu_tasks_run", arguments={}), "other tool, arguments"),
    ],
)
def test_a_state_is_worth_nothing_for_another_question(other: Question, reason: str) -> None:
    states = _states(state_keys())
    assert states.open(states.seal(QUESTION, key="confirm", attempt=1), other) == Invalid(reason)


def test_a_new_token_of_the_same_person_and_client_opens_the_state() -> None:
    states = _states(state_keys())
    renewed = replace(CALLER, token_id="token-2", expires_at=99, scopes=frozenset({"kadu.read"}), client_name="New")
    opened = states.open(states.seal(QUESTION, key="confirm", attempt=1), replace(QUESTION, caller=renewed))
    assert isinstance(opened, Valid)


def test_the_order_of_the_arguments_does_not_matter() -> None:
    states = _states(state_keys())
    state = states.seal(replace(QUESTION, arguments={"a": 1, "b": {"c": 2, "d": 3}}), key="confirm", attempt=1)
    assert isinstance(states.open(state, replace(QUESTION, arguments={"b": {"d": 3, "c": 2}, "a": 1})), Valid)


def test_a_state_expires_ten_minutes_after_the_question() -> None:
    clock = FakeClock()
    states = _states(state_keys(), clock)
    state = states.seal(QUESTION, key="confirm", attempt=1)
    assert LIFETIME_SECONDS == 600
    clock.advance(timedelta(seconds=599))
    assert isinstance(states.open(state, QUESTION), Valid)
    clock.advance(timedelta(seconds=1))
    assert states.open(state, QUESTION) == Expired()


def test_an_expired_state_of_another_question_is_invalid_not_expired() -> None:
    clock = FakeClock()
    states = _states(state_keys(), clock)
    state = states.seal(QUESTION, key="confirm", attempt=1)
    clock.advance(timedelta(hours=1))
    assert states.open(state, replace(QUESTION, tool="kadu_tasks_run")) == Invalid("other tool")


@pytest.mark.requirement("confirmation.state-integrity")
def test_every_single_changed_character_is_found() -> None:
    states = _states(state_keys())
    state = states.seal(QUESTION, key="confirm", attempt=1)
    opened = [states.open(_flip(state, at), QUESTION) for at in range(len(state))]
    assert [type(each) for each in opened] == [Invalid] * len(state)


@pytest.mark.requirement("confirmation.state-integrity")
@pytest.mark.parametrize(
    "state",
    [
        "",
        ".",
        "..",
        "v1",
        "v1.s1",
        "v1.s1.",
        "v1.s1.AAAA",
        "v2.s1.AAAA",
        "v1.unknown.AAAA",
        "v1.s1.!!!!",
        "v1.s1.çççç",
        "v1.s1." + "A" * LIMIT_CHARACTERS,
        "\ud800",
        "v1.s1.\ud800",
    ],
)
def test_any_other_text_is_invalid(state: str) -> None:
    assert isinstance(_states(state_keys()).open(state, QUESTION), Invalid)


@pytest.mark.requirement("confirmation.replicas")
def test_a_replica_opens_what_another_one_with_the_same_ring_sealed() -> None:
    keys = state_keys()
    assert isinstance(_states(keys).open(_states(keys).seal(QUESTION, key="confirm", attempt=1), QUESTION), Valid)


@pytest.mark.requirement("confirmation.replicas")
def test_a_rotated_ring_opens_what_its_older_key_sealed_and_seals_with_the_new_one() -> None:
    old = state_keys("old")
    rotated = state_keys("new").replace("]}", ", " + old.removeprefix('{"keys": ['))
    state = _states(old).seal(QUESTION, key="confirm", attempt=1)
    assert isinstance(_states(rotated).open(state, QUESTION), Valid)
    assert _states(rotated).seal(QUESTION, key="confirm", attempt=1).startswith("v1.new.")


def test_a_key_that_left_the_ring_opens_nothing() -> None:
    state = _states(state_keys("old")).seal(QUESTION, key="confirm", attempt=1)
    assert _states(state_keys("new")).open(state, QUESTION) == Invalid("unknown key")


def test_another_key_with_the_same_id_opens_nothing() -> None:
    state = _states(state_keys()).seal(QUESTION, key="confirm", attempt=1)
    assert _states(state_keys()).open(state, QUESTION) == Invalid("forged or damaged")


@pytest.mark.parametrize(
    ("ring", "reason"),
    [
        ("", "no JWK Set"),
        ("[]", "no JWK Set"),
        ('{"keys": []}', "empty"),
        ('{"keys": [{"kty": "oct", "kid": "s", "k": "c2hvcnQ"}]}', "256 bits"),
        ('{"keys": [{"kty": "oct", "k": "%s"}]}' % ("A" * 43), "kid"),
        ('{"keys": [{"kty": "oct", "kid": "a.b", "k": "%s"}]}' % ("A" * 43), "kid"),
    ],
)
def test_a_ring_that_cannot_seal_is_refused_with_its_reason(ring: str, reason: str) -> None:
    with pytest.raises(SealingKeyError, match=reason):
        _states(ring)
