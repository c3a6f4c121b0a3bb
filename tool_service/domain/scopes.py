"""Every scope, and the group aliases that expand to them when a token is minted."""

READ = frozenset(
    {
        "kadu.organization.read",
        "kadu.members.read",
        "kadu.tasks.read",
        "kadu.task_permissions.read",
        "kadu.schedules.read",
        "kadu.executions.read",
        "kadu.files.read",
        "kadu.webhooks.read",
        "kadu.webhook_deliveries.read",
        "kadu.usage.read",
        "kadu.approvals.read",
    }
)
OPERATE = READ | {"kadu.tasks.run", "kadu.executions.cancel", "kadu.files.write"}
MANAGE = OPERATE | {
    "kadu.tasks.write",
    "kadu.task_permissions.write",
    "kadu.schedules.write",
    "kadu.webhooks.write",
    "kadu.webhook_deliveries.replay",
    "kadu.audit.read",
}
ADMIN = MANAGE | {"kadu.members.write", "kadu.cost_cap.write"}

ALL = ADMIN
ALIASES = {"kadu.read": READ, "kadu.operate": OPERATE, "kadu.manage": MANAGE, "kadu.admin": ADMIN}


def expand(scopes: frozenset[str]) -> frozenset[str]:
    """The scopes with their aliases replaced; what nobody knows is dropped."""
    expanded = set(scopes & ALL)
    for alias in scopes & ALIASES.keys():
        expanded |= ALIASES[alias]
    return frozenset(expanded)
