"""What travels beside a call is safe for metadata, logs and people's eyes."""

import pytest

from mcp_frontend.dispatch.ports import CallDetails
from mcp_frontend.protocol.headers import Headers
from mcp_frontend.protocol.model import ClientInfo, Exchange, Ping
from mcp_frontend.protocol.negotiation import ERAS
from mcp_frontend.web.call_details import details_of


def _exchange(client: ClientInfo | None = None, trace_parent: str | None = None) -> Exchange:
    return Exchange(ERAS[0], "", 1, Ping(), client=client, trace_parent=trace_parent)


def test_language_trace_and_client_go_along() -> None:
    headers = Headers([(b"Accept-Language", b"pt-BR"), (b"accept-language", b"en;q=0.5")])
    exchange = _exchange(ClientInfo("Claude", "1"), "00-trace")
    assert details_of(exchange, headers, "r") == CallDetails("r", "pt-BR,en;q=0.5", "00-trace", "Claude")


def test_nothing_is_made_up_for_what_was_not_sent() -> None:
    assert details_of(_exchange(), Headers(), "r") == CallDetails("r", "", None, None)


@pytest.mark.parametrize(
    ("claim", "shown"),
    [
        ("  Claude\r\nCode\x00 ", "ClaudeCode"),
        ("Kadu\u202eudaK\u200b", "KaduudaK"),
        ("\u2066\u2069", None),
        ("", None),
        ("x" * 101, "x" * 100),
        ("Conciliação ✓", "Conciliação ✓"),
    ],
)
def test_a_client_cannot_disguise_its_name(claim: str, shown: str | None) -> None:
    assert details_of(_exchange(ClientInfo(claim, "1")), Headers(), "r").client_name == shown


@pytest.mark.parametrize(("value", "kept"), [(b"pt\xe9", ""), (b"e" * 300, "e" * 200)])
def test_a_language_that_is_no_header_text_is_dropped_or_cut(value: bytes, kept: str) -> None:
    assert details_of(_exchange(), Headers([(b"accept-language", value)]), "r").accept_language == kept
