"""What operators do to accounts: members, passwords, tokens for programs, services, grants."""

from datetime import timedelta
from uuid import UUID

import pytest
import sqlalchemy as sa

from tests.support import world
from tests.support.clock import FakeIds
from tests.support.faces import AUDIENCE, CHEAP_PASSWORDS, MCP_RESOURCE, Faces
from tests.support.sign_in import PASSWORD, Browser, Program, give_password
from tool_service.authorization_server.administration import Administration, CannotBeDone
from tool_service.authorization_server.tokens import TokenRefused
from tool_service.db.tables import audit_events, members, people
from tool_service.dispatcher.membership import REMEMBERED
from tool_service.domain.caller import Role

READ = frozenset({"kadu.read"})
OURS = str(world.ORGANIZATION)


@pytest.fixture
def administration(faces: Faces) -> Administration:
    return Administration(faces.database, faces.clock, FakeIds(0x9000), CHEAP_PASSWORDS, faces.tokens, AUDIENCE)


async def called(faces: Faces, token: str, method: str = "GET", target: str = "/api/v1/tasks") -> int:
    return (await Program(faces).send(method, target, [("Authorization", f"Bearer {token}")])).status


async def actions(faces: Faces) -> list[str]:
    async with faces.database.begin(write=False) as connection:
        return list((await connection.execute(sa.select(audit_events.c.action))).scalars())


async def test_a_new_member_signs_in_with_the_password_that_was_set(
    faces: Faces, administration: Administration
) -> None:
    await administration.create_member(OURS, "Nova@Example.com ", "Nova Pessoa", Role.OPERATOR, is_invited=False)
    await administration.set_password("nova@example.com", PASSWORD)
    browser = Browser(faces)
    assert (await browser.sign_in("nova")).status == 303
    assert "Nova Pessoa" in (await browser.get("/account")).body.decode()
    assert sorted(await actions(faces)) == ["member_created", "password_set"]


async def test_a_person_of_one_company_joins_another_as_the_same_person(
    faces: Faces, administration: Administration
) -> None:
    other = str(world.OTHER_ORGANIZATION)
    await administration.create_member(other, "manager@example.com", "Outro Nome", Role.VIEWER, is_invited=False)
    async with faces.database.begin(write=False) as connection:
        found = sa.select(members.c.id).where(members.c.person_id == world.PEOPLE["manager"])
        assert len((await connection.execute(found)).all()) == 2
        named = sa.select(people.c.name).where(people.c.email == "manager@example.com")
        assert (await connection.execute(named)).scalar() == "Pessoa 2"


@pytest.mark.parametrize(
    ("organization", "email", "name", "said"),
    [
        (OURS, "manager@example.com", "Ana", "already"),
        (OURS, "no e-mail", "Ana", "no e-mail"),
        (OURS, "new@example.com", " ", "name must not be empty"),
        ("Nenhuma", "new@example.com", "Ana", "no company"),
        (str(world.NO_SUCH), "new@example.com", "Ana", "no company"),
        ("", "new@example.com", "Ana", "several"),
    ],
)
async def test_a_member_that_cannot_be_added_is_said_in_a_sentence_and_nothing_changes(
    faces: Faces, administration: Administration, organization: str, email: str, name: str, said: str
) -> None:
    with pytest.raises(CannotBeDone, match=said):
        await administration.create_member(organization, email, name, Role.VIEWER, is_invited=False)
    assert await actions(faces) == []


async def test_a_company_is_created_once_per_command_and_can_be_named(administration: Administration) -> None:
    made = await administration.create_organization("Doceria Lua Ltda.", "11.222.333/0001-81", is_sandbox=True)
    assert isinstance(made, UUID)
    await administration.create_member("Doceria Lua Ltda.", "lua@example.com", "Lua", Role.OWNER, is_invited=False)
    for wrong in ("", "123", "11.222.333/0001-8x1"):
        with pytest.raises(CannotBeDone, match="document number"):
            await administration.create_organization("Outra", wrong, is_sandbox=True)


async def test_a_new_password_ends_every_session_and_the_old_one(faces: Faces, administration: Administration) -> None:
    await give_password(faces)
    browser = Browser(faces)
    await browser.sign_in()
    await administration.set_password("manager@example.com", "outra senha bem comprida")
    assert (await browser.get("/account")).status == 303
    assert (await browser.sign_in()).status == 403
    assert (await browser.sign_in(password="outra senha bem comprida")).status == 303


