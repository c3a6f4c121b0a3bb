"""What acts for people: tokens for programs, services, and the grants of every client."""

from typing import Annotated
from uuid import UUID

import typer

from tool_service.commands.command_line import administer
from tool_service.commands.people import Email, Organization
from tool_service.domain.caller import Role

token = typer.Typer(no_args_is_help=True, help="Personal tokens: a person's own program at /api/v1.")
service = typer.Typer(no_args_is_help=True, help="Services: programs with an identity of their own at /api/v1.")
grants = typer.Typer(no_args_is_help=True, help="Whom people let act for them, and every token that was given.")

Scopes = Annotated[
    list[str], typer.Option("--scope", help="A scope or a group (kadu.read, kadu.operate, kadu.manage); repeatable.")
]


@token.command("create")
def create_token(
    email: Email,
    name: Annotated[str, typer.Option("--name", help="What it is for, as the person's account shows it.")],
    scope: Scopes,
    organization: Organization = "",
    days: Annotated[int, typer.Option("--days", min=1, max=365, help="How long it is good.")] = 90,
) -> None:
    """Print a token for /api/v1 that acts as the person. It is shown this once."""
    typer.echo(administer(lambda it: it.create_personal_token(organization, email, name, frozenset(scope), days)))


@service.command("create")
def create_service(
    name: Annotated[str, typer.Argument(help="As others see it in lists and in the audit.")],
    scope: Scopes,
    role: Annotated[Role, typer.Option("--role", help="At most manager.")] = Role.OPERATOR,
    organization: Organization = "",
) -> None:
    """Add a service; print what it needs for client_credentials at /token. The secret is shown this once."""
    made = administer(lambda it: it.create_service(organization, name, role, frozenset(scope)))
    typer.echo(f"client_id={made.client_id}\nclient_secret={made.secret}")


@grants.command("list")
def list_grants(
    email: Annotated[str, typer.Option("--email", help="Only of this person.")] = "",
) -> None:
    """Every grant that still holds, youngest first: id, kind, person, client, last use, end; separated by tabs."""
    for each in administer(lambda it: it.grants(email)):
        used = each.used_at.isoformat(timespec="seconds") if each.used_at else "never used"
        ends = each.expires_at.isoformat(timespec="seconds")
        typer.echo("\t".join([str(each.id), each.kind, each.email, each.client_name, used, ends]))


@grants.command("revoke")
def revoke_grant(grant_id: Annotated[UUID, typer.Argument(help="The id, as `grants list` prints it.")]) -> None:
    """End a grant: every token that comes from it stops working within seconds."""
    administer(lambda it: it.revoke(grant_id))
    typer.echo(f"Revoked {grant_id}.")
