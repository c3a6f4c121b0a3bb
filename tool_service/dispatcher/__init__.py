"""The one gate to the operations: authorise, validate, idempotency, one transaction, audit.

Whoever comes through it, gRPC or REST, gets the same bytes. Nothing else calls a handler.
"""

from tool_service.dispatcher.answers import Answered, ConfirmationNeeded, Decision, Refused
from tool_service.dispatcher.gate import Dispatcher
from tool_service.dispatcher.invocation import Invocation
from tool_service.dispatcher.library import Library
from tool_service.dispatcher.membership import Members
from tool_service.dispatcher.reader import Reader
from tool_service.dispatcher.resources import Contents, ListedResource, Resources

__all__ = [
    "Answered",
    "ConfirmationNeeded",
    "Contents",
    "Decision",
    "Dispatcher",
    "Invocation",
    "Library",
    "ListedResource",
    "Members",
    "Reader",
    "Refused",
    "Resources",
]
