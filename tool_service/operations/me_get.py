"""Who the caller is."""

from uuid import UUID

from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.language import Localized
from tool_service.domain.schema import Arguments, Success, View
from tool_service.registry import Resource, Route, operation


class MeGetArguments(Arguments):
    """Nothing to ask."""


class PersonView(View):
    id: UUID
    name: str
    email: str


class OrganizationName(View):
    id: UUID
    name: str


class ClientView(View):
    id: str
    name: str | None


class MeView(View):
    person: PersonView
    role: str
    scopes: list[str]
    organization: OrganizationName
    locale: str
    timezone: str
    client: ClientView


@operation(
    title="Who am I",
    scope="kadu.organization.read",
    role=Role.VIEWER,
    route=Route("GET", "/me"),
    read_only=True,
    resource=Resource(
        "kobana://kadu/me",
        name="me",
        title=Localized(pt="Quem sou eu", en="Who am I"),
        description=Localized(
            pt="A pessoa, o papel, os escopos desta conexão, a organização, o idioma e o fuso horário.",
            en="The person, the role, the scopes of this connection, the organization, the language and the time zone.",
        ),
    ),
)
async def me_get(context: Context, arguments: MeGetArguments) -> Success[MeView]:
    """Read who you act for: the person, their role, the scopes of this connection, the organization, the language and
    the time zone. Use it to know which tools will work before you promise something."""
    caller = context.caller
    organization = await context.organizations.get()
    view = MeView(
        person=PersonView(id=caller.person_id, name=caller.name, email=caller.email),
        role=caller.role.value,
        scopes=sorted(caller.identity.scopes),
        organization=OrganizationName(id=organization.id, name=organization.name),
        locale=caller.language.value,
        timezone=caller.timezone,
        client=ClientView(id=caller.identity.client_id, name=caller.identity.client_name),
    )
    return Success(view)
