"""How every page of the issuer is served: which language, which headers, whose browser asks."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import structlog
from babel.dates import format_datetime
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from quart import Response, request

from tool_service.authorization_server.web.words import WORDS
from tool_service.domain.language import Language, choose_language

FOLDER = Path(__file__).parent
_BABEL_LOCALES = {Language.PORTUGUESE: "pt_BR", Language.ENGLISH: "en"}
_log = structlog.get_logger(__name__)

# A form's answer may redirect to where the client waits, and a browser asks the policy about that too.
_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'{form_action}; "
    "base-uri 'none'; frame-ancestors 'none'"
)


def _moment(moment: datetime, language: Language) -> str:
    # Babel renders UTC; what a person's zone is, the issuer does not know before they sign in.
    return format_datetime(moment, "short", locale=_BABEL_LOCALES[language]) + " UTC"


_templates = Environment(
    loader=FileSystemLoader(FOLDER / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def language() -> Language:
    """What the client named (OpenID Connect Core 3.1.2.1), else what the browser prefers."""
    named = request.args.get("ui_locales", "").replace(" ", ",")
    return choose_language(named + "," + request.headers.get("Accept-Language", ""))


def page(template: str, status: int = 200, form_action: str = "", **values: Any) -> Response:
    """A page by its template; `form_action` is one more place to which its forms may lead."""
    spoken = language()
    html = _templates.get_template(template).render(
        words={name: each.in_(spoken) for name, each in WORDS.items()},
        language=spoken,
        moment=lambda moment: _moment(moment, spoken),
        **values,
    )
    response = Response(html, status, content_type="text/html; charset=utf-8")
    policy = _POLICY.format(form_action=f" {form_action}" if form_action else "")
    response.headers.update(
        {
            "Content-Security-Policy": policy,
            # Not no-referrer: that makes browsers send `Origin: null` with our own forms.
            "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Content-Language": spoken.value,
            "Vary": "Accept-Language, Cookie",
            "Cache-Control": "no-store",
        }
    )
    return response


@dataclass(frozen=True, slots=True)
class Cookie:
    """The cookie of a signed-in browser.

    A name with __Host- is only taken with TLS, for this host and the whole of it, so no neighbour can plant one.
    Without TLS, which is for loopback alone, browsers differ in whether they take such a cookie.
    """

    issuer: str

    @property
    def name(self) -> str:
        return "__Host-kadu-issuer" if self._is_secure else "kadu-issuer"

    @property
    def _is_secure(self) -> bool:
        return urlsplit(self.issuer).scheme == "https"

    def read(self) -> str:
        return request.cookies.get(self.name, "")

    def write(self, response: Response, value: str, max_age_seconds: int) -> None:
        response.set_cookie(
            self.name,
            value,
            max_age=max_age_seconds,
            path="/",
            secure=self._is_secure,
            httponly=True,
            samesite="Lax",
        )

    def clear(self, response: Response) -> None:
        self.write(response, "", 0)


def is_own_form(issuer: str) -> bool:
    """Whether the form that was sent stands on a page of ours: every browser names the origin of a POST."""
    parts = urlsplit(issuer)
    return request.headers.getlist("Origin") == [f"{parts.scheme}://{parts.netloc}"]
