"""Members over gRPC: the MemberDirectory of production."""

import grpc
from uuid_utils.compat import uuid7

from mcp_frontend.adapters.caller_assertion import CallerAssertions
from mcp_frontend.adapters.tool_service_calls import NOT_A_MEMBER, NOT_ANSWERED, CallFailed
from mcp_frontend.caller import Person, Subject
from mcp_frontend.oauth.ports import MembersUnavailable
from protos.tool_service.v1 import tool_service_pb2 as pb
from protos.tool_service.v1 import tool_service_pb2_grpc as pb_grpc

# It stands before every answer to a new token, so it does not wait as long as a tool may.
DEADLINE_SECONDS = 5.0


class GrpcMembers:
    """Must be made inside the serving loop; the channel is the caller's to close."""

    def __init__(self, channel: grpc.aio.Channel, assertions: CallerAssertions) -> None:
        self._stub = pb_grpc.MemberServiceStub(channel)
        self._assertions = assertions

    async def recognize(self, subject: Subject) -> Person | None:
        metadata = (("subject-assertion", self._assertions.assertion_of(subject)), ("request-id", str(uuid7())))
        try:
            member = await self._stub.Recognize(pb.RecognizeRequest(), timeout=DEADLINE_SECONDS, metadata=metadata)
        except grpc.aio.AioRpcError as error:
            if error.code() in NOT_ANSWERED:
                raise MembersUnavailable from error
            if error.code() is grpc.StatusCode.UNAUTHENTICATED and error.details() == NOT_A_MEMBER:
                return None
            raise CallFailed(f"{error.code().name}: {error.details()}") from error
        return Person(
            person_id=member.person_id,
            organization_id=member.organization_id,
            name=member.name,
            role=member.role,
            organization_name=member.organization_name,
            language=member.language,
        )
