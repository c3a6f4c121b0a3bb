"""Whether the tool service says that it serves, by the standard gRPC health service."""

import grpc
from grpc_health.v1 import health_pb2

from protos.tool_service.v1 import tool_service_pb2 as pb

TIMEOUT_SECONDS = 2.0
SERVICE_NAME = pb.DESCRIPTOR.services_by_name["ToolService"].full_name


class ToolServiceHealth:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._check = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )

    async def is_ready(self) -> bool:
        """Answers within TIMEOUT_SECONDS, and never raises for a service that is away."""
        request = health_pb2.HealthCheckRequest(service=SERVICE_NAME)
        try:
            response = await self._check(request, timeout=TIMEOUT_SECONDS)
        except grpc.aio.AioRpcError:
            return False
        return response.status == health_pb2.HealthCheckResponse.SERVING
