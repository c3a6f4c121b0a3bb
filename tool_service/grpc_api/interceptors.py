"""What every RPC shares: who calls, the request id, the log line, and the only `context.abort`.

Health and reflection pass untouched: they tell nothing about anybody.
"""

import re
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import grpc
import structlog

from tool_service.authorization_server.tokens import CallerAssertions, SubjectAssertions, TokenRefused
from tool_service.db.engine import DatabaseUnavailable
from tool_service.domain.caller import Identity, Subject
from tool_service.domain.organizations import NotAMember
from tool_service.ports import ObjectStoreUnavailable

_log = structlog.get_logger(__name__)
_SERVICES_OF_SUBJECTS = ("/tool_service.v1.MemberService/", "/tool_service.v1.ApprovalService/")
_OPEN_SERVICES = ("/grpc.health.", "/grpc.reflection.")
REQUEST_ID_LIMIT = 100
_TRACEPARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?")


@dataclass(frozen=True, slots=True)
class Call:
    """The proven facts of the RPC that is running."""

    identity: Identity
    request_id: str
    trace_id: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """The same for an RPC that asks who somebody is."""

    subject: Subject
    request_id: str
    trace_id: str | None = None


class MalformedRequest(Exception):
    """The front end sent something that the contract forbids."""


# The stubs of grpc know this type for synchronous servers only.
_Handler = Any

_current: ContextVar[Call] = ContextVar("current gRPC call")


_asked: ContextVar[Question] = ContextVar("current question of a subject")


def current_call() -> Call:
    return _current.get()


def current_question() -> Question:
    return _asked.get()


class CallInterceptor(grpc.aio.ServerInterceptor):
    def __init__(self, assertions: CallerAssertions, subjects: SubjectAssertions) -> None:
        self._assertions = assertions
        self._subjects = subjects

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[_Handler]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> _Handler:
        handler = await continuation(handler_call_details)
        if handler is None or handler_call_details.method.startswith(_OPEN_SERVICES):
            return handler
        behavior = handler.unary_unary
        method = handler_call_details.method

        async def guarded(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
            return await self._guard(method, behavior, request, context)

        as_if_synchronous: Any = guarded
        return grpc.unary_unary_rpc_method_handler(
            as_if_synchronous,
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )

    async def _guard(
        self, method: str, behavior: Any, request: Any, context: grpc.aio.ServicerContext[Any, Any]
    ) -> Any:
        metadata = {key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)}
        request_id = metadata.get("request-id", "")[:REQUEST_ID_LIMIT] or uuid4().hex
        started = time.perf_counter()
        code, message = grpc.StatusCode.OK, ""
        try:
            trace_id = _trace_id(metadata.get("traceparent", ""))
            if method.startswith(_SERVICES_OF_SUBJECTS):
                subject = self._subjects.verify(metadata.get("subject-assertion", ""))
                _asked.set(Question(subject, request_id, trace_id))
            else:
                identity = self._assertions.verify(metadata.get("caller-assertion", ""))
                _current.set(Call(identity, request_id, trace_id))
            return await behavior(request, context)
        except (TokenRefused, NotAMember) as error:
            code, message = grpc.StatusCode.UNAUTHENTICATED, type(error).__name__
        except MalformedRequest as error:
            code, message = grpc.StatusCode.INVALID_ARGUMENT, str(error)
        except (DatabaseUnavailable, ObjectStoreUnavailable) as error:
            _log.warning("unavailable", method=method, request_id=request_id, exc_info=error)
            code, message = grpc.StatusCode.UNAVAILABLE, type(error).__name__
        except Exception:
            # The rim of the process: the cause stays in the log, under the request id.
            _log.exception("call failed", method=method, request_id=request_id)
            code, message = grpc.StatusCode.INTERNAL, "internal error"
        finally:
            _log.debug(
                "call",
                method=method,
                request_id=request_id,
                status=code.name,
                milliseconds=round((time.perf_counter() - started) * 1000, 1),
            )
        await context.abort(code, message)
        raise AssertionError("abort raises")


def _trace_id(traceparent: str) -> str | None:
    """Of W3C Trace Context, level 1, 3.2."""
    found = _TRACEPARENT.fullmatch(traceparent)
    return None if found is None else found[1]
