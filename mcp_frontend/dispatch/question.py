"""The question that a person answers in the chat: one box, in the language of its summary."""

from mcp_frontend.dispatch.ports import ConfirmationRequired
from mcp_frontend.protocol.model import QuestionAsked

# The name of the answer in inputResponses, and of the box in its form.
KEY = "confirm"

_TITLES = {"pt-BR": "Continuar", "en": "Continue"}
_DESCRIPTIONS = {"pt-BR": "Marque para continuar.", "en": "Tick to go on."}


def ask(required: ConfirmationRequired, state: str) -> QuestionAsked:
    """The form for what the tool service wants confirmed."""
    language = required.language if required.language in _TITLES else "pt-BR"
    return QuestionAsked(
        key=KEY,
        message=required.summary,
        field_title=_TITLES[language],
        field_description=_DESCRIPTIONS[language],
        state=state,
    )
