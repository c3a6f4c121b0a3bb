"""files_create, files_confirm, files_get, files_download on both databases."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa

from tests.contract.files.conftest import Desk, Office
from tests.support import world
from tests.support.clock import NOON, fake_id
from tests.support.factories import add_file
from tool_service.db.engine import Database
from tool_service.domain.files import FileStatus
from tool_service.operations.files_confirm import files_confirm
from tool_service.operations.files_create import files_create
from tool_service.operations.files_download import files_download
from tool_service.operations.files_get import files_get
from tool_service.repositories.files import FileRepository

# FIPS 180-2 B.1, and the same bytes in base64.
ABC_SHA256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
ABC_BASE64 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
TEXT = {"filename": "extrato.csv", "content_type": "text/csv", "size_bytes": 3}


async def _created(desk: Desk, **changed: Any) -> dict[str, Any]:
    answer = await desk.run(files_create, **{**TEXT, **changed})
    assert isinstance(answer, tuple)
    return answer[1]


async def _put(office: Office, file: dict[str, Any], body: bytes) -> None:
    await office.store.put(file["upload"]["url"], file["upload"]["headers"], body)


async def test_a_created_file_says_how_its_bytes_are_sent(operator: Desk) -> None:
    answer = await operator.run(
        files_create, **TEXT, sha256=ABC_SHA256.upper(), external_id="erp-7", tags=["novembro", "novembro"]
    )
    assert answer == (
        201,
        {
            "id": str(fake_id(1)),
            "filename": "extrato.csv",
            "content_type": "text/csv",
            "size_bytes": 3,
            "sha256": ABC_SHA256,
            "purpose": "input",
            "status": "pending_upload",
            "rejected_reason": None,
            "execution_id": None,
            "created_by": str(world.MEMBERS["operator"]),
            "confirmed_at": None,
            "expires_at": "2026-12-01T12:15:00.000Z",
            "external_id": "erp-7",
            "tags": ["novembro"],
            "created_at": "2026-12-01T12:00:00.000Z",
            "updated_at": "2026-12-01T12:00:00.000Z",
            "content_notice": "data_not_instructions",
            "upload": {
                "method": "PUT",
                "url": "memory://upload/1",
                "headers": {"Content-Type": "text/csv", "Content-Length": "3", "x-amz-checksum-sha256": ABC_BASE64},
                "expires_at": "2026-12-01T12:15:00.000Z",
            },
        },
    )


async def test_the_same_announcement_answers_the_same_file_with_a_fresh_url(office: Office, operator: Desk) -> None:
    first = await _created(operator, sha256=ABC_SHA256)
    office.clock.advance(timedelta(minutes=14))
    again = await operator.run(files_create, **TEXT, sha256=ABC_SHA256)
    assert isinstance(again, tuple)
    assert (again[0], again[1]["id"]) == (200, first["id"])
    assert again[1]["expires_at"] == again[1]["upload"]["expires_at"] == "2026-12-01T12:29:00.000Z"
    await _put(office, again[1], b"abc")
    office.clock.advance(timedelta(minutes=14))
    assert await _confirm(operator, first) == (200, "ready", None)


@pytest.mark.parametrize(
    "changed",
    [
        {"filename": "outro.csv"},
        {"size_bytes": 4},
        {"content_type": "text/plain"},
        {"sha256": ABC_SHA256},
        {"external_id": "erp-8"},
        {"tags": ["dezembro"]},
    ],
)
async def test_another_announcement_is_another_file(operator: Desk, changed: dict[str, Any]) -> None:
    first, second = await _created(operator), await operator.run(files_create, **{**TEXT, **changed})
    assert isinstance(second, tuple)
    assert (second[0], second[1]["id"] == first["id"]) == (201, False)


async def test_announcements_of_two_people_are_two_files(office: Office, operator: Desk) -> None:
    first, second = await _created(operator), await _created(office.desk("manager"))
    assert first["id"] != second["id"]


async def test_after_15_minutes_the_same_announcement_is_a_new_file(office: Office, operator: Desk) -> None:
    first = await _created(operator)
    office.clock.advance(timedelta(minutes=15))
    assert (await _created(operator))["id"] != first["id"]


async def test_equal_announcements_at_the_same_moment_meet_in_one_file(operator: Desk) -> None:
    created = await asyncio.gather(*(_created(operator) for _ in range(5)))
    assert len({file["id"] for file in created}) == 1


@pytest.mark.parametrize(
    ("changed", "codes"),
    [
        ({"filename": "../extrato.csv"}, ["validation_error"]),
        ({"content_type": "text/html"}, ["file_type_not_allowed"]),
        ({"filename": "extrato.exe"}, ["file_type_not_allowed"]),
        ({"size_bytes": 52_428_801}, ["file_too_large"]),
        (
            {"filename": "a/b.exe", "size_bytes": 99_999_999},
            ["validation_error", "file_type_not_allowed", "file_too_large"],
        ),
    ],
)
async def test_what_may_not_be_announced_is_refused(operator: Desk, changed: dict[str, Any], codes: list[str]) -> None:
    assert await operator.run(files_create, **{**TEXT, **changed}) == codes


async def test_the_largest_file_may_be_announced(operator: Desk) -> None:
    assert (await _created(operator, size_bytes=52_428_800))["size_bytes"] == 52_428_800


async def _confirm(desk: Desk, file: dict[str, Any]) -> tuple[int, str, str | None] | list[str]:
    answer = await desk.run(files_confirm, id=file["id"])
    return answer if isinstance(answer, list) else (answer[0], answer[1]["status"], answer[1]["rejected_reason"])


async def test_a_confirmed_file_is_ready_and_knows_its_digest(office: Office, operator: Desk) -> None:
    file = await _created(operator)
    await _put(office, file, b"abc")
    office.clock.advance(timedelta(minutes=1))
    confirmed = await operator.run(files_confirm, id=file["id"])
    del file["upload"]
    moment = "2026-12-01T12:01:00.000Z"
    expected = {
        **file,
        "status": "ready",
        "sha256": ABC_SHA256,
        "confirmed_at": moment,
        "expires_at": None,
        "updated_at": moment,
    }
    assert confirmed == (200, expected)
    assert office.store.objects == {f"org/{world.ORGANIZATION}/{file['id']}": b"abc"}


async def test_confirming_twice_gives_the_same_answer(office: Office, operator: Desk) -> None:
    file = await _created(operator)
    await _put(office, file, b"abc")
    first = await operator.run(files_confirm, id=file["id"])
    office.clock.advance(timedelta(days=1))
    assert await operator.run(files_confirm, id=file["id"]) == first


async def test_confirming_at_the_same_moment_gives_the_same_answer(office: Office, operator: Desk) -> None:
    file = await _created(operator)
    await _put(office, file, b"abc")
    answers = await asyncio.gather(*(operator.run(files_confirm, id=file["id"]) for _ in range(5)))
    assert answers == [answers[0]] * 5
    assert answers[0][0] == 200


async def test_a_second_confirm_waits_and_takes_in_no_bytes_that_came_after_the_first(
    postgres_database: Database,
) -> None:
    # On SQLite writing transactions wait for each other anyway.
    async with postgres_database.begin(write=True) as connection:
        await world.build_world(connection)
    office = Office(postgres_database)
    operator = office.desk("operator")
    file = await _created(operator)
    key = f"org/{world.ORGANIZATION}/{file['id']}"
    async with postgres_database.begin(write=True) as connection:
        repository = FileRepository(connection, world.ORGANIZATION)
        awaited = await repository.get_for_change(UUID(file["id"]), operator.caller)
        office.store.objects = {key: b"abc", f"incoming/{key}": b"xyz"}
        second = asyncio.create_task(operator.run(files_confirm, id=file["id"]))
        await _until_it_waits_for_a_lock(postgres_database, second)
        ready = replace(awaited, status=FileStatus.READY, sha256=ABC_SHA256, confirmed_at=NOON)
        await repository.replace(ready, expected_status=FileStatus.PENDING_UPLOAD)
    answer = await second
    assert isinstance(answer, tuple)
    assert (answer[1]["sha256"], office.store.objects[key]) == (ABC_SHA256, b"abc")


async def _until_it_waits_for_a_lock(database: Database, task: asyncio.Task[Any]) -> None:
    waiting = sa.text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    async with asyncio.timeout(10):
        while not task.done():
            async with database.begin(write=False) as connection:
                if await connection.scalar(waiting):
                    return


async def test_confirming_without_an_upload_leaves_it_awaited(office: Office, operator: Desk) -> None:
    file = await _created(operator)
    assert await _confirm(operator, file) == ["upload_missing"]
    await _put(office, file, b"abc")
    assert await _confirm(operator, file) == (200, "ready", None)


async def test_an_upload_is_not_confirmed_after_its_time(office: Office, operator: Desk) -> None:
    file = await _created(operator)
    await _put(office, file, b"abc")
    office.clock.advance(timedelta(minutes=15))
    assert await _confirm(operator, file) == ["upload_expired"]
    seen = await operator.run(files_get, id=file["id"])
    assert isinstance(seen, tuple)
    assert seen[1]["status"] == "expired"


async def test_an_answer_that_was_lost_after_the_bytes_were_taken_in_is_given_again(
    office: Office, operator: Desk
) -> None:
    # As after a crash between the move of the bytes and the commit of the row.
    file = await _created(operator)
    await _put(office, file, b"abc")
    await office.store.move(f"incoming/org/{world.ORGANIZATION}/{file['id']}", f"org/{world.ORGANIZATION}/{file['id']}")
    assert await _confirm(operator, file) == (200, "ready", None)


@pytest.mark.parametrize(
    ("announced", "body", "code"),
    [({}, b"abcd", "size_mismatch"), ({"sha256": ABC_SHA256}, b"abd", "checksum_mismatch")],
)
async def test_other_bytes_than_announced_are_dropped_and_the_upload_stays_open(
    office: Office, operator: Desk, announced: dict[str, Any], body: bytes, code: str
) -> None:
    file = await _created(operator, **announced)
    # A store whose URLs pin less than ours lets such bytes in.
    office.store.objects[f"incoming/org/{world.ORGANIZATION}/{file['id']}"] = body
    assert await _confirm(operator, file) == [code]
    assert office.store.objects == {}
    await _put(office, file, b"abc")
    assert await _confirm(operator, file) == (200, "ready", None)


async def test_bytes_of_another_type_reject_the_file_for_good(office: Office, operator: Desk) -> None:
    file = await _created(operator, filename="recibo.pdf", content_type="application/pdf")
    await _put(office, file, b"abc")
    assert await _confirm(operator, file) == (200, "rejected", "type_mismatch")
    assert office.store.objects == {}
    assert await _confirm(operator, file) == (200, "rejected", "type_mismatch")
    assert await operator.run(files_download, id=file["id"]) == ["file_not_ready"]


async def test_a_manager_confirms_for_others_and_nobody_else_does(office: Office, operator: Desk) -> None:
    file = await _created(operator)
    await _put(office, file, b"abc")
    assert await _confirm(office.desk("stranger"), file) == ["not_found"]
    assert await _confirm(office.desk("manager"), file) == (200, "ready", None)
    of_manager = await _created(office.desk("manager"))
    assert await _confirm(operator, of_manager) == ["not_found"]


async def test_a_download_url_is_short_lived_and_tells_what_it_leads_to(office: Office, operator: Desk) -> None:
    file = await _created(operator, filename="março.csv")
    await _put(office, file, b"abc")
    await _confirm(operator, file)
    assert await operator.run(files_download, id=file["id"]) == (
        200,
        {
            "url": "memory://download/2",
            "expires_at": "2026-12-01T12:05:00.000Z",
            "filename": "março.csv",
            "content_type": "text/csv",
            "size_bytes": 3,
            "sha256": ABC_SHA256,
            "content_notice": "data_not_instructions",
        },
    )
    assert await office.store.get("memory://download/2") == b"abc"


@pytest.mark.parametrize(
    ("file_id", "code"),
    [
        (world.PENDING_FILE, "file_not_ready"),
        (world.EXPIRED_FILE, "file_not_ready"),
        (world.PURGED_FILE, "file_purged"),
        (world.FOREIGN_FILE, "not_found"),
        (world.NO_SUCH, "not_found"),
        ("no-id", "not_found"),
    ],
)
async def test_what_is_not_ready_here_is_not_downloaded(operator: Desk, file_id: object, code: str) -> None:
    assert await operator.run(files_download, id=str(file_id)) == [code]


async def test_outputs_are_seen_with_their_execution_and_uploads_by_their_uploader(office: Office) -> None:
    shown, hidden = fake_id(0x6100), fake_id(0x6101)
    async with office.database.begin(write=True) as connection:
        for file_id, execution_id in ((shown, world.COMPLETED), (hidden, world.HIDDEN)):
            await add_file(
                connection,
                id=file_id,
                organization_id=world.ORGANIZATION,
                created_by=world.MEMBERS["owner"],
                purpose="output",
                execution_id=execution_id,
            )
    seen = {
        role: [isinstance(await office.desk(role).run(files_get, id=str(each)), tuple) for each in files]
        for role, files in dict.fromkeys(
            ("viewer", "operator", "manager", "owner", "stranger"), (shown, hidden, world.READY_FILE)
        ).items()
    }
    assert seen == {
        "viewer": [True, False, False],
        "operator": [True, False, True],
        "manager": [True, True, True],
        "owner": [True, True, True],
        "stranger": [False, False, False],
    }


async def test_a_deleted_file_is_not_found(office: Office) -> None:
    deleted = fake_id(0x6102)
    async with office.database.begin(write=True) as connection:
        await add_file(
            connection,
            id=deleted,
            organization_id=world.ORGANIZATION,
            created_by=world.MEMBERS["operator"],
            deleted_at=NOON,
        )
    assert await office.desk("operator").run(files_get, id=str(deleted)) == ["not_found"]


@pytest.mark.parametrize("operation", [files_create, files_confirm, files_get, files_download])
def test_descriptions_fit_what_clients_show(operation: Any) -> None:
    assert 100 < len(operation.description) <= 700
