"""How every page that people see is served: which language, which headers, whose browser asks."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from quart import Response, request

from mcp_frontend.web.words import LANGUAGES, WORDS

FOLDER = Path(__file__).parent
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    # Not no-referrer: that makes browsers send `Origin: null` with our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Vary": "Accept, Accept-Language, Cookie",
    "Cache-Control": "no-store",
}

_templates = Environment(
    loader=FileSystemLoader(FOLDER / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def language() -> str:
    """pt-BR or en: what the page's own link names, else what the browser prefers."""
    named = request.args.get("lang", "")
    return named if named in LANGUAGES else request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]


def page(template: str, status: int = 200, spoken: str = "", **values: Any) -> Response:
    """A page by its template, in the language that is `spoken`, else the browser's."""
    spoken = spoken or language()
    words = {name: each.in_(spoken) for name, each in WORDS.items()}
    html = _templates.get_template(template).render(words=words, language=spoken, path=request.path, **values)
    response = Response(html, status, _HEADERS, content_type="text/html; charset=utf-8")
    response.headers["Content-Language"] = spoken
    return response


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie of ours in a person's browser.

    A name with __Host- is only taken with TLS, for this host and the whole of it, so no neighbour can plant one.
    Without TLS, which is for loopback alone, browsers differ in whether they take such a cookie.
    """

    plain_name: str
    public_url: str

    @property
    def name(self) -> str:
        return f"__Host-{self.plain_name}" if self._is_secure else self.plain_name

    @property
    def _is_secure(self) -> bool:
        return urlsplit(self.public_url).scheme == "https"

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


def is_own_form(public_url: str) -> bool:
    """Whether the form that was sent stands on a page of ours: every browser names the origin of a POST."""
    parts = urlsplit(public_url)
    return request.headers.getlist("Origin") == [f"{parts.scheme}://{parts.netloc}"]
