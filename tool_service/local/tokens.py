"""Ready tokens for the demo people, minted from the issuer keys of the local stack.

Each stands in a file of its own, readable by its owner only, so that a command can name it
instead of spelling it out.
"""

from pathlib import Path

from tool_service.adapters.key_ring import load_signing_keys
from tool_service.adapters.local_keys import ISSUER_KEYS
from tool_service.adapters.system import SystemClock
from tool_service.authorization_server.tokens import AccessTokens
from tool_service.domain import scopes
from tool_service.local import demo
from tool_service.local.layout import Layout

CLIENT_ID = "kadu-local"
CLIENT_NAME = "Kadu local"
PEOPLE = {"owner": demo.OWNER, "manager": demo.MANAGER, "operator": demo.OPERATOR, "viewer": demo.VIEWER}


def mint_demo_tokens(layout: Layout) -> dict[str, str]:
    """Fresh tokens: one for the MCP endpoint by role, and "api", the owner's for /api/v1; also written to files.

    Every token carries every scope, so what a person may do is decided by the role alone.
    """
    minter = AccessTokens(load_signing_keys(layout.keys / ISSUER_KEYS), layout.issuer, SystemClock())

    def mint(person: demo.DemoPerson, audience: str) -> str:
        return minter.mint(
            person_id=person.id,
            organization_id=person.organization.id,
            audience=audience,
            client_id=CLIENT_ID,
            client_name=CLIENT_NAME,
            scopes=scopes.ALL,
            lifetime=demo.TOKEN_LIFETIME,
        )

    tokens = {name: mint(person, layout.mcp_url) for name, person in PEOPLE.items()}
    tokens["api"] = mint(demo.OWNER, layout.api_url)
    layout.tokens.mkdir(mode=0o700, exist_ok=True)
    for name, token in tokens.items():
        _write_private(layout.tokens / name, token)
    return tokens


def _write_private(path: Path, text: str) -> None:
    path.touch(mode=0o600, exist_ok=True)
    path.write_text(text, encoding="ascii")
