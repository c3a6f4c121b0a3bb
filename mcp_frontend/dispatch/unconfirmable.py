"""The answer to a call that nobody can be asked about: an error body with the code confirmation_unavailable."""

import json

from mcp_frontend.dispatch.ports import ConfirmationRequired

CODE = "confirmation_unavailable"
STATUS = 409

_TITLES = {"pt-BR": "Confirmação indisponível", "en": "Confirmation unavailable"}
_DETAILS = {
    "pt-BR": "Nada foi executado. A confirmação por link ainda não está disponível. O pedido era: {summary}",
    "en": "Nothing ran. Confirmation by link is not available yet. The request was: {summary}",
}
_HINT = "Tell the person that a client which declares elicitation (form) can confirm this call; do not retry here."


def unconfirmable_body(required: ConfirmationRequired, request_id: str) -> str:
    """UTF-8 JSON text in the language of the summary."""
    language = required.language if required.language in _TITLES else "pt-BR"
    problem = {
        "code": CODE,
        "title": _TITLES[language],
        "param": None,
        "detail": _DETAILS[language].format(summary=required.summary),
        "hint": _HINT,
    }
    body = {"status": STATUS, "errors": [problem], "request_id": request_id, "retry_after": None}
    return json.dumps(body, ensure_ascii=False)
