"""The pages that people see: sign in, allow a program, and their account, where they take access back."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit
from uuid import UUID, uuid4

import structlog
from quart import Blueprint, Response, redirect, request, send_from_directory
from werkzeug.datastructures import MultiDict

from tool_service.authorization_server.accounts import SESSION_LIFETIME, Accounts, Session, SignedIn, TooManyFailures
from tool_service.authorization_server.clients import Registration
from tool_service.authorization_server.issuer import Allowed, Consent, Issuer, Unfit
from tool_service.authorization_server.provider import Answer, FormRequest
from tool_service.authorization_server.redirects import destination, form_action
from tool_service.authorization_server.web.html import FOLDER, Cookie, is_own_form, language, page
from tool_service.authorization_server.web.scopes_shown import ScopeRoles, shown_scopes
from tool_service.authorization_server.web.words import WORDS
from tool_service.ports import Clock, Sealer

CONSENT_LIFETIME = timedelta(minutes=30)
ACCOUNT = "/account"
AUTHORIZE = "/authorize"
_CONSENT = "consent"
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class IssuerPages:
    issuer: Issuer
    accounts: Accounts
    sealer: Sealer
    clock: Clock
    role_of_scope: ScopeRoles

    def blueprint(self) -> Blueprint:
        """Every page, and the one stylesheet."""
        blueprint = Blueprint("issuer_pages", __name__)
        routes: tuple[tuple[str, str, Callable[..., Any]], ...] = (
            ("GET", "/", self.home),
            ("GET", AUTHORIZE, self.authorize),
            ("POST", "/consent", self.consent),
            ("GET", "/sign-in", self.sign_in_form),
            ("POST", "/sign-in", self.sign_in),
            ("POST", "/sign-out", self.sign_out),
            ("GET", ACCOUNT, self.account),
            ("POST", f"{ACCOUNT}/connections/<uuid:connection_id>/take-back", self.take_back),
            ("POST", f"{ACCOUNT}/sessions/<uuid:session_id>/end", self.end_session),
            ("GET", "/assets/<name>", self.asset),
        )
        for method, path, view in routes:
            blueprint.add_url_rule(path, view.__name__, view, methods=[method], provide_automatic_options=False)

        @blueprint.before_request
        async def only_our_own_forms() -> Response | None:
            # A form on somebody else's page must not act with this browser's cookie.
            return _expired() if request.method == "POST" and not is_own_form(self.issuer.url) else None

        return blueprint

    async def home(self) -> Any:
        return redirect(ACCOUNT, 303)

    async def asset(self, name: str) -> Response:
        response = await send_from_directory(FOLDER / "static", name)
        response.headers["Cache-Control"] = "public, max-age=3600"
        return response

    async def authorize(self) -> Any:
        query = request.query_string.decode("ascii", "replace")
        asked = await self.issuer.ask(_authorization_request(request.args))
        if not isinstance(asked, Consent):
            return _answered(asked)
        session = await self._session()
        if session is None:
            return redirect(f"/sign-in?next={quote(f'{AUTHORIZE}?{query}', safe='')}", 303)
        if asked.client.registration is Registration.OWN:
            return _answered(
                await self.issuer.decide(_authorization_request(request.args), await self._own(session), _id())
            )
        return await self._ask(asked, session, query)

    async def consent(self) -> Any:
        form = await request.form
        session = await self._session()
        query = None if session is None else self._open(form.get("ticket", ""), session)
        if session is None or query is None:
            return _expired()
        authorization = _authorization_request(_parsed(query))
        if form.get("decision") != "allow":
            return _answered(await self.issuer.decide(authorization, None, _id()))
        scopes = frozenset(form.getlist("scope"))
        organization_id = form.get("organization", "")
        memberships = await self.accounts.memberships(session.person_id)
        if organization_id not in {str(each.organization_id) for each in memberships}:
            return _expired()
        asked = await self.issuer.ask(authorization)
        if not isinstance(asked, Consent):
            return _answered(asked)
        if not scopes & asked.scopes:
            return await self._ask(asked, session, query, error="nothing_chosen")
        allowed = Allowed(session.person_id, UUID(organization_id), scopes, session.created_at)
        return _answered(await self.issuer.decide(authorization, allowed, _id()))

    async def sign_in_form(self) -> Any:
        target = _target(request.args.get("next", ""))
        if await self._session() is not None:
            return redirect(target, 303)
        return self._sign_in_page(target)

    async def sign_in(self) -> Any:
        form = await request.form
        target, email = _target(form.get("next", "")), form.get("email", "")
        outcome = await self.accounts.sign_in(email, form.get("password", ""), request.headers.get("User-Agent", ""))
        match outcome:
            case SignedIn(secret=secret):
                response: Any = redirect(target, 303)
                self._cookie.write(response, secret, int(SESSION_LIFETIME.total_seconds()))
                return response
            case TooManyFailures(retry_after_seconds=seconds):
                minutes = str(-(-seconds // 60))
                text = WORDS["too_many_failures"].in_(language()).format(minutes=minutes)
                response = self._sign_in_page(target, email, text, 429)
                response.headers["Retry-After"] = str(seconds)
                return response
            case _:
                return self._sign_in_page(target, email, WORDS["wrong_credentials"].in_(language()), 403)

    def _sign_in_page(self, target: str, email: str = "", error: str = "", status: int = 200) -> Response:
        # Who signs in for our own pages is asked nothing more, so the form's answer may lead there.
        leads_to = form_action(self.issuer.mcp_resource)
        return page("sign_in.html", status, leads_to, target=target, email=email[:254], error=error)

    async def sign_out(self) -> Any:
        session = await self._session()
        if session is not None:
            await self.accounts.end_session(session.person_id, session.id)
        target = (await request.form).get("next", "")
        response: Any = redirect(f"/sign-in?next={quote(_target(target), safe='')}", 303)
        self._cookie.clear(response)
        return response

    async def account(self) -> Any:
        session = await self._session()
        if session is None:
            return redirect(f"/sign-in?next={quote(ACCOUNT, safe='')}", 303)
        connections = await self.accounts.connections(session.person_id)
        scopes = frozenset().union(*(each.scopes for each in connections))
        return page(
            "account.html",
            session=session,
            memberships=await self.accounts.memberships(session.person_id),
            sessions=await self.accounts.sessions(session.person_id),
            connections=connections,
            scope_texts={each.name: each.text for each in shown_scopes(scopes, None, self.role_of_scope, language())},
            done=request.args.get("done", ""),
        )

    async def take_back(self, connection_id: UUID) -> Any:
        session = await self._session()
        if session is None:
            return _expired()
        await self.issuer.take_back(session.person_id, connection_id, _id())
        return redirect(f"{ACCOUNT}?done=took_back", 303)

    async def end_session(self, session_id: UUID) -> Any:
        session = await self._session()
        if session is None:
            return _expired()
        await self.accounts.end_session(session.person_id, session_id)
        return redirect(f"{ACCOUNT}?done=signed_out_there", 303)

    @property
    def _cookie(self) -> Cookie:
        return Cookie(self.issuer.url)

    async def _session(self) -> Session | None:
        return await self.accounts.session(self._cookie.read())

    async def _own(self, session: Session) -> Allowed | None:
        """For our own pages nothing is asked: they learn who it is, and no more."""
        memberships = await self.accounts.memberships(session.person_id)
        if not memberships:
            return None
        return Allowed(session.person_id, memberships[0].organization_id, frozenset(), session.created_at)

    async def _ask(self, asked: Consent, session: Session, query: str, error: str = "") -> Response:
        memberships = await self.accounts.memberships(session.person_id)
        if not memberships:
            return page("message.html", 403, title="no_company", lead="no_company", detail="")
        is_document = asked.client.registration is Registration.DOCUMENT
        role = max((each.role for each in memberships), key=lambda each: each.rank)
        scopes = shown_scopes(asked.scopes, role, self.role_of_scope, language())
        return page(
            "consent.html",
            422 if error else 200,
            form_action=form_action(asked.redirect_uri),
            client_name=asked.client.name,
            published_at=urlsplit(asked.client.client_id).hostname if is_document else None,
            destination=destination(asked.redirect_uri),
            session=session,
            memberships=memberships,
            reading=[each for each in scopes if each.only_reads],
            changing=[each for each in scopes if not each.only_reads],
            ticket=self._seal(query, session),
            query=query,
            error=error,
        )

    def _seal(self, query: str, session: Session) -> str:
        ticket = {"query": query, "session": str(session.id), "at": self.clock.now().timestamp()}
        return self.sealer.seal(_CONSENT, json.dumps(ticket).encode())

    def _open(self, sealed: str, session: Session) -> str | None:
        """The authorization request that this person was shown in this session, a short while ago."""
        opened = self.sealer.open(_CONSENT, sealed)
        if opened is None:
            return None
        ticket = json.loads(opened)
        is_late = datetime.fromtimestamp(ticket["at"], self.clock.now().tzinfo) + CONSENT_LIFETIME < self.clock.now()
        return None if is_late or ticket["session"] != str(session.id) else ticket["query"]


def _authorization_request(values: Any) -> FormRequest:
    return FormRequest("GET", AUTHORIZE, dict(values.lists()))


def _parsed(query: str) -> Any:
    return MultiDict(parse_qsl(query, keep_blank_values=True))


def _answered(answer: Answer | Unfit) -> Any:
    if isinstance(answer, Unfit):
        _log.info("authorization request refused", error=answer.error)
        return page("message.html", 400, title="unfit_title", lead="unfit_lead", detail=answer.description)
    assert answer.location is not None
    # A Response and not redirect(): the location is the client's, to the byte.
    return Response(b"", 303, {"Location": answer.location, "Cache-Control": "no-store"})


def _expired() -> Response:
    return page("message.html", 403, title="expired_title", lead="expired_lead", detail="")


def _target(text: str) -> str:
    """Where to go after signing in: only where our own pages send people."""
    return text if text.startswith(f"{AUTHORIZE}?") and text.isprintable() else ACCOUNT


def _id() -> str:
    return uuid4().hex
