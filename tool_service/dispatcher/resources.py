"""Resources: operations that only read, and the documents about Kadu, as texts with a URI.

A read goes through the gate as the call of its operation does, so no right is decided here anew.
Whatever the caller cannot see, and whatever is no URI of ours, gets one and the same answer; only a
missing scope is told apart, because the person may grant it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tool_service.dispatcher.answers import Answered, Refused
from tool_service.dispatcher.bodies import refused
from tool_service.dispatcher.gate import Dispatcher
from tool_service.dispatcher.invocation import Invocation
from tool_service.dispatcher.reader import Reader
from tool_service.domain import scopes
from tool_service.domain.caller import Caller
from tool_service.domain.documents import JSON, MARKDOWN, READ_LIMIT_BYTES, Document
from tool_service.domain.errors import InsufficientScope, NotFound
from tool_service.domain.language import Language
from tool_service.domain.resource_uris import UriTemplate, parse_uri
from tool_service.domain.schema import Page
from tool_service.registry import Operation, Resource

# Kinds of refusal that must not tell a hidden object, a malformed id and a missing object apart.
_LIKE_NOTHING = frozenset({"NotFound", "InvalidArguments", "PermissionDenied", "Hidden"})
# Documents are for whoever holds any scope of Kadu; a token without one is asked for the smallest.
_SMALLEST_SCOPE = frozenset({"kadu.organization.read"})


@dataclass(frozen=True, slots=True)
class ListedResource:
    """One resource, or one template, as a list shows it."""

    uri: str
    name: str
    title: str
    description: str
    mime_type: str


@dataclass(frozen=True, slots=True)
class Contents:
    """The text of one resource under the URI that was asked for."""

    uri: str
    mime_type: str
    text: str


class Resources:
    """Lists and reads for one caller at a time."""

    def __init__(self, dispatcher: Dispatcher, documents: Sequence[Document]) -> None:
        self._dispatcher = dispatcher
        self._documents = [(UriTemplate(each.uri), each) for each in documents]
        operations = dispatcher.registry.operations
        self._operations = [(each, each.resource) for each in operations if each.resource is not None]

    async def fixed(self, reader: Reader) -> list[ListedResource]:
        """What has one URI: the documents by name, then the operations in catalogue order.

        Raises:
            NotAMember: the person is no active member of the organization.
        """
        caller = await self._dispatcher.caller(reader.identity, reader.accept_language)
        documents = self._documents if _has_any_scope(caller) else []
        listed = [_listed_document(document, caller.language) for _, document in documents]
        return [*listed, *self._listed(caller, fixed=True)]

    async def templates(self, reader: Reader) -> list[ListedResource]:
        """What has a URI per object, in catalogue order.

        Raises:
            NotAMember: the person is no active member of the organization.
        """
        caller = await self._dispatcher.caller(reader.identity, reader.accept_language)
        return self._listed(caller, fixed=False)

    async def read(self, reader: Reader, uri: str) -> Contents | Refused:
        """The text behind the URI.

        Raises:
            NotAMember: the person is no active member of the organization.
            DatabaseUnavailable: nothing could be read.
        """
        caller = await self._dispatcher.caller(reader.identity, reader.accept_language)
        path = parse_uri(uri)
        if path is None:
            return _not_found(caller, reader)
        for template, document in self._documents:
            if template.match(path) is not None:
                return _document(document, uri, caller, reader)
        for operation, resource in self._operations:
            if (variables := resource.template.match(path)) is not None:
                answer = await self._answer(operation, {**resource.arguments, **variables}, reader)
                if isinstance(answer, Refused):
                    return _not_found(caller, reader) if answer.kind in _LIKE_NOTHING else answer
                return Contents(uri, JSON, answer)
        return _not_found(caller, reader)

    async def _answer(self, operation: Operation, arguments: Mapping[str, Any], reader: Reader) -> str | Refused:
        """What the operation answers. A page that is too long is asked for again, half as long, until it fits."""
        invocation = Invocation(operation, reader.identity, arguments, reader.request_id, reader.accept_language)
        outcome = await self._dispatcher.call(invocation)
        limit = _page_limit(operation, arguments)
        while isinstance(outcome, Answered) and len(outcome.body) > READ_LIMIT_BYTES and limit > 1:
            limit //= 2
            outcome = await self._dispatcher.call(replace(invocation, arguments={**arguments, "limit": limit}))
        match outcome:
            case Refused():
                return outcome
            case Answered(body=body) if len(body) > READ_LIMIT_BYTES:
                return _too_long(operation, arguments, len(body))
            case Answered(body=body):
                return body.decode()
            case _:
                raise AssertionError("what only reads needs no confirmation")

    def _listed(self, caller: Caller, *, fixed: bool) -> list[ListedResource]:
        return [
            _listed_operation(resource, caller.language)
            for operation, resource in self._operations
            if resource.fixed is fixed and self._dispatcher.permits(operation, caller)
        ]


def _has_any_scope(caller: Caller) -> bool:
    return not scopes.ALL.isdisjoint(caller.identity.scopes)


def _listed_operation(resource: Resource, language: Language) -> ListedResource:
    title, description = resource.title.in_(language), resource.description.in_(language)
    return ListedResource(resource.uri, resource.name, title, description, JSON)


def _listed_document(document: Document, language: Language) -> ListedResource:
    title, description = document.title.in_(language), document.description.in_(language)
    return ListedResource(document.uri, document.name, title, description, MARKDOWN)


def _document(document: Document, uri: str, caller: Caller, reader: Reader) -> Contents | Refused:
    if not _has_any_scope(caller):
        error = InsufficientScope(required=_SMALLEST_SCOPE, missing=_SMALLEST_SCOPE)
        return refused(error, caller.language, reader.request_id)
    return Contents(uri, MARKDOWN, document.text.in_(caller.language))


def _not_found(caller: Caller, reader: Reader) -> Refused:
    return refused(NotFound(param="uri"), caller.language, reader.request_id)


def _page_limit(operation: Operation, arguments: Mapping[str, Any]) -> int:
    """How many items a list answers; 1 for what is no list and cannot be made shorter."""
    if operation.answer is not Page:
        return 1
    return arguments.get("limit", operation.arguments.model_fields["limit"].default)


def _too_long(operation: Operation, arguments: Mapping[str, Any], size_bytes: int) -> str:
    """Still JSON, and true: half a document would be neither."""
    told = {
        "data": None,
        "truncated": True,
        "size_bytes": size_bytes,
        "limit_bytes": READ_LIMIT_BYTES,
        "tool": operation.tool_name,
        "arguments": dict(arguments),
        "hint": f"Too long for a resource; call {operation.tool_name} with these arguments.",
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))
