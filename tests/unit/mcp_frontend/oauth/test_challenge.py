"""The challenge header, letter by letter."""

from mcp_frontend.oauth.challenge import Challenge, insufficient_scope

METADATA = "https://mcp.example/.well-known/oauth-protected-resource"


def test_without_a_token_the_header_holds_metadata_and_baseline_scopes() -> None:
    assert Challenge().header(METADATA) == f'Bearer resource_metadata="{METADATA}", scope="kadu.read kadu.tasks.run"'


def test_with_a_bad_token_the_header_also_says_so() -> None:
    assert Challenge("invalid_token", "It has expired.").header(METADATA) == (
        f'Bearer error="invalid_token", error_description="It has expired.", resource_metadata="{METADATA}", '
        'scope="kadu.read kadu.tasks.run"'
    )


def test_a_step_up_names_what_is_needed_together_with_what_is_granted() -> None:
    challenge = insufficient_scope(required={"kadu.files.write"}, granted={"kadu.tasks.read", "kadu.files.write"})
    assert challenge.error == "insufficient_scope"
    assert challenge.scopes == ("kadu.files.write", "kadu.tasks.read")


def test_no_text_can_break_out_of_its_quotes_or_its_line() -> None:
    header = Challenge("invalid_token", 'a"b\\c\r\nSet-Cookie: x=1 é').header(METADATA)
    assert 'error_description="abcSet-Cookie: x=1 "' in header
    assert "\n" not in header
    assert header.isascii()
