"""MemberService: whom a verified subject stands for."""

from typing import Any

import grpc

from protos.tool_service.v1 import tool_service_pb2 as pb
from protos.tool_service.v1 import tool_service_pb2_grpc as pb_grpc
from tool_service.authorization_server.recognition import Recognition
from tool_service.domain.language import choose_language
from tool_service.grpc_api.interceptors import current_question


class MemberServicer(pb_grpc.MemberServiceServicer):
    def __init__(self, recognition: Recognition) -> None:
        self._recognition = recognition

    async def Recognize(
        self, request: pb.RecognizeRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> pb.RecognizeResponse:
        asked = current_question()
        member = await self._recognition.member(asked.subject, asked.request_id)
        return pb.RecognizeResponse(
            organization_id=str(member.organization_id),
            person_id=str(member.person_id),
            name=member.name,
            role=member.role.value,
            organization_name=member.organization_name,
            language=choose_language("", member.locale, member.organization_locale).value,
        )
