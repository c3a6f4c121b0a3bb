"""From a class of OperationError to the kind that the contract names."""

from protos.tool_service.v1 import tool_service_pb2 as pb

FAILURE_KINDS: dict[str, pb.FailureKind.ValueType] = {
    "Hidden": pb.FAILURE_KIND_UNKNOWN_TOOL,
    "InsufficientScope": pb.FAILURE_KIND_INSUFFICIENT_SCOPE,
    "InvalidArguments": pb.FAILURE_KIND_INVALID_ARGUMENTS,
    "InvalidCursor": pb.FAILURE_KIND_INVALID_ARGUMENTS,
    "PermissionDenied": pb.FAILURE_KIND_PERMISSION_DENIED,
    "NotFound": pb.FAILURE_KIND_NOT_FOUND,
    "Conflict": pb.FAILURE_KIND_CONFLICT,
    "InProgress": pb.FAILURE_KIND_CONFLICT,
    "PreviewChanged": pb.FAILURE_KIND_CONFLICT,
    "LimitExceeded": pb.FAILURE_KIND_LIMIT_EXCEEDED,
    "Gone": pb.FAILURE_KIND_GONE,
    "Declined": pb.FAILURE_KIND_DECLINED,
}
