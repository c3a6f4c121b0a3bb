"""Resources, prompts and completions for one caller: what can be listed, read, filled in and suggested.

A resource is read by calling its operation through the gate, so no right is decided here anew.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from tool_service.dispatcher.answers import Answered, Refused
from tool_service.dispatcher.bodies import refused
from tool_service.dispatcher.gate import Dispatcher
from tool_service.dispatcher.invocation import Invocation
from tool_service.domain.caller import Identity
from tool_service.domain.completing import Suggestions
from tool_service.domain.errors import NotFound
from tool_service.domain.language import Language
from tool_service.domain.references import ReferenceRefused
from tool_service.domain.resource_uris import parse_uri
from tool_service.registry import Operation, Prompt, PromptRegistry, Resource, Suggest

JSON = "application/json"
# What one read may bring into a model's context.
READ_LIMIT_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Reader:
    """Who asks: a proven identity, and the language that the client prefers."""

    identity: Identity
    request_id: str
    accept_language: str


class Library:
    def __init__(self, dispatcher: Dispatcher, prompts: PromptRegistry) -> None:
        self._dispatcher = dispatcher
        self._prompts = prompts

    async def resources(self, reader: Reader, *, fixed: bool) -> tuple[list[Resource], Language]:
        """Documents of a fixed URI, or else families of them, that the reader may read; the language to list in."""
        caller = await self._dispatcher.caller(reader.identity, reader.accept_language)
        allowed = await self._dispatcher.operations_for(reader.identity)
        found = [each.resource for each in allowed if each.resource is not None and each.resource.fixed is fixed]
        return found, caller.language

    async def read(self, reader: Reader, uri: str) -> Answered | Refused:
        """The answer of the operation behind the URI; whatever is no document of ours is NotFound."""
        found = self._behind(uri)
        if found is None:
            caller = await self._dispatcher.caller(reader.identity, reader.accept_language)
            return refused(NotFound(), caller.language, reader.request_id)
        operation, arguments = found
        answer = await self._dispatcher.call(
            Invocation(operation, reader.identity, arguments, reader.request_id, reader.accept_language)
        )
        assert isinstance(answer, Answered | Refused)
        if isinstance(answer, Answered) and len(answer.body) > READ_LIMIT_BYTES:
            text = f'{{"data":null,"next":"Too large to read here: call {operation.tool_name}."}}'
            return Answered(answer.status, text.encode())
        return answer

    async def prompts(self, reader: Reader) -> tuple[list[Prompt], Language]:
        """Those whose every operation the reader may run, and the language to list in."""
        caller = await self._dispatcher.caller(reader.identity, reader.accept_language)
        allowed = {each.name for each in await self._dispatcher.operations_for(reader.identity)}
        return [each for each in self._prompts.prompts if allowed.issuperset(each.tools)], caller.language

    async def fill(self, reader: Reader, name: str, given: Mapping[str, str]) -> tuple[Prompt, Language, str]:
        """The prompt, its language, and its script with the arguments behind it.

        Raises:
            ReferenceRefused: there is no such prompt for the reader, or an argument does not fit.
        """
        prompt = await self._prompt(reader, name)
        caller = await self._dispatcher.caller(reader.identity, reader.accept_language)
        local_now = self._dispatcher.now().astimezone(ZoneInfo(caller.timezone))
        language = prompt.language(given, caller.language)
        return prompt, language, prompt.fill(given, caller.language, local_now)

    async def complete_prompt(
        self, reader: Reader, name: str, argument: str, typed: str, filled: Mapping[str, str]
    ) -> Suggestions:
        """Raises: ReferenceRefused when the reader has no such prompt, or it has no such argument."""
        found = (await self._prompt(reader, name)).argument(argument)
        if found is None:
            raise ReferenceRefused("Unknown argument.")
        return await self._suggest(reader, found.suggest, typed, filled)

    async def complete_template(
        self, reader: Reader, template: str, variable: str, typed: str, filled: Mapping[str, str]
    ) -> Suggestions:
        """Raises: ReferenceRefused when the reader has no such template, or it has no such variable."""
        templates, _ = await self.resources(reader, fixed=False)
        resource = next((each for each in templates if each.uri == template), None)
        if resource is None or variable not in resource.suggest:
            raise ReferenceRefused("Unknown resource template or variable.")
        return await self._suggest(reader, resource.suggest[variable], typed, filled)

    async def _prompt(self, reader: Reader, name: str) -> Prompt:
        prompts, _ = await self.prompts(reader)
        prompt = next((each for each in prompts if each.public_name == name), None)
        if prompt is None:
            raise ReferenceRefused("Unknown prompt.")
        return prompt

    async def _suggest(
        self, reader: Reader, suggest: Suggest | None, typed: str, filled: Mapping[str, str]
    ) -> Suggestions:
        if suggest is None:
            return Suggestions()
        caller = await self._dispatcher.caller(reader.identity, reader.accept_language)
        async with self._dispatcher.reading(caller, reader.request_id) as context:
            return await suggest(context, typed, filled)

    def _behind(self, uri: str) -> tuple[Operation, dict[str, object]] | None:
        path = parse_uri(uri)
        if path is None:
            return None
        for operation in self._dispatcher.registry.operations:
            variables = None if operation.resource is None else operation.resource.template.match(path)
            if operation.resource is not None and variables is not None:
                return operation, {**operation.resource.arguments, **variables}
        return None
