"""Which era answers, in which revision, and what is said to versions that are not served."""

from typing import Any

import pytest

from mcp_frontend.protocol.model import Discovered, Initialize, ListTools, Pong
from tests.conformance.samples import TOOLS
from tests.support.wire import (
    CAPABILITIES_KEY,
    EMPTY_ARRAY,
    EMPTY_OBJECT,
    ENVELOPE,
    FIRST_HANDSHAKE,
    HANDSHAKE,
    SERVED,
    STATELESS,
    VERSION_KEY,
    Answer,
    answered,
    error_body,
    exchanged,
    handshake,
    stateless,
)

NOT_SERVED = ["2025-11-25", "2024-11-05", "1999-01-01", "v999.0.0", "2026-07-29", "2026-07-28x", "2025-6-18", ""]


def unsupported(requested: str, request_id: Any = 1) -> Answer:
    data = {"supported": SERVED, "requested": requested}
    return Answer(400, {}, error_body(request_id, -32022, "Unsupported protocol version", data))


@pytest.mark.requirement("versions.body-decides", "versions.answered")
def test_the_envelope_makes_a_message_stateless() -> None:
    answer = answered(stateless("server/discover"), Discovered())
    assert (answer.status, answer.headers) == (200, {"MCP-Protocol-Version": STATELESS})


@pytest.mark.requirement("versions.no-downgrade")
@pytest.mark.parametrize("method", ["server/discover", "tools/list", "initialize", "ping", "nope/nothing"])
@pytest.mark.parametrize(
    "params",
    [
        None,
        EMPTY_OBJECT,
        {"_meta": EMPTY_OBJECT},
        {"_meta": None},
        {"_meta": [VERSION_KEY]},
        {"_meta": {CAPABILITIES_KEY: EMPTY_OBJECT}},
        {VERSION_KEY: STATELESS},
    ],
)
def test_the_stateless_header_without_envelope_is_rejected_not_downgraded(method: str, params: Any) -> None:
    message = handshake(method, params, version=STATELESS).with_header("Mcp-Method", method)
    assert answered(message) == Answer(400, {}, error_body(1, -32602, f"params._meta must hold {VERSION_KEY}"))


@pytest.mark.requirement("versions.header-required")
def test_an_envelope_without_version_header_is_a_mismatch() -> None:
    answer = answered(stateless("tools/list").without_header("MCP-Protocol-Version"))
    assert answer == Answer(400, {}, error_body(1, -32020, "Header mismatch: MCP-Protocol-Version is missing"))


@pytest.mark.requirement("versions.header-equals-envelope", "versions.mismatch-before-unsupported")
@pytest.mark.parametrize(
    ("envelope", "header"),
    [
        (STATELESS, HANDSHAKE),
        (STATELESS, "1999-01-01"),
        (STATELESS, ""),
        ("v999.0.0", STATELESS),
        ("2025-11-25", "1999-01-01"),
        (HANDSHAKE, STATELESS),
        (HANDSHAKE, FIRST_HANDSHAKE),
    ],
)
def test_a_version_header_that_differs_from_the_envelope_is_a_mismatch_first_of_all(envelope: str, header: str) -> None:
    answer = answered(stateless("tools/list", version=envelope).with_header("MCP-Protocol-Version", header))
    message = f"Header mismatch: MCP-Protocol-Version does not equal {VERSION_KEY} in the body"
    assert answer == Answer(400, {}, error_body(1, -32020, message))


@pytest.mark.requirement("versions.unsupported", "versions.no-date-order")
@pytest.mark.parametrize("version", [*NOT_SERVED, HANDSHAKE, FIRST_HANDSHAKE])
def test_an_envelope_of_a_version_that_is_not_served_is_told_which_are(version: str) -> None:
    assert answered(stateless("tools/list", version=version)) == unsupported(version)


@pytest.mark.requirement("versions.unsupported")
@pytest.mark.parametrize("meta", [{VERSION_KEY: "2027-01-01"}, {VERSION_KEY: "2027-01-01", CAPABILITIES_KEY: 7}])
def test_a_later_revision_with_another_envelope_is_told_the_versions_not_what_it_lacks(meta: Any) -> None:
    assert answered(stateless("tools/list", meta=meta, version="2027-01-01")) == unsupported("2027-01-01")


