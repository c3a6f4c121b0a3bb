"""The envelope in `params._meta`: what each request of the stateless revisions says about its client.

Only shapes are judged here; which versions are served is the era's matter, and nothing is remembered
from one request to the next. Of optional members null counts as absent, as in params.
Spec: basic/index.mdx of the newest revision (_meta).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcp_frontend.protocol.errors import InvalidEnvelope
from mcp_frontend.protocol.model import ClientInfo

PREFIX = "io.modelcontextprotocol/"
PROTOCOL_VERSION = PREFIX + "protocolVersion"
CLIENT_CAPABILITIES = PREFIX + "clientCapabilities"
CLIENT_INFO = PREFIX + "clientInfo"
LOG_LEVEL = PREFIX + "logLevel"
PROGRESS_TOKEN = "progressToken"

LOG_LEVELS = frozenset({"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"})

# Each known capability is an object, and so are these members of it. The set is open: others are the client's own.
_KNOWN_CAPABILITIES: dict[str, tuple[str, ...]] = {
    "elicitation": ("form", "url"),
    "sampling": ("context", "tools"),
    "roots": (),
    "experimental": (),
    "extensions": (),
}


@dataclass(frozen=True, slots=True)
class Envelope:
    """The client's word about itself, for this one request."""

    can_ask_in_chat: bool
    """Form elicitation is declared, so a question in the chat will reach a person."""
    info: ClientInfo | None


def meta_of(params: Mapping[str, Any]) -> Mapping[str, Any]:
    """`params._meta`; empty where it is absent or no object, since then it holds no envelope."""
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def read_envelope(meta: Mapping[str, Any]) -> Envelope:
    """The envelope beside its version.

    Raises:
        InvalidEnvelope: clientCapabilities is missing, or a known member has the wrong type.
    """
    capabilities = meta.get(CLIENT_CAPABILITIES)
    if not isinstance(capabilities, dict):
        raise InvalidEnvelope(f"params._meta must hold {CLIENT_CAPABILITIES} as an object")
    _check_capabilities(capabilities)
    # The server declares no logging and reports no progress: valid values are accepted and have no effect.
    if not _is_log_level(meta.get(LOG_LEVEL)):
        raise InvalidEnvelope(f"{LOG_LEVEL} must be one of {', '.join(sorted(LOG_LEVELS))}")
    if not _is_progress_token(meta.get(PROGRESS_TOKEN)):
        raise InvalidEnvelope(f"{PROGRESS_TOKEN} must be a string or an integer")
    return Envelope(_declares_form(capabilities), _client_info(meta))


def _check_capabilities(capabilities: Mapping[str, Any]) -> None:
    for name, capability in capabilities.items():
        members = _KNOWN_CAPABILITIES.get(name)
        if members is None or capability is None:
            continue
        if not isinstance(capability, dict):
            raise InvalidEnvelope(f"{CLIENT_CAPABILITIES}.{name} must be an object")
        for member in members:
            value = capability.get(member)
            if value is not None and not isinstance(value, dict):
                raise InvalidEnvelope(f"{CLIENT_CAPABILITIES}.{name}.{member} must be an object")


def _declares_form(capabilities: Mapping[str, Any]) -> bool:
    # An empty object means form; one that names only other ways to ask forbids it (client/elicitation.mdx).
    elicitation = capabilities.get("elicitation")
    return elicitation is not None and (not elicitation or elicitation.get("form") is not None)


def _client_info(meta: Mapping[str, Any]) -> ClientInfo | None:
    info = meta.get(CLIENT_INFO)
    if info is None:
        return None
    if isinstance(info, dict):
        name, version = info.get("name"), info.get("version")
        if isinstance(name, str) and isinstance(version, str):
            return ClientInfo(name, version)
    raise InvalidEnvelope(f"{CLIENT_INFO} must be an object with name and version as strings")


def _is_log_level(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value in LOG_LEVELS)


def _is_progress_token(value: Any) -> bool:
    return isinstance(value, str | int | None) and not isinstance(value, bool)
