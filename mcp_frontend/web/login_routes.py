"""Signing in and out of our own pages, and the account page that says who is signed in."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from quart import Blueprint, Response, redirect, request

from mcp_frontend.oauth.login import SESSION_SECONDS, STARTED_SECONDS, RelyingParty, SignInRefused, Visitor, own_path
from mcp_frontend.oauth.ports import IssuerUnavailable, MembersUnavailable
from mcp_frontend.web.html import Cookie, is_own_form, language, page

SIGNED_IN_PATH = "/signed-in"
ACCOUNT = "/account"
_STATUS_OF_REASON = {"sign_in_expired": 400, "sign_in_failed": 502, "sign_in_denied": 403, "not_a_member": 403}


@dataclass(frozen=True, slots=True)
class LoginRoutes:
    relying_party: RelyingParty
    public_url: str

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("login", __name__)
        routes: tuple[tuple[str, str, Callable[..., Any]], ...] = (
            ("GET", "/login", self.login),
            ("GET", SIGNED_IN_PATH, self.signed_in),
            ("GET", ACCOUNT, self.account),
            ("POST", "/sign-out", self.sign_out),
        )
        for method, path, view in routes:
            blueprint.add_url_rule(path, view.__name__, view, methods=[method], provide_automatic_options=False)
        blueprint.register_error_handler(IssuerUnavailable, unavailable)
        blueprint.register_error_handler(MembersUnavailable, unavailable)
        return blueprint

    async def login(self) -> Any:
        # Kept while it is there: another tab may have a sign-in under way.
        browser = self._browser.read() or secrets.token_urlsafe(24)
        target = own_path(request.args.get("next", ""))
        response: Any = redirect(await self.relying_party.start(target, browser, language()), 303)
        self._browser.write(response, browser, STARTED_SECONDS)
        return _unstored(response)

    async def signed_in(self) -> Any:
        try:
            done = await self.relying_party.finish(request.args.to_dict(), self._browser.read())
        except SignInRefused as refused:
            status = _STATUS_OF_REASON[refused.reason]
            return page("refused.html", status, reason=refused.reason, email=refused.email)
        response: Any = redirect(done.target, 303)
        self._session.write(response, done.cookie, SESSION_SECONDS)
        return _unstored(response)

    async def account(self) -> Any:
        visitor = await self.visitor()
        if visitor is None:
            return redirect(f"/login?next={quote(ACCOUNT, safe='')}", 303)
        metadata = await self.relying_party.source.metadata()
        return page("account.html", spoken=self.language_of(visitor), visitor=visitor, account_url=metadata.account_url)

    async def sign_out(self) -> Any:
        if not is_own_form(self.public_url):
            return page("message.html", 403, title="foreign_form", lead="foreign_form_lead")
        response = page("message.html", title="signed_out", lead="signed_out_lead")
        self._session.clear(response)
        return response

    async def visitor(self) -> Visitor | None:
        """Who is signed in with this browser. Raises: MembersUnavailable."""
        return await self.relying_party.visitor(self._session.read())

    @staticmethod
    def language_of(visitor: Visitor) -> str:
        """What they chose on this page counts first, then what the service knows of them."""
        return language() if request.args.get("lang") else visitor.person.language

    @property
    def _session(self) -> Cookie:
        return Cookie("kadu", self.public_url)

    @property
    def _browser(self) -> Cookie:
        return Cookie("kadu-login", self.public_url)


async def unavailable(error: Exception) -> Response:
    response = page("message.html", 503, title="unavailable", lead="unavailable_lead")
    response.headers["Retry-After"] = str(getattr(error, "retry_after_seconds", 2))
    return response


def _unstored(response: Any) -> Any:
    response.headers["Cache-Control"] = "no-store"
    return response
