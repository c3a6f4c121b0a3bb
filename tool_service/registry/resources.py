"""The third face of an operation that only reads: the same answer as a document with a URI."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tool_service.context import Context
from tool_service.domain.completing import Suggestions
from tool_service.domain.language import Localized
from tool_service.domain.resource_uris import UriTemplate
from tool_service.domain.schema import Arguments
from tool_service.registry.errors import RegistryError

Suggest = Callable[[Context, str, Mapping[str, str]], Awaitable[Suggestions]]
"""Values for an argument: of what was typed so far, and of the other arguments filled in before."""


@dataclass(frozen=True)
class Resource:
    """Where the answer can be read, and what people are told about it.

    `uri` is a URI or a template such as `kobana://kadu/tasks/{id}`: each variable is the argument of
    its name, and `suggest` says where values for it come from. `arguments` are those that are always
    the same. `name` is stable and English.
    """

    uri: str
    name: str
    title: Localized
    description: Localized
    arguments: Mapping[str, Any] = field(default_factory=dict)
    suggest: Mapping[str, Suggest] = field(default_factory=dict)

    @cached_property
    def template(self) -> UriTemplate:
        return UriTemplate(self.uri)

    @property
    def fixed(self) -> bool:
        return not self.template.variables

    def check(self, operation_name: str, arguments: type[Arguments]) -> None:
        """Raises: RegistryError when the operation could not be called with what the URI tells."""
        given = {*self.template.variables, *self.arguments}
        required = {name for name, each in arguments.model_fields.items() if each.is_required()}
        if not required <= given <= arguments.model_fields.keys():
            raise RegistryError(f"{operation_name}: {self.uri} does not give the arguments of the operation")
        if self.suggest.keys() != set(self.template.variables):
            raise RegistryError(f"{operation_name}: {self.uri} must suggest values for exactly its variables")


def check_apart(resources: list[Resource]) -> None:
    """Raises: RegistryError when one URI could mean two of them, or two have one name."""
    for n, each in enumerate(resources):
        for other in resources[:n]:
            if each.name == other.name or each.template.overlaps(other.template):
                raise RegistryError(f"two resources share a name or a URI: {each.uri} and {other.uri}")
