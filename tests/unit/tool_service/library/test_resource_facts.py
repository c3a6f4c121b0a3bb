"""What an operation may say of its resource, and what stops the boot."""

from collections.abc import Mapping
from typing import Any, cast

import pytest

from tool_service.context import Context
from tool_service.domain.caller import Role
from tool_service.domain.completing import NOTHING, Suggestions
from tool_service.domain.identifiers import IdText
from tool_service.domain.language import Localized
from tool_service.domain.schema import Arguments, Success, View
from tool_service.registry import RegistryError, Resource, Route, operation
from tool_service.registry.resources import check_apart

TEXT = Localized(pt="a", en="a")


class ThingArguments(Arguments):
    id: IdText


class ThingView(View):
    id: str


async def nothing(context: Context, typed: str, filled: Mapping[str, str]) -> Suggestions:
    return NOTHING


def resource(uri: str, name: str = "thing", **facts: Any) -> Resource:
    return Resource(uri, name=name, title=TEXT, description=TEXT, **facts)


async def things_get(context: Context, arguments: ThingArguments) -> Success[ThingView]:
    """Read a thing."""
    raise NotImplementedError


def declare(found: Resource, **facts: Any) -> None:
    facts = {"read_only": True, **facts}
    operation(
        title="Get",
        scope="kadu.tasks.read",
        role=Role.VIEWER,
        route=Route("GET", "/things/{id}"),
        resource=found,
        **facts,
    )(things_get)


@pytest.mark.parametrize(
    ("found", "facts"),
    [
        (resource("kobana://kadu/things/{id}", suggest={"id": nothing}), {"read_only": False}),
        (resource("kobana://kadu/things/{id}", suggest={"id": nothing}), {"audits_reads": True}),
        (resource("kobana://kadu/things/{id}", suggest={"id": nothing}), {"secret_members": ("url",)}),
        (resource("kobana://kadu/things/{id}"), {}),
        (resource("kobana://kadu/things"), {}),
        (resource("kobana://kadu/things/{slug}", suggest={"slug": nothing}), {}),
        (resource("kobana://kadu/things/{id}", suggest={"id": nothing}, arguments={"limit": 1}), {}),
    ],
)
def test_facts_that_contradict_each_other_stop_the_boot(found: Resource, facts: dict[str, Any]) -> None:
    with pytest.raises(RegistryError):
        declare(found, **facts)


def test_a_resource_whose_variables_are_the_arguments_is_taken() -> None:
    declare(resource("kobana://kadu/things/{id}", suggest={"id": nothing}))
    declare(resource("kobana://kadu/things/first", arguments=cast(dict[str, Any], {"id": "first"})))


@pytest.mark.parametrize(
    "pair",
    [
        (resource("kobana://kadu/a", "one"), resource("kobana://kadu/a", "two")),
        (resource("kobana://kadu/a/{id}", "one"), resource("kobana://kadu/a/b", "two")),
        (resource("kobana://kadu/a", "one"), resource("kobana://kadu/b", "one")),
    ],
)
def test_two_resources_that_could_be_taken_for_each_other_stop_the_boot(pair: tuple[Resource, Resource]) -> None:
    with pytest.raises(RegistryError):
        check_apart([*pair])
