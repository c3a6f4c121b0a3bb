"""The gRPC server: our service, health and reflection, with limits that agree with the front end's channel."""

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from protos.tool_service.v1 import tool_service_pb2 as pb
from protos.tool_service.v1 import tool_service_pb2_grpc as pb_grpc
from tool_service.approvals.decisions import Decisions
from tool_service.approvals.opening import Approvals
from tool_service.authorization_server.recognition import Recognition
from tool_service.authorization_server.tokens import CallerAssertions, SubjectAssertions
from tool_service.dispatcher import Dispatcher, Library
from tool_service.grpc_api.approval_servicer import ApprovalServicer
from tool_service.grpc_api.interceptors import CallInterceptor
from tool_service.grpc_api.member_servicer import MemberServicer
from tool_service.grpc_api.servicer import ToolServicer

MESSAGE_LIMIT_BYTES = 4 * 1024 * 1024
SERVICE_NAME = pb.DESCRIPTOR.services_by_name["ToolService"].full_name
MEMBER_SERVICE_NAME = pb.DESCRIPTOR.services_by_name["MemberService"].full_name
APPROVAL_SERVICE_NAME = pb.DESCRIPTOR.services_by_name["ApprovalService"].full_name
SERVER_OPTIONS = [
    ("grpc.max_receive_message_length", MESSAGE_LIMIT_BYTES),
    ("grpc.max_send_message_length", MESSAGE_LIMIT_BYTES),
    # A front end may ask every 30 s whether an idle connection lives; the default of 5 min answers GOAWAY.
    ("grpc.http2.min_ping_interval_without_data_ms", 30_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # A second server on the same port must fail, not take half of the calls.
    ("grpc.so_reuseport", 0),
]


class GrpcServer:
    """One gRPC server on one address; start it inside the serving loop."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        approvals: Approvals,
        decisions: Decisions,
        library: Library,
        recognition: Recognition,
        assertions: CallerAssertions,
        subjects: SubjectAssertions,
    ) -> None:
        interceptor = CallInterceptor(assertions, subjects)
        self._server = grpc.aio.server(interceptors=[interceptor], options=SERVER_OPTIONS)
        pb_grpc.add_ToolServiceServicer_to_server(ToolServicer(dispatcher, approvals, library), self._server)
        pb_grpc.add_MemberServiceServicer_to_server(MemberServicer(recognition), self._server)
        pb_grpc.add_ApprovalServiceServicer_to_server(ApprovalServicer(decisions), self._server)
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (SERVICE_NAME, MEMBER_SERVICE_NAME, APPROVAL_SERVICE_NAME, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)

    async def start(self, address: str) -> int:
        """Listen on "host:port" without TLS; the port that was bound.

        Raises:
            OSError: the address cannot be bound.
        """
        try:
            port = self._server.add_insecure_port(address)
        except RuntimeError as error:
            raise OSError(f"cannot listen on {address}") from error
        await self._server.start()
        await self._health.set(SERVICE_NAME, health_pb2.HealthCheckResponse.SERVING)
        return port

    async def stop(self, grace_seconds: float) -> None:
        """Say that we are going, finish what is in flight within the grace, and close."""
        await self._health.enter_graceful_shutdown()
        await self._server.stop(grace_seconds)
