"""What a client says about itself: which shapes pass, and when a person can be asked in the chat."""

from typing import Any

import pytest

from mcp_frontend.protocol.envelope import Envelope, meta_of, read_envelope
from mcp_frontend.protocol.errors import INVALID_PARAMS, InvalidEnvelope
from mcp_frontend.protocol.model import ClientInfo
from tests.support.wire import CAPABILITIES_KEY, CLIENT_KEY, EMPTY_ARRAY, EMPTY_OBJECT

LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
LOG_LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]


def envelope_of(capabilities: Any) -> Envelope:
    return read_envelope({CAPABILITIES_KEY: capabilities})


@pytest.mark.parametrize("params", [{}, {"_meta": None}, {"_meta": []}, {"_meta": "x"}, {"meta": {"a": 1}}])
def test_params_without_a_meta_object_hold_no_envelope(params: dict[str, Any]) -> None:
    assert meta_of(params) == {}


def test_empty_capabilities_are_an_envelope_of_a_client_that_says_nothing() -> None:
    assert envelope_of({}) == Envelope(can_ask_in_chat=False, info=None)


@pytest.mark.parametrize(
    ("elicitation", "can_ask"),
    [
        ({}, True),
        ({"form": {}}, True),
        ({"form": {}, "url": {}}, True),
        ({"url": {}}, False),
        ({"voice": {}}, False),
        ({"form": None}, False),
        ({"form": None, "url": {}}, False),
        (None, False),
    ],
)
def test_a_person_can_be_asked_in_the_chat_where_forms_are_declared(elicitation: Any, can_ask: bool) -> None:
    assert envelope_of({"elicitation": elicitation}).can_ask_in_chat is can_ask


def test_sampling_and_roots_do_not_let_a_person_be_asked() -> None:
    assert envelope_of({"sampling": {"context": {}, "tools": {}}, "roots": {}}).can_ask_in_chat is False


def test_capabilities_of_the_clients_own_may_be_anything() -> None:
    assert envelope_of({"x-own": True, "Elicitation": 1, "experimental": {"a": {}}, "extensions": {}}) == Envelope(
        False, None
    )


WRONG_CAPABILITIES: list[dict[str, Any]] = [
    *({name: value} for name in ("elicitation", "sampling", "roots") for value in (True, "form", EMPTY_ARRAY, 1)),
    {"experimental": []},
    {"extensions": "x"},
    {"elicitation": {"form": True}},
    {"elicitation": {"url": []}},
    {"sampling": {"tools": 1}},
    {"sampling": {"context": "x"}},
]


@pytest.mark.parametrize("capabilities", WRONG_CAPABILITIES)
def test_a_known_capability_of_the_wrong_type_is_refused(capabilities: Any) -> None:
    with pytest.raises(InvalidEnvelope) as caught:
        envelope_of(capabilities)
    assert (caught.value.code, caught.value.status) == (INVALID_PARAMS, 400)


@pytest.mark.parametrize("name", ["elicitation", "sampling", "roots", "experimental", "extensions"])
def test_null_declares_no_capability(name: str) -> None:
    assert envelope_of({name: None}) == Envelope(False, None)


@pytest.mark.parametrize("meta", [{}, *({CAPABILITIES_KEY: value} for value in (None, EMPTY_ARRAY, "{}", True, 1))])
def test_capabilities_must_be_there_as_an_object(meta: dict[str, Any]) -> None:
    with pytest.raises(InvalidEnvelope) as caught:
        read_envelope(meta)
    assert caught.value.message == f"params._meta must hold {CAPABILITIES_KEY} as an object"


def test_the_client_names_itself_and_may_say_more() -> None:
    info: dict[str, Any] = {"name": "<b>app</b>", "version": "", "title": "App", "icons": []}
    assert read_envelope({CAPABILITIES_KEY: {}, CLIENT_KEY: info}) == Envelope(False, ClientInfo("<b>app</b>", ""))


@pytest.mark.requirement("stateless.client-info-typed")
@pytest.mark.parametrize("info", ["app", [], {}, {"name": "a"}, {"version": "1"}, {"name": 1, "version": "1"}])
def test_a_client_that_names_itself_does_it_with_name_and_version(info: Any) -> None:
    with pytest.raises(InvalidEnvelope, match="name and version"):
        read_envelope({CAPABILITIES_KEY: {}, CLIENT_KEY: info})


@pytest.mark.parametrize(
    "extra",
    [
        *({LOG_LEVEL_KEY: level} for level in LOG_LEVELS),
        {"progressToken": "a"},
        {"progressToken": 0},
        {LOG_LEVEL_KEY: None, "progressToken": None, CLIENT_KEY: None},
        {"traceparent": 7, "tracestate": None, "baggage": []},
        {"io.modelcontextprotocol/subscriptionId": 1, "com.example/key": True},
    ],
)
def test_what_has_no_effect_here_does_no_harm(extra: dict[str, Any]) -> None:
    assert read_envelope({CAPABILITIES_KEY: {}, **extra}) == Envelope(False, None)


@pytest.mark.requirement("stateless.progress-token-typed", "stateless.log-level-known")
@pytest.mark.parametrize(
    "extra",
    [
        *({LOG_LEVEL_KEY: level} for level in ("verbose", "DEBUG", "", 1, EMPTY_ARRAY, EMPTY_OBJECT)),
        *({"progressToken": token} for token in (True, 1.5, EMPTY_ARRAY, EMPTY_OBJECT)),
    ],
)
def test_log_level_and_progress_token_have_the_types_of_the_specification(extra: dict[str, Any]) -> None:
    with pytest.raises(InvalidEnvelope):
        read_envelope({CAPABILITIES_KEY: {}, **extra})
