"""URIs of resources: what is one, what it is decoded to, and what it matches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tool_service.domain.resource_uris import ROOT, SEGMENT_LIMIT, URI_LIMIT, UriTemplate, parse_uri

TASK = UriTemplate("kobana://kadu/tasks/{id}")
PERMISSIONS = UriTemplate("kobana://kadu/tasks/{id}/permissions")
ME = UriTemplate("kobana://kadu/me")


@pytest.mark.parametrize(
    ("escaped", "decoded"),
    [
        ("a%20b", "a b"),
        ("%C3%A9", "é"),
        ("%c3%a9", "é"),
        ("a+b", "a+b"),
        ("a%2Bb", "a+b"),
        ("100%2525", "100%25"),
        ("%2525", "%25"),
        ("a~b_c-d.e", "a~b_c-d.e"),
        ("...", "..."),
    ],
)
def test_d29_a_segment_is_decoded_once_and_a_plus_stays_a_plus(escaped: str, decoded: str) -> None:
    assert parse_uri(f"{ROOT}tasks/{escaped}") == ("tasks", decoded)


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "kobana://kadu",
        ROOT,
        "KOBANA://kadu/me",
        "https://kadu/me",
        "kobana://other/me",
        "kobana://kadu@evil/me",
        f"{ROOT}me?x=1",
        f"{ROOT}me#top",
        f"{ROOT}/me",
        f"{ROOT}me/",
        f"{ROOT}tasks/../me",
        f"{ROOT}tasks/%2e%2E",
        f"{ROOT}tasks/.",
        f"{ROOT}tasks/a%2Fb",
        f"{ROOT}tasks/a%5Cb",
        f"{ROOT}tasks/a%00b",
        f"{ROOT}tasks/a%0Ab",
        f"{ROOT}tasks/a%E2%80%AEb",
        f"{ROOT}tasks/a%",
        f"{ROOT}tasks/a%2",
        f"{ROOT}tasks/a%zz",
        f"{ROOT}tasks/%FF",
        f"{ROOT}tasks/%ED%A0%80",
        f"{ROOT}tasks/é",
        f"{ROOT}tasks/a b",
        f"{ROOT}tasks/{'a' * (SEGMENT_LIMIT + 1)}",
        f"{ROOT}{'a/' * URI_LIMIT}a",
        f"{ROOT}me\n",
        "\ud800",
    ],
)
def test_what_is_only_nearly_a_uri_of_ours_is_none(uri: str) -> None:
    assert parse_uri(uri) is None


@given(st.text())
def test_no_text_makes_the_parser_fail(text: str) -> None:
    for uri in (text, ROOT + text):
        path = parse_uri(uri)
        assert path is None or all(path)


def test_a_template_gives_its_variables_and_a_fixed_uri_gives_none() -> None:
    assert TASK.match(("tasks", "resumo")) == {"id": "resumo"}
    assert PERMISSIONS.match(("tasks", "resumo", "permissions")) == {"id": "resumo"}
    assert ME.match(("me",)) == {}


@pytest.mark.parametrize("path", [("tasks",), ("task", "a"), ("tasks", "a", "b"), ("me",)])
def test_another_path_does_not_match(path: tuple[str, ...]) -> None:
    assert TASK.match(path) is None


def test_two_templates_overlap_where_one_uri_could_mean_both() -> None:
    assert TASK.overlaps(UriTemplate("kobana://kadu/tasks/latest"))
    assert UriTemplate("kobana://kadu/{kind}/x").overlaps(UriTemplate("kobana://kadu/tasks/{id}"))
    assert not TASK.overlaps(PERMISSIONS)
    assert not TASK.overlaps(UriTemplate("kobana://kadu/files/{id}"))


@pytest.mark.parametrize("text", ["kobana://kadu/tasks/{id", "kobana://other/{id}", "kobana://kadu/a b"])
def test_what_is_no_template_cannot_be_declared(text: str) -> None:
    with pytest.raises(ValueError, match="no URI template"):
        UriTemplate(text)
