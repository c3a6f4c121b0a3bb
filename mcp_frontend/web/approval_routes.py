"""The page at which a person decides on a call that waits for them, and their inbox of all such calls.

GET and HEAD change nothing, whoever asks, however often: link scanners and previews come by (field report D32).
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from quart import Blueprint, Response, redirect, request

from mcp_frontend.approvals.ports import (
    Approval,
    ApprovalDesk,
    ApprovalRefusal,
    ApprovalsUnavailable,
    Decision,
    Status,
    Verdict,
    Visit,
    VisitorRefused,
)
from mcp_frontend.approvals.tickets import ApprovalTickets
from mcp_frontend.oauth.login import Visitor
from mcp_frontend.oauth.ports import IssuerUnavailable, MembersUnavailable
from mcp_frontend.protocol.trace import trace_parent_of
from mcp_frontend.web.html import is_own_form, language, page
from mcp_frontend.web.login_routes import LoginRoutes, unavailable

APPROVALS = "/approvals"
_STATUS_OF_REFUSAL = {ApprovalRefusal.NOT_FOUND: 404, ApprovalRefusal.NOT_FOR_YOU: 403}
_DAY, _CLOCK = {"pt-BR": "%d/%m/%Y", "en": "%Y-%m-%d"}, "%H:%M"


@dataclass(frozen=True, slots=True)
class ApprovalRoutes:
    login: LoginRoutes
    desk: ApprovalDesk
    tickets: ApprovalTickets
    public_url: str
    new_request_id: Callable[[], str]

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("approvals", __name__)
        routes: tuple[tuple[str, str, Callable[..., Any]], ...] = (
            ("GET", APPROVALS, self.inbox),
            ("GET", f"{APPROVALS}/<approval_id>", self.show),
            ("POST", f"{APPROVALS}/<approval_id>", self.decide),
        )
        for method, path, view in routes:
            blueprint.add_url_rule(path, view.__name__, view, methods=[method], provide_automatic_options=False)
        for error in (IssuerUnavailable, MembersUnavailable):
            blueprint.register_error_handler(error, unavailable)
        blueprint.register_error_handler(ApprovalsUnavailable, self.unknown)
        blueprint.register_error_handler(VisitorRefused, self.refused)
        blueprint.after_request(_unlisted)
        return blueprint

    async def inbox(self) -> Any:
        visitor = await self.login.visitor()
        if visitor is None:
            return _to_sign_in(APPROVALS + _chosen_language())
        spoken = self.login.language_of(visitor)
        listed = await self.desk.inbox(self._visit(visitor, spoken))
        waiting = [each for each in listed if each.status is Status.PENDING]
        past = [each for each in listed if each.status is not Status.PENDING]
        when = _when(spoken, next((each.timezone for each in listed), ""))
        return page("approvals.html", spoken=spoken, visitor=visitor, waiting=waiting, past=past, when=when)

    async def show(self, approval_id: str) -> Any:
        visitor = await self.login.visitor()
        if visitor is None:
            return _to_sign_in(_path(approval_id) + _chosen_language())
        spoken = self.login.language_of(visitor)
        shown = await self.desk.show(self._visit(visitor, spoken), approval_id)
        if isinstance(shown, ApprovalRefusal):
            return self._refusal(shown, visitor, spoken)
        return self._page(shown, visitor, spoken)

    async def decide(self, approval_id: str) -> Any:
        if not is_own_form(self.public_url):
            return page("message.html", 403, title="foreign_form", lead="foreign_form_lead")
        visitor = await self.login.visitor()
        if visitor is None:
            # Not a redirect: browsers follow none from a form to another origin that the page's policy does not name.
            return page("signed_out_meanwhile.html", 403, sign_in=_sign_in(_path(approval_id) + _chosen_language()))
        form = await request.form
        seen = self.tickets.seen(form.get("ticket", ""), visitor.subject, approval_id)
        pressed = form.get("decision", "")
        if seen is None or pressed not in {each.value for each in Decision}:
            # Sent from a page that is too old, or was another person's: they look again, and decide then.
            return _back(approval_id, "look_again")
        spoken = self.login.language_of(visitor)
        decided = await self.desk.decide(self._visit(visitor, spoken), approval_id, Decision(pressed), seen)
        if isinstance(decided, ApprovalRefusal):
            return self._refusal(decided, visitor, spoken)
        verdict, shown = decided
        notice = {Verdict.CHANGED: "look_again", Verdict.DECIDED_BEFORE: "too_late"}.get(verdict, "")
        # Whoever goes back or reloads finds the outcome, and no form to send again (field report D33).
        return _back(shown.id, notice)

    async def unknown(self, error: ApprovalsUnavailable) -> Response:
        """Whether a decision counts cannot be said now; the page will say it."""
        response = page("approval_unknown.html", 503, target=request.path, decided=request.method == "POST")
        response.headers["Retry-After"] = str(error.retry_after_seconds)
        return response

    async def refused(self, error: VisitorRefused) -> Response:
        return page("refused.html", 403, reason="not_a_member", email="")

    def _page(self, shown: Approval, visitor: Visitor, spoken: str) -> Response:
        notice, (heading, lead) = request.args.get("notice", ""), _headings(shown)
        return page(
            "approval.html",
            spoken=spoken,
            approval=shown,
            heading=heading,
            lead=lead,
            arguments=_lines(shown.arguments or {}),
            problems=_problems(shown.problem),
            failures=_problems(shown.outcome) if shown.status is Status.FAILED else [],
            outcome="" if shown.outcome is None else json.dumps(shown.outcome, ensure_ascii=False, indent=2),
            minutes_left=max(1, shown.seconds_left // 60),
            when=_when(spoken, shown.timezone),
            action=request.path + _chosen_language(),
            notice=notice if notice in {"look_again", "too_late"} else "",
            ticket=self.tickets.issue(visitor.subject, shown.id, shown.seen_digest),
        )

    @staticmethod
    def _refusal(refusal: ApprovalRefusal, visitor: Visitor, spoken: str) -> Response:
        return page(
            "approval_refused.html",
            _STATUS_OF_REFUSAL[refusal],
            spoken=spoken,
            reason=refusal.value,
            visitor=visitor,
        )

    def _visit(self, visitor: Visitor, spoken: str) -> Visit:
        return Visit(
            visitor.subject, spoken, self.new_request_id(), trace_parent_of(request.headers.get("traceparent", ""))
        )


def _path(approval_id: str) -> str:
    return f"{APPROVALS}/{quote(approval_id, safe='')}"


def _sign_in(target: str) -> str:
    return f"/login?next={quote(target, safe='')}"


def _to_sign_in(target: str) -> Any:
    return redirect(_sign_in(target), 303)


def _back(approval_id: str, notice: str) -> Any:
    chosen = _chosen_language()
    told = f"{'&' if chosen else '?'}notice={notice}" if notice else ""
    return redirect(_path(approval_id) + chosen + told, 303)


def _chosen_language() -> str:
    """The query that keeps the language which the person chose on the page, if they did."""
    return f"?lang={language()}" if request.args.get("lang") else ""


def _unlisted(response: Response) -> Response:
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    response.headers["Cache-Control"] = "no-store"
    return response


def _when(spoken: str, timezone: str) -> Callable[[int], str]:
    """Unix seconds as the person reads a moment: in their zone, or in UTC and saying so."""
    try:
        zone: ZoneInfo | None = ZoneInfo(timezone) if timezone else None
    except (ZoneInfoNotFoundError, ValueError):
        zone = None

    def text(seconds: int) -> str:
        moment = datetime.fromtimestamp(seconds, zone or ZoneInfo("UTC"))
        return moment.strftime(f"{_DAY[spoken]} {_CLOCK}") + ("" if zone else " UTC")

    return text


def _lines(arguments: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Every argument as text."""
    return [(name, _text(value)) for name, value in arguments.items()]


def _headings(shown: Approval) -> tuple[str, str]:
    """The names of the words that say how it stands, in a line and in a sentence."""
    name = f"approval_{shown.status.value}"
    if shown.status is Status.PENDING and shown.problem is not None:
        name = "approval_impossible"
    # What was only queued is not done yet, and nobody shall think so.
    is_queued = shown.outcome_status == HTTPStatus.ACCEPTED
    return name, "approval_accepted_lead" if is_queued else f"{name}_lead"


def _text(value: Any) -> str:
    """Texts as they are, a list of texts one a line, everything else as JSON."""
    match value:
        case str():
            return value
        case [*items] if items and all(isinstance(each, str) for each in items):
            return "\n".join(items)
        case _:
            return json.dumps(value, ensure_ascii=False, indent=2)


def _problems(body: Any) -> list[str]:
    """What an error body says, a sentence each."""
    match body:
        case {"errors": list(errors)}:
            return [str(each.get("detail") or each.get("title") or "") for each in errors if isinstance(each, Mapping)]
        case _:
            return []
