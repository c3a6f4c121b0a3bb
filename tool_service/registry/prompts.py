"""What a prompt is: a script for a model, with blanks that a person fills in, and the catalogue of all.

Each lives in a file of its own below `prompts/`, named as the prompt; `discover_prompts` finds them.
"""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import ModuleType

from tool_service.domain.identifiers import TOOL_PREFIX
from tool_service.domain.language import Language, Localized
from tool_service.domain.prompting import TextRule, cleaned, data_block
from tool_service.domain.references import ReferenceRefused
from tool_service.registry.errors import RegistryError
from tool_service.registry.operations import Operation, Registry
from tool_service.registry.resources import Suggest


@dataclass(frozen=True, slots=True)
class PromptArgument:
    """One blank. `suggest` says where values come from; without it, from the choices of the rule.

    `default` makes the value of a blank that was left empty, from the person's local time.
    """

    name: str
    title: Localized
    description: Localized
    rule: TextRule
    required: bool = False
    suggest: Suggest | None = None
    default: Callable[[datetime], str] | None = None


LANGUAGE = PromptArgument(
    name="language",
    title=Localized(pt="Idioma", en="Language"),
    description=Localized(
        pt="Idioma do roteiro: pt-BR ou en. Sem ele, o da pessoa.",
        en="Language of the script: pt-BR or en. Without it, the person's.",
    ),
    rule=TextRule(limit=10, choices=tuple(Language)),
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A script that drives the operations named in `tools`; every prompt also takes `language`."""

    name: str
    title: Localized
    description: Localized
    blanks: tuple[PromptArgument, ...]
    tools: tuple[str, ...]
    script: Localized

    @property
    def public_name(self) -> str:
        return TOOL_PREFIX + self.name

    @property
    def arguments(self) -> tuple[PromptArgument, ...]:
        return (*self.blanks, LANGUAGE)

    def argument(self, name: str) -> PromptArgument | None:
        return next((each for each in self.arguments if each.name == name), None)

    def language(self, given: Mapping[str, str], preferred: Language) -> Language:
        """The language that the arguments choose, else the preferred one. Call `fill` for a check of them."""
        chosen = cleaned(given).get(LANGUAGE.name)
        return Language(chosen) if chosen in set(Language) else preferred

    def fill(self, given: Mapping[str, str], preferred: Language, local_now: datetime) -> str:
        """The script, and behind it the arguments as data.

        Raises:
            ReferenceRefused: an argument is unknown, missing or unfit.
        """
        if any(self.argument(name) is None for name in given):
            names = ", ".join(each.name for each in self.arguments)
            raise ReferenceRefused(f"Unknown argument; {self.public_name} takes {names}.")
        values = cleaned(given)
        for each in self.arguments:
            if each.name not in values:
                if each.required:
                    raise ReferenceRefused(f"Missing argument of {self.public_name}: {each.name}.")
            elif (problem := each.rule.problem(values[each.name])) is not None:
                raise ReferenceRefused(f"Unfit argument of {self.public_name}: {each.name}: {problem}.")
        language = self.language(given, preferred)
        defaults = {each.name: each.default(local_now) for each in self.blanks if each.default is not None}
        shown = {each.name: (defaults | values).get(each.name) for each in self.blanks}
        data = {name: value for name, value in shown.items() if value is not None}
        script = self.script.in_(language)
        return f"{script}\n\n{data_block(data, language)}" if data else script


@dataclass(frozen=True, slots=True)
class PromptRegistry:
    """All prompts by name, each with the operations that it drives."""

    prompts: tuple[Prompt, ...]
    _driven: Mapping[str, tuple[Operation, ...]]

    def driven_by(self, prompt: Prompt) -> tuple[Operation, ...]:
        return self._driven[prompt.name]


def discover_prompts(package: ModuleType, registry: Registry) -> PromptRegistry:
    """Read every module of the package; each holds exactly the one prompt that it is named after.

    Raises:
        RegistryError: a module breaks that rule, or a prompt drives an operation that does not exist.
    """
    found: list[Prompt] = []
    driven: dict[str, tuple[Operation, ...]] = {}
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda each: each.name):
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        inside = [value for value in vars(module).values() if isinstance(value, Prompt)]
        if [each.name for each in inside] != [info.name]:
            raise RegistryError(f"{module.__name__} must hold exactly the prompt {info.name}")
        [prompt] = inside
        operations = tuple(each for name in prompt.tools if (each := registry.by_name(name)) is not None)
        if len(operations) != len(prompt.tools) or not operations:
            raise RegistryError(f"{prompt.name} drives an operation that does not exist, or none")
        found.append(prompt)
        driven[prompt.name] = operations
    return PromptRegistry(tuple(found), driven)
