"""What a runner returns, bounded and made harmless before it is stored."""

import json
from dataclasses import replace

import pytest

from tests.support.clock import NOON
from tests.unit.tool_service.executions.factory import an_execution
from tool_service.domain.executions import Status
from tool_service.execution.results import UnusableResult, bounded, settled
from tool_service.ports import OutputFile, TurnFailure, TurnQuestion, TurnResult

RUNNING = an_execution(status=Status.RUNNING, attempt=1, version=2, current_step="reading")


def test_text_is_cleaned_and_cut_and_no_text_is_none() -> None:
    assert bounded(TurnResult(text="a\x00\u202eb")).text == "ab"
    assert bounded(TurnResult(text="x" * 200_001)).text == "x" * 200_000
    assert bounded(TurnResult()).text is None


def test_data_that_is_too_large_for_an_answer_becomes_a_file() -> None:
    data = {"rows": ["x" * 1000] * 300}
    result = bounded(TurnResult(data=data))

    assert result.data is None
    assert [(file.filename, file.content_type) for file in result.files] == [("data.json", "application/json")]
    assert json.loads(result.files[0].content) == data


def test_a_file_name_is_made_one_without_path_or_hidden_characters() -> None:
    names = ["../../etc/passwd", "rela\u202etorio.csv", "..", "\x00"]
    files = [OutputFile(name, "text/plain", b"") for name in names]
    assert [file.filename for file in bounded(TurnResult(files=files)).files] == [
        ".._.._etc_passwd",
        "relatorio.csv",
        "output-2",
        "output-3",
    ]


@pytest.mark.parametrize(
    "result",
    [
        TurnResult(files=[OutputFile("a.txt", "text/plain", b"")] * 51),
        TurnResult(data={"total": float("nan")}),
        TurnResult(data={"total": object()}),
    ],
)
def test_a_result_that_no_execution_can_hold_is_refused(result: TurnResult) -> None:
    with pytest.raises(UnusableResult):
        bounded(result)


def test_a_reason_that_is_not_in_the_table_becomes_an_agent_error() -> None:
    result = TurnResult(failure=TurnFailure("out_of_luck", "Não deu."))
    assert settled(RUNNING, result, bounded(result), NOON) == replace(
        RUNNING,
        status=Status.FAILED,
        status_reason="agent_error",
        error={"code": "agent_error", "message": "Não deu.", "fatal": False},
        current_step=None,
        finished_at=NOON,
        version=3,
    )


def test_the_text_of_a_question_and_its_options_is_cleaned_and_cut() -> None:
    question = TurnQuestion("Qual\u202e?", ["x" * 300, "a\nb"] + ["c"] * 30)
    result = TurnResult(question=question)
    asked = settled(RUNNING, result, bounded(result), NOON).pending_action

    assert asked is not None
    assert (asked["text"], asked["options"][:2], len(asked["options"])) == ("Qual?", ["x" * 200, "a b"], 20)