@pytest.mark.parametrize(
    ("email", "password", "said"), [("nobody@example.com", PASSWORD, "Nobody"), ("manager@example.com", "curta", "12")]
)
async def test_a_password_that_cannot_be_set_is_said(
    administration: Administration, email: str, password: str, said: str
) -> None:
    with pytest.raises(CannotBeDone, match=said):
        await administration.set_password(email, password)


async def test_a_personal_token_acts_as_the_person_until_it_is_revoked(
    faces: Faces, administration: Administration
) -> None:
    token = await administration.create_personal_token(OURS, "manager@example.com", "Planilha", READ, 30)
    assert await called(faces, token) == 200
    assert await called(faces, token, "DELETE", f"/api/v1/tasks/{world.TASK}") == 403
    [line] = await administration.grants("manager@example.com")
    assert (line.kind, line.client_name) == ("personal", "Planilha")
    await administration.revoke(line.id)
    faces.clock.advance(REMEMBERED)
    assert await called(faces, token) == 401
    assert await administration.grants() == []
    with pytest.raises(CannotBeDone, match="before"):
        await administration.revoke(line.id)


async def test_a_personal_token_is_for_the_api_alone_and_ends_by_itself(
    faces: Faces, administration: Administration
) -> None:
    token = await administration.create_personal_token(OURS, "manager@example.com", "Planilha", READ, 30)
    with pytest.raises(TokenRefused):
        faces.tokens.verify(token, MCP_RESOURCE)
    faces.clock.advance(timedelta(days=31))
    assert await called(faces, token) == 401


async def test_the_account_page_shows_personal_tokens_too(faces: Faces, administration: Administration) -> None:
    await give_password(faces)
    await administration.create_personal_token(OURS, "manager@example.com", "Planilha", READ, 30)
    browser = Browser(faces)
    await browser.sign_in()
    assert "Planilha" in (await browser.get("/account")).body.decode()


@pytest.mark.parametrize(
    ("email", "scopes", "said"),
    [
        ("nobody@example.com", READ, "no active member"),
        ("stranger@example.com", READ, "no active member"),
        ("manager@example.com", frozenset({"kadu.everything"}), "kadu.everything"),
        ("manager@example.com", frozenset(), "at least one"),
    ],
)
async def test_a_token_that_cannot_be_made_is_said(
    administration: Administration, email: str, scopes: frozenset[str], said: str
) -> None:
    with pytest.raises(CannotBeDone, match=said):
        await administration.create_personal_token(OURS, email, "Planilha", scopes, 30)
    assert await administration.grants() == []


async def test_a_service_gets_its_tokens_by_client_credentials(faces: Faces, administration: Administration) -> None:
    made = await administration.create_service(OURS, "ERP", Role.OPERATOR, READ)
    erp = Program(faces, made.client_id, made.secret)
    reply = await erp.token(grant_type="client_credentials")
    assert reply.status == 200
    assert "refresh_token" not in reply.json()
    token = reply.json()["access_token"]
    assert await called(faces, token) == 200
    with pytest.raises(TokenRefused):
        faces.tokens.verify(token, MCP_RESOURCE)
    [line] = await administration.grants()
    await administration.revoke(line.id)
    faces.clock.advance(REMEMBERED)
    assert await called(faces, token) == 401
    assert (await erp.token(grant_type="client_credentials")).json()["error"] == "invalid_grant"


@pytest.mark.parametrize(
    ("parameters", "error"),
    [
        ({"client_secret": "wrong"}, "invalid_client"),
        ({"client_secret": None}, "invalid_client"),
        ({"scope": "kadu.tasks.write"}, "invalid_scope"),
        ({"resource": MCP_RESOURCE}, "invalid_target"),
        ({"grant_type": "authorization_code", "code": "x"}, "unauthorized_client"),
    ],
)
async def test_a_service_gets_no_more_than_it_was_given(
    faces: Faces, administration: Administration, parameters: dict[str, str | None], error: str
) -> None:
    made = await administration.create_service(OURS, "ERP", Role.OPERATOR, READ)
    good = {"grant_type": "client_credentials"}
    reply = await Program(faces, made.client_id, made.secret).token(**{**good, **parameters})
    assert reply.json()["error"] == error


async def test_a_service_is_no_owner(administration: Administration) -> None:
    with pytest.raises(CannotBeDone, match="at most a manager"):
        await administration.create_service(OURS, "ERP", Role.OWNER, READ)
