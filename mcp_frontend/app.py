"""The composition root: the only module that knows every room."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import grpc
import httpx2
from uuid_utils.compat import uuid7

from mcp_frontend.adapters.caller_assertion import AssertionKeyError, CallerAssertions
from mcp_frontend.adapters.code_exchange import HttpCodeExchange
from mcp_frontend.adapters.grpc_approvals import GrpcApprovals
from mcp_frontend.adapters.grpc_library_gateway import GrpcLibraryGateway
from mcp_frontend.adapters.grpc_members import GrpcMembers
from mcp_frontend.adapters.grpc_tool_gateway import GrpcToolGateway
from mcp_frontend.adapters.issuer_keys import IssuerKeys
from mcp_frontend.adapters.issuer_metadata import DiscoveredIssuer
from mcp_frontend.adapters.key_files import KeyRingUnreadable, read_key_ring
from mcp_frontend.adapters.system import SystemClock, SystemRandomness
from mcp_frontend.adapters.tool_service_calls import CHANNEL_OPTIONS, Deadlines
from mcp_frontend.adapters.tool_service_health import ToolServiceHealth
from mcp_frontend.approvals.ports import ApprovalDesk
from mcp_frontend.approvals.request_state import RequestStates
from mcp_frontend.approvals.tickets import ApprovalTickets
from mcp_frontend.dispatch.perform import Effects
from mcp_frontend.oauth.bearer import OLDER_TOKEN_TYPES, TOKEN_TYPES, Authenticator
from mcp_frontend.oauth.login import RelyingParty
from mcp_frontend.oauth.metadata import metadata_document, metadata_url
from mcp_frontend.oauth.ports import CodeExchange, IssuerSource, KeySource, MemberDirectory
from mcp_frontend.ports import Clock, Randomness
from mcp_frontend.protocol.model import Era
from mcp_frontend.protocol.negotiation import ERAS
from mcp_frontend.sealing import SealingKeyError, SealingRing
from mcp_frontend.settings import Settings, SettingsError
from mcp_frontend.web.approval_routes import ApprovalRoutes
from mcp_frontend.web.asgi import AsgiApp
from mcp_frontend.web.connect_page import connect_blueprint
from mcp_frontend.web.lifespan import WithLifespan
from mcp_frontend.web.login_routes import SIGNED_IN_PATH, LoginRoutes
from mcp_frontend.web.mcp_endpoint import McpEndpoint
from mcp_frontend.web.origins import OwnPlaces
from mcp_frontend.web.pages import IsReady, create_pages
from mcp_frontend.web.proxies import BehindProxies
from mcp_frontend.web.routing import Router


@dataclass(frozen=True, slots=True)
class Ports:
    """Everything outside that the rooms reach through; a test passes its own."""

    effects: Effects
    keys: KeySource
    issuer: IssuerSource
    members: MemberDirectory
    codes: CodeExchange
    approvals: ApprovalDesk
    ring: SealingRing
    is_ready: IsReady
    clock: Clock
    randomness: Randomness
    new_request_id: Callable[[], str]


def build(settings: Settings, ports: Ports, eras: Sequence[Era] = ERAS) -> AsgiApp:
    """The rooms, wired to these ports; no setting chooses the eras. Needs no lifespan."""
    resource_metadata = metadata_url(settings.public_url)
    endpoint = McpEndpoint(
        places=OwnPlaces(settings.public_url, settings.allowed_origins, settings.allowed_hosts),
        authenticator=Authenticator(
            issuer=settings.issuer,
            audience=settings.issuer_audience,
            keys=ports.keys,
            members=ports.members,
            clock=ports.clock,
            token_types=OLDER_TOKEN_TYPES if settings.older_token_types else TOKEN_TYPES,
        ),
        effects=ports.effects,
        metadata_url=resource_metadata,
        new_request_id=ports.new_request_id,
        body_deadline_seconds=settings.body_deadline_seconds,
        eras=eras,
    )
    relying_party = RelyingParty(
        issuer=settings.issuer,
        client_id=settings.client_id,
        redirect_uri=_redirect_uri(settings),
        source=ports.issuer,
        keys=ports.keys,
        codes=ports.codes,
        members=ports.members,
        ring=ports.ring,
        clock=ports.clock,
        randomness=ports.randomness,
    )
    login = LoginRoutes(relying_party, settings.public_url)
    tickets = ApprovalTickets(ports.ring, ports.clock)
    approvals = ApprovalRoutes(login, ports.approvals, tickets, settings.public_url, ports.new_request_id)
    pages = create_pages(
        metadata_document=metadata_document(settings.public_url, settings.issuer),
        metadata_path=urlsplit(resource_metadata).path,
        issuer=ports.issuer,
        is_ready=ports.is_ready,
        blueprints=[
            login.blueprint(),
            approvals.blueprint(),
            connect_blueprint(settings.public_url),
        ],
    )
    return BehindProxies(Router(endpoint, pages), settings.trusted_proxies)


def _redirect_uri(settings: Settings) -> str:
    """Where the issuer sends people of our own pages back to."""
    return settings.public_url + SIGNED_IN_PATH


def create_app(settings: Settings) -> AsgiApp:
    """The front end on real ports. They open at the lifespan's startup, inside the serving loop.

    Raises:
        SettingsError: a key ring cannot be read or used.
    """
    clock, randomness = SystemClock(), SystemRandomness()
    try:
        assertions = CallerAssertions(read_key_ring(settings.assertion_keys), clock)
        ring = SealingRing(read_key_ring(settings.state_keys), randomness)
    except (KeyRingUnreadable, AssertionKeyError, SealingKeyError) as error:
        raise SettingsError([str(error)]) from error

    @asynccontextmanager
    async def open_app() -> AsyncGenerator[AsgiApp]:
        async with (
            grpc.aio.insecure_channel(settings.tool_service, options=CHANNEL_OPTIONS) as channel,
            # The issuer is named by a setting and reached directly: no proxy of the environment.
            httpx2.AsyncClient(trust_env=False) as client,
        ):
            issuer = DiscoveredIssuer(settings.issuer, settings.issuer_internal_url, client, clock)
            deadlines = Deadlines(call=settings.call_deadline_seconds)
            tools = GrpcToolGateway(channel, assertions, deadlines)
            library = GrpcLibraryGateway(channel, assertions, deadlines)
            secret = None if settings.client_secret is None else settings.client_secret.reveal()
            yield build(
                settings,
                Ports(
                    effects=Effects(tools, library, RequestStates(ring, clock, randomness)),
                    keys=IssuerKeys(issuer.keys_url, client, clock),
                    issuer=issuer,
                    members=GrpcMembers(channel, assertions),
                    approvals=GrpcApprovals(channel, assertions, deadlines),
                    codes=HttpCodeExchange(client, settings.client_id, secret, _redirect_uri(settings)),
                    ring=ring,
                    is_ready=ToolServiceHealth(channel).is_ready,
                    clock=clock,
                    randomness=randomness,
                    new_request_id=lambda: str(uuid7()),
                ),
            )

    return WithLifespan(open_app)