@pytest.mark.requirement("versions.unsupported", "versions.no-date-order", "versions.answered")
@pytest.mark.parametrize("version", NOT_SERVED)
@pytest.mark.parametrize("method", ["tools/list", "ping", "server/discover", "nope/nothing"])
def test_a_header_of_a_version_that_is_not_served_is_told_which_are(method: str, version: str) -> None:
    assert answered(handshake(method, request_id="h", version=version)) == unsupported(version, "h")


@pytest.mark.requirement("versions.string")
@pytest.mark.parametrize("version", [None, 20260728, True, EMPTY_ARRAY, {"v": STATELESS}])
def test_an_envelope_version_that_is_no_string_is_refused(version: Any) -> None:
    answer = answered(stateless("tools/list", meta={**ENVELOPE, VERSION_KEY: version}))
    assert answer == Answer(400, {}, error_body(1, -32602, f"{VERSION_KEY} must be a string"))


@pytest.mark.requirement("versions.absent-header", "versions.answered")
def test_a_message_that_names_no_version_is_of_the_first_revision() -> None:
    answer = answered(handshake("ping", version=None), Pong())
    assert (answer.status, answer.headers) == (200, {"MCP-Protocol-Version": FIRST_HANDSHAKE})


@pytest.mark.requirement("versions.handshake-header", "versions.answered")
@pytest.mark.parametrize("version", [HANDSHAKE, FIRST_HANDSHAKE])
def test_a_handshake_version_is_answered_as_itself(version: str) -> None:
    assert answered(handshake("tools/list", version=version), TOOLS).headers == {"MCP-Protocol-Version": version}
    assert answered(handshake("nope/nothing", version=version)).headers == {"MCP-Protocol-Version": version}


@pytest.mark.requirement("versions.meta-is-no-envelope")
@pytest.mark.parametrize("version", [HANDSHAKE, FIRST_HANDSHAKE, None])
@pytest.mark.parametrize("meta", [{"progressToken": 3}, {CAPABILITIES_KEY: EMPTY_OBJECT}, EMPTY_OBJECT])
def test_a_meta_without_version_key_stays_with_the_handshake(version: str | None, meta: Any) -> None:
    exchange = exchanged(handshake("tools/list", {"_meta": meta}, version=version))
    assert (exchange.version, exchange.request) == (version or FIRST_HANDSHAKE, ListTools())


@pytest.mark.requirement("versions.handshake-by-body", "versions.answered")
@pytest.mark.parametrize("header", [None, HANDSHAKE, FIRST_HANDSHAKE, "2025-11-25"])
@pytest.mark.parametrize(
    ("asked", "negotiated"),
    [
        (HANDSHAKE, HANDSHAKE),
        (FIRST_HANDSHAKE, FIRST_HANDSHAKE),
        ("2025-11-25", HANDSHAKE),
        (STATELESS, HANDSHAKE),
        ("1999-01-01", HANDSHAKE),
        ("", HANDSHAKE),
    ],
)
def test_initialize_is_negotiated_by_its_body_whatever_2025_its_header_names(
    header: str | None, asked: str, negotiated: str
) -> None:
    exchange = exchanged(handshake("initialize", {"protocolVersion": asked}, version=header))
    assert (exchange.version, exchange.request) == (negotiated, Initialize(negotiated))


@pytest.mark.requirement("versions.handshake-by-body")
@pytest.mark.parametrize("header", ["2024-11-05", "1999-01-01", "2025-12-31", ""])
def test_initialize_with_a_header_of_no_2025_revision_is_told_the_versions(header: str) -> None:
    assert answered(handshake("initialize", {"protocolVersion": HANDSHAKE}, version=header)) == unsupported(header)


@pytest.mark.requirement("versions.one-header-line")
def test_two_lines_of_the_version_header_are_a_mismatch_in_every_era() -> None:
    message = "Header mismatch: MCP-Protocol-Version occurs more than once"
    for version, sent in ((STATELESS, stateless("tools/list")), (HANDSHAKE, handshake("tools/list"))):
        answer = answered(sent.and_header("mcp-protocol-version", version))
        assert answer == Answer(400, {}, error_body(1, -32020, message))
