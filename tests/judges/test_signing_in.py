"""The official TypeScript client signs in from nothing but the URL, by registration and by a document of its own."""

import json
import subprocess
from typing import IO, Any

import pytest

from tests.judges.npm import node, program
from tests.support.client_home import ClientHome
from tests.support.http_sign_in import PersonAtBrowser
from tests.support.sign_in import REDIRECT_URI
from tests.support.stack import Stack
from tool_service.local import demo

READ = "kadu.tasks.read"


def _lines(output: IO[str]) -> Any:
    for line in output:
        yield json.loads(line)


@pytest.mark.parametrize("has_home", [False, True], ids=["registered", "by its metadata document"])
def test_the_url_is_enough(has_home: bool, packages: None, stack: Stack, home: ClientHome) -> None:
    person = PersonAtBrowser(stack.issuer, demo.OPERATOR, frozenset({READ}))
    told = {
        "url": stack.mcp_url,
        "redirectUrl": REDIRECT_URI,
        **({"clientMetadataUrl": home.client_id} if has_home else {}),
    }
    command = [node(), program("signing_in_with_typescript_sdk_2.mjs"), json.dumps(told)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdin is not None
        assert client.stdout is not None
        story: dict[str, Any] = {}
        for story in _lines(client.stdout):
            if "authorize" in story:
                client.stdin.write(json.dumps(person.answer(story["authorize"])) + "\n")
                client.stdin.flush()
                # Once asked a second time they allow everything.
                person.allows = None
    assert client.returncode == 0
    assert (story["clientId"] == home.client_id) is has_home
    assert "kadu_tasks_list" in story["tools"]
    assert "kadu_tasks_run" not in story["tools"]
    assert story["toolsAfterRefresh"] == story["tools"]
    assert story["refreshed"]
    # The task does not exist, which only somebody is told who may run tasks.
    assert story["runFailed"]
    assert len(person.asked) == 2
    assert "kadu.tasks.run" in person.asked[1]
