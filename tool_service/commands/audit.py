"""The audit: whether its chains still hold."""

import typer

from tool_service.commands.command_line import EXIT_FAILED, settings, to_the_end

audit = typer.Typer(no_args_is_help=True, help="The audit of every company, a chain of events each.")


@audit.callback()
def _group() -> None:
    """Keeps `verify` a command of its own, although it is the only one."""


@audit.command("verify")
def verify_chains() -> None:
    """Recompute every chain: company, events, newest sequence and digest, and "holds" or where it breaks; separated
    by tabs. Keep the newest digests somewhere else: they prove later that nothing was made anew. Exits with 1 when a
    chain is broken."""
    from tool_service.app import verify_audit

    verdicts = to_the_end(lambda: verify_audit(settings()))
    for name, verdict in verdicts:
        says = "holds" if verdict.fault is None else f"BROKEN: {verdict.fault}"
        typer.echo("\t".join([name, str(verdict.events), str(verdict.last_sequence), verdict.last_digest, says]))
    if any(verdict.fault is not None for _, verdict in verdicts):
        raise typer.Exit(EXIT_FAILED)
