"""What a file may be called, how large it may be, who sees it, when it expires."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.clock import NOON, fake_id
from tool_service.domain.caller import Caller, Channel, Identity, Role
from tool_service.domain.errors import InvalidArguments, Problem
from tool_service.domain.files import (
    File,
    FilePurpose,
    FileStatus,
    check_announcement,
    filename_problem,
    incoming_key,
    may_confirm,
    may_see,
    object_key,
)
from tool_service.domain.language import Language
from tool_service.domain.tasks import Visibility

ANA, BRUNO = fake_id(1), fake_id(2)
UPLOAD = File(
    id=fake_id(10),
    filename="extrato.csv",
    content_type="text/csv",
    size_bytes=3,
    sha256=None,
    declared_sha256=None,
    purpose=FilePurpose.INPUT,
    status=FileStatus.PENDING_UPLOAD,
    rejected_reason=None,
    execution_id=None,
    created_by=ANA,
    external_id=None,
    tags=(),
    confirmed_at=None,
    upload_expires_at=NOON + timedelta(minutes=15),
    created_at=NOON,
    updated_at=NOON,
)
OUTPUT = replace(UPLOAD, purpose=FilePurpose.OUTPUT, status=FileStatus.READY, execution_id=fake_id(20))


def _caller(role: Role, member_id: object = BRUNO) -> Caller:
    identity = Identity(fake_id(30), fake_id(31), frozenset(), Channel.API, "client", None, "token")
    return Caller(identity, member_id, "Bruno", "b@example.com", role, Language.PORTUGUESE, "UTC")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["a", "extrato de março.csv", "x" * 255, ".csv", "..a", "報告.csv", "a\u202fb.csv"])
def test_ordinary_names_are_taken(name: str) -> None:
    assert filename_problem(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "",
        "x" * 256,
        " a.csv",
        "a.csv ",
        ".",
        "..",
        "a/b.csv",
        "..\\b.csv",
        "a\x00.csv",
        "a\n.csv",
        "a\tb.csv",
        "a\x7f.csv",
        "a\u2028.csv",
        "fdp\u202evsc.csv",
        "a\u2066.csv",
        "a\u200f.csv",
        "a\ud800.csv",
    ],
)
def test_names_that_lead_elsewhere_or_mislead_are_refused(name: str) -> None:
    assert filename_problem(name) is not None


def test_an_announcement_answers_the_bare_media_type() -> None:
    assert check_announcement("extrato.csv", "Text/CSV; charset=utf-8", 50 * 1024 * 1024) == "text/csv"


def test_every_problem_of_an_announcement_is_told_at_once() -> None:
    with pytest.raises(InvalidArguments) as caught:
        check_announcement("a/b.exe", "text/csv", 52_428_801)
    told = [(problem.code, problem.param) for problem in caught.value.problems if isinstance(problem, Problem)]
    assert told == [
        ("validation_error", "filename"),
        ("file_type_not_allowed", "filename"),
        ("file_too_large", "size_bytes"),
    ]


def test_managers_and_owners_see_every_file() -> None:
    seen = [may_see(file, _caller(role)) for role in (Role.MANAGER, Role.OWNER) for file in (UPLOAD, OUTPUT)]
    assert seen == [True, True, True, True]


def test_an_upload_is_seen_by_its_uploader_and_by_nobody_below_manager() -> None:
    assert may_see(UPLOAD, _caller(Role.OPERATOR, ANA))
    assert not may_see(UPLOAD, _caller(Role.OPERATOR))
    assert not may_see(UPLOAD, _caller(Role.VIEWER))


def test_an_output_is_seen_by_whoever_sees_its_execution() -> None:
    public = replace(OUTPUT, task_visibility=Visibility.ORGANIZATION)
    hidden = replace(OUTPUT, task_visibility=Visibility.RESTRICTED)
    assert may_see(public, _caller(Role.VIEWER))
    assert not may_see(hidden, _caller(Role.VIEWER))
    assert may_see(hidden, _caller(Role.OPERATOR, ANA))


def test_only_the_creator_and_managers_confirm() -> None:
    told = [may_confirm(UPLOAD, caller) for caller in (_caller(Role.OPERATOR, ANA), _caller(Role.MANAGER))]
    assert told == [True, True]
    assert not may_confirm(UPLOAD, _caller(Role.OPERATOR))


def test_an_awaited_upload_expires_by_the_clock_alone() -> None:
    deadline = NOON + timedelta(minutes=15)
    assert UPLOAD.status_at(deadline - timedelta(milliseconds=1)) is FileStatus.PENDING_UPLOAD
    assert UPLOAD.status_at(deadline) is FileStatus.EXPIRED
    assert replace(UPLOAD, status=FileStatus.READY).status_at(deadline) is FileStatus.READY


def test_keys_are_made_of_ids_and_an_upload_never_writes_where_usable_bytes_lie() -> None:
    organization, file = fake_id(30), fake_id(10)
    assert object_key(organization, file) == f"org/{organization}/{file}"
    assert incoming_key(organization, file) == f"incoming/org/{organization}/{file}"
