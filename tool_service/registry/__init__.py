"""What an operation and a prompt are, and the catalogue of all of them.

Each lives in a file of its own, below `operations/` or `prompts/`, and states its own facts; what
clients see over gRPC and REST is made by loops over the catalogue, so nothing else lists them.
"""

from tool_service.registry.errors import RegistryError
from tool_service.registry.operations import Operation, Registry, Route, discover, operation
from tool_service.registry.prompts import Prompt, PromptArgument, PromptRegistry, discover_prompts
from tool_service.registry.resources import Resource, Suggest

__all__ = [
    "Operation",
    "Prompt",
    "PromptArgument",
    "PromptRegistry",
    "Registry",
    "RegistryError",
    "Resource",
    "Route",
    "Suggest",
    "discover",
    "discover_prompts",
    "operation",
]
