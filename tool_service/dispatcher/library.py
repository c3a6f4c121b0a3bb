"""Prompts and completions for one caller: what can be listed, filled in and suggested; resources beside them.

A prompt is there for whoever may run every operation that it drives; an argument of something that is
hidden and one that does not exist get the same answer.
"""

from collections.abc import Mapping
from zoneinfo import ZoneInfo

from tool_service.dispatcher.gate import Dispatcher
from tool_service.dispatcher.reader import Reader
from tool_service.dispatcher.resources import Resources
from tool_service.domain.caller import Caller
from tool_service.domain.completing import Suggestions, beginning_with
from tool_service.domain.language import Language
from tool_service.domain.references import ReferenceRefused
from tool_service.registry import Prompt, PromptRegistry, Suggest

_UNKNOWN_PROMPT = "There is no prompt of that name."
_UNKNOWN_ARGUMENT = "There is no such argument of a prompt or variable of a resource template."


class Library:
    def __init__(self, dispatcher: Dispatcher, prompts: PromptRegistry, resources: Resources) -> None:
        self.resources = resources
        self._dispatcher = dispatcher
        self._prompts = prompts

    async def prompts(self, reader: Reader) -> tuple[list[Prompt], Language]:
        """Those that the reader can use, by name, and the language to list in.

        Raises:
            NotAMember: the person is no active member of the organization.
        """
        caller = await self._caller(reader)
        return [each for each in self._prompts.prompts if self._available(each, caller)], caller.language

    async def fill(self, reader: Reader, name: str, given: Mapping[str, str]) -> tuple[Prompt, Language, str]:
        """The prompt, its language, and its script with the arguments behind it.

        Raises:
            NotAMember: the person is no active member of the organization.
            ReferenceRefused: there is no such prompt for the reader, or an argument does not fit.
        """
        caller = await self._caller(reader)
        prompt = self._find(name, caller)
        if prompt is None:
            raise ReferenceRefused(_UNKNOWN_PROMPT)
        local_now = self._dispatcher.now().astimezone(ZoneInfo(caller.timezone))
        return prompt, prompt.language(given, caller.language), prompt.fill(given, caller.language, local_now)

    async def complete_prompt(
        self, reader: Reader, name: str, argument: str, typed: str, filled: Mapping[str, str]
    ) -> Suggestions:
        """Values for an argument of a prompt, best first.

        Raises:
            NotAMember: the person is no active member of the organization.
            ReferenceRefused: the reader has no such prompt, or it has no such argument.
        """
        caller = await self._caller(reader)
        prompt = self._find(name, caller)
        found = None if prompt is None else prompt.argument(argument)
        if found is None:
            raise ReferenceRefused(_UNKNOWN_ARGUMENT)
        if found.suggest is None:
            return beginning_with(typed, found.rule.choices)
        return await self._suggest(reader, caller, found.suggest, typed, filled)

    async def complete_template(
        self, reader: Reader, template: str, variable: str, typed: str, filled: Mapping[str, str]
    ) -> Suggestions:
        """Values for a variable of a resource template, best first.

        Raises:
            NotAMember: the person is no active member of the organization.
            ReferenceRefused: the reader has no such template, or it has no such variable.
        """
        caller = await self._caller(reader)
        for operation in self._dispatcher.registry.operations:
            resource = operation.resource
            if resource is None or resource.uri != template or not self._dispatcher.permits(operation, caller):
                continue
            if variable in resource.suggest:
                return await self._suggest(reader, caller, resource.suggest[variable], typed, filled)
        raise ReferenceRefused(_UNKNOWN_ARGUMENT)

    async def _suggest(
        self, reader: Reader, caller: Caller, suggest: Suggest, typed: str, filled: Mapping[str, str]
    ) -> Suggestions:
        async with self._dispatcher.reading(caller, reader.request_id) as context:
            return await suggest(context, typed, filled)

    async def _caller(self, reader: Reader) -> Caller:
        return await self._dispatcher.caller(reader.identity, reader.accept_language)

    def _find(self, name: str, caller: Caller) -> Prompt | None:
        named = (each for each in self._prompts.prompts if each.public_name == name)
        return next((each for each in named if self._available(each, caller)), None)

    def _available(self, prompt: Prompt, caller: Caller) -> bool:
        return all(self._dispatcher.permits(each, caller) for each in self._prompts.driven_by(prompt))
