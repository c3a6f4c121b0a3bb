"""MemberDirectory: the fake and gRPC over a socket recognize the same people."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import grpc
import pytest
from joserfc.jwk import ECKey

from mcp_frontend.adapters.caller_assertion import CallerAssertions
from mcp_frontend.adapters.grpc_members import GrpcMembers
from mcp_frontend.caller import Subject
from mcp_frontend.oauth.ports import MemberDirectory, MembersUnavailable
from tests.support.clock import FakeClock
from tests.support.fake_tool_gateway import FakeToolGateway
from tests.support.issuer import FakeMembers
from tests.support.keys import jwk_set
from tests.support.served_tool_gateway import ServedToolGateway, serve

ASSERTION_KEY = ECKey.generate_key("P-256", {"kid": "a1"})
OURS = Subject("https://issuer.example", "person-1", "organization-1", "grant-1", None, False)
THEIRS = Subject("https://login.company.example", "auth0|17", None, None, "ana@example.com", True)


@dataclass(frozen=True, slots=True)
class Stage:
    directory: MemberDirectory
    known: FakeMembers


@pytest.fixture(params=["fake", "grpc"])
async def stage(request: pytest.FixtureRequest) -> AsyncIterator[Stage]:
    known = FakeMembers()
    if request.param == "fake":
        yield Stage(known, known)
        return
    served = ServedToolGateway(FakeToolGateway(), ASSERTION_KEY, members=known)
    async with serve(served) as address, grpc.aio.insecure_channel(address) as channel:
        yield Stage(GrpcMembers(channel, CallerAssertions(jwk_set(ASSERTION_KEY), FakeClock())), known)


async def test_a_member_is_recognized_with_who_and_where_they_are(stage: Stage) -> None:
    person = await stage.directory.recognize(OURS)
    assert person is not None
    assert (person.person_id, person.organization_id) == ("person-1", "organization-1")
    assert (person.name, person.role, person.organization_name) == ("Ana Souza", "manager", "Padaria Aurora Ltda.")
    assert person.language == "pt-BR"


@pytest.mark.parametrize("subject", [OURS, THEIRS], ids=["ours", "of an external issuer"])
async def test_all_that_the_token_says_arrives(stage: Stage, subject: Subject) -> None:
    await stage.directory.recognize(subject)
    assert stage.known.asked_of == [subject]


async def test_who_is_no_member_is_none(stage: Stage) -> None:
    stage.known.shut_out.add("person-1")
    assert await stage.directory.recognize(OURS) is None


async def test_no_answer_is_said_and_no_verdict(stage: Stage) -> None:
    stage.known.is_down = True
    with pytest.raises(MembersUnavailable):
        await stage.directory.recognize(OURS)


async def test_forty_at_once_are_each_answered(stage: Stage) -> None:
    asked = [
        Subject("https://issuer.example", f"person-{each}", "organization-1", None, None, False) for each in range(40)
    ]
    people = await asyncio.gather(*(stage.directory.recognize(subject) for subject in asked))
    assert [person and person.person_id for person in people] == [subject.subject for subject in asked]
