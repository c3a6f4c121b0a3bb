"""The organization of the caller."""

from uuid import UUID

from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.language import Localized
from tool_service.domain.schema import Arguments, Success, Timestamp, View
from tool_service.registry import Resource, Route, operation


class OrganizationGetArguments(Arguments):
    """Nothing to ask."""


class OrganizationView(View):
    id: UUID
    name: str
    document_number: str
    environment: str
    status: str
    locale: str
    timezone: str
    plan_name: str
    created_at: Timestamp
    updated_at: Timestamp


@operation(
    title="Get the organization",
    scope="kadu.organization.read",
    role=Role.VIEWER,
    route=Route("GET", "/organization"),
    read_only=True,
    resource=Resource(
        "kobana://kadu/organization",
        name="organization",
        title=Localized(pt="A organização", en="The organization"),
        description=Localized(
            pt="A organização do token de acesso: nome, ambiente, situação, idioma, fuso horário e plano.",
            en="The organization of the access token: name, environment, status, language, time zone and plan.",
        ),
    ),
)
async def organization_get(context: Context, arguments: OrganizationGetArguments) -> Success[OrganizationView]:
    """Read the organization that the access token belongs to: name, masked document number, environment, status,
    language, time zone and plan name. No tool takes an organization: it always comes from the token."""
    organization = await context.organizations.get()
    view = OrganizationView(
        id=organization.id,
        name=organization.name,
        document_number=_masked(organization.document_number),
        environment=organization.environment,
        status=organization.status,
        locale=organization.locale,
        timezone=organization.timezone,
        plan_name=organization.plan_name,
        created_at=organization.created_at,
        updated_at=organization.updated_at,
    )
    return Success(view)


def _masked(document_number: str) -> str:
    """All but the last four characters replaced, so that a model can tell two apart and learns neither."""
    visible = document_number[-4:]
    return "*" * (len(document_number) - len(visible)) + visible
