"""Where a yes in the chat is not enough: by a setting, or because of what the arguments ask (field report D31)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.contract.approvals.conftest import DELETE, Scene, text_of
from tests.support.faces import REGISTRY
from tests.support.whole_wire import YES
from tool_service.app import page_only_tools
from tool_service.registry import Registry
from tool_service.settings import Settings, SettingsError

TOOL = "kadu_tasks_delete"


def by_setting(scene: Scene) -> None:
    scene.faces.approvals.approvals.dispatcher.page_only_tools = frozenset({TOOL})


def by_arguments(scene: Scene) -> None:
    def moves_money(arguments: Any) -> bool:
        return arguments.id == DELETE["id"]

    changed = [replace(each, page_only=moves_money) if each.tool_name == TOOL else each for each in REGISTRY.operations]
    scene.faces.approvals.approvals.dispatcher.registry = Registry(tuple(changed))


EITHER_WAY = pytest.mark.parametrize("make_page_only", [by_setting, by_arguments])


@EITHER_WAY
async def test_d31_a_client_that_could_ask_gets_the_link(scene: Scene, make_page_only: Callable[[Scene], None]) -> None:
    make_page_only(scene)
    result = await scene.wire.call(TOOL, DELETE)
    assert result["resultType"] == "complete"
    assert "approval_url" in result["content"][0]["text"]
    assert await scene.task_is_there()


@EITHER_WAY
async def test_d31_a_genuine_yes_in_the_chat_runs_nothing(
    scene: Scene, make_page_only: Callable[[Scene], None]
) -> None:
    asked = await scene.wire.call(TOOL, DELETE)
    make_page_only(scene)
    result = await scene.wire.call(TOOL, DELETE, requestState=asked["requestState"], inputResponses=YES)
    assert "approval_url" in result["content"][0]["text"]
    assert await scene.task_is_there()


@EITHER_WAY
async def test_the_yes_on_the_page_runs_it(scene: Scene, make_page_only: Callable[[Scene], None]) -> None:
    make_page_only(scene)
    told = await scene.delete()
    assert "<h1>Feito</h1>" in text_of(await scene.person().decide(told.link, "continue"))
    assert not await scene.task_is_there()


async def test_other_tools_and_other_arguments_are_asked_about_in_the_chat(scene: Scene) -> None:
    by_arguments(scene)
    assert (await scene.wire.call(TOOL, {"id": "com-schema"}))["resultType"] == "input_required"
    by_setting(scene)
    assert (await scene.wire.call("kadu_tasks_run", {"id": "resumo", "message": "x"}))["resultType"] == "input_required"


def test_a_setting_that_names_no_destructive_tool_is_a_sentence() -> None:
    assert page_only_tools(Settings(page_only_tools=" kadu_tasks_run, kadu_tasks_delete "), REGISTRY) == {
        "kadu_tasks_run",
        "kadu_tasks_delete",
    }
    with pytest.raises(SettingsError, match="kadu_tasks_list is no destructive tool"):
        page_only_tools(Settings(page_only_tools="kadu_tasks_list"), REGISTRY)
