"""The one gate to the operations: authorise, validate, idempotency, one transaction, audit.

Whoever comes through it, gRPC or REST, gets the same bytes. Nothing else calls a handler.
"""

from tool_service.dispatcher.answers import Answered, ConfirmationNeeded, Decision, Refused
from tool_service.dispatcher.gate import Dispatcher
from tool_service.dispatcher.invocation import Invocation
from tool_service.dispatcher.library import Library, Reader
from tool_service.dispatcher.membership import Members, NotAMember

__all__ = [
    "Answered",
    "ConfirmationNeeded",
    "Decision",
    "Dispatcher",
    "Invocation",
    "Library",
    "Members",
    "NotAMember",
    "Reader",
    "Refused",
]
