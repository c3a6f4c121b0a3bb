"""Organizations, members and passwords."""

import secrets
import sys
from typing import Annotated

import typer

from tool_service.commands.command_line import administer, fail
from tool_service.domain.caller import Role

organization = typer.Typer(no_args_is_help=True, help="Companies that use Kadu.")
member = typer.Typer(no_args_is_help=True, help="People in a company: add one, set a password.")

Organization = Annotated[
    str, typer.Option("--organization", help="Id or whole name of the company; may be left out while there is one.")
]
Email = Annotated[str, typer.Argument(help="The person's e-mail.")]
Generate = Annotated[
    bool, typer.Option("--generate", help="Make up a password and print it, in place of asking for one.")
]


@organization.command("create")
def create_organization(
    name: Annotated[str, typer.Argument(help="The company's name, up to 200 characters.")],
    document_number: Annotated[str, typer.Option("--document-number", help="CNPJ or CPF; punctuation is dropped.")],
    sandbox: Annotated[bool, typer.Option("--sandbox", help="For trying things out.")] = False,
) -> None:
    """Add a company and print its id."""
    typer.echo(str(administer(lambda it: it.create_organization(name, document_number, is_sandbox=sandbox))))


@member.command("create")
def create_member(
    email: Email,
    name: Annotated[str, typer.Option("--name", help="As others see the person.")],
    role: Annotated[Role, typer.Option("--role", help="What the person may do.")] = Role.VIEWER,
    organization: Organization = "",
    invited: Annotated[
        bool, typer.Option("--invited", help="Wait for the first sign-in at the company's own issuer.")
    ] = False,
) -> None:
    """Add a person to a company; with a known e-mail, the same person in one more company."""
    administer(lambda it: it.create_member(organization, email, name, role, is_invited=invited))
    follows = "they sign in at your issuer" if invited else f"next: python -m tool_service member set-password {email}"
    typer.echo(f"Added {email} as {role.value}; {follows}.")


@member.command("set-password")
def set_password(email: Email, generate: Generate = False) -> None:
    """Give a person a new password and sign them out everywhere. It is asked for, or read from standard input."""
    password = secrets.token_urlsafe(15) if generate else _typed()
    administer(lambda it: it.set_password(email, password))
    typer.echo(f"The password of {email} is {password}" if generate else f"Set the password of {email}.")


def _typed() -> str:
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
    text = sys.stdin.readline().rstrip("\r\n")
    return text or fail("Nothing came on standard input; send the password there, or use --generate.")
