# /// script
# requires-python = ">=3.11"
# ///
"""The Inspector's command line, one process a step, told as the same story; it declares no elicitation."""

import json
import os
import subprocess
import sys
import tempfile

from story import TOLD, ended

NODE, INSPECTOR = sys.argv[2:]


def run(home, method, *more):
    """(exit code, result, what it said)"""
    command = [NODE, INSPECTOR, "--cli", "--server-url", TOLD["url"], "--transport", "http"]
    command += ["--protocol-era", TOLD["mode"], "--method", method, "--format", "json", "-q", "--stored-auth-only"]
    command += ["--header", f"Authorization: Bearer {TOLD['token']}", *more]
    done = subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, env={**os.environ, "HOME": home}, cwd=home
    )
    return done.returncode, (json.loads(done.stdout).get("result", {}) if done.stdout else {}), done.stderr


def ask(home, method, *more):
    code, result, said = run(home, method, *more)
    if code != 0:
        sys.exit(f"inspector {method}: exit {code}: {said}")
    return result


with tempfile.TemporaryDirectory() as home:
    tools = ask(home, "tools/list", "--strict")["tools"]
    organization = ask(home, "tools/call", "--tool-name", "kadu_organization_get")
    prompt = ask(home, "prompts/get", "--prompt-name", "kadu_run_task", "--prompt-args", "task=resumo-de-extrato")
    arguments = json.dumps({"id": TOLD["taskId"]})
    told = run(home, "tools/call", "--tool-name", "kadu_tasks_delete", "--tool-args-json", arguments)
    story = {
        "tools": [each["name"] for each in tools],
        "resources": [each["uri"] for each in ask(home, "resources/list")["resources"]],
        "templates": [each["uriTemplate"] for each in ask(home, "resources/templates/list")["resourceTemplates"]],
        "prompts": [each["name"] for each in ask(home, "prompts/list")["prompts"]],
        "organization": organization["content"][0]["text"],
        "document": ask(home, "resources/read", "--uri", "kobana://kadu/organization")["contents"][0]["text"],
        "prompt": prompt["messages"][0]["content"]["text"],
        "questions": [],
        "ended": ended(told[1]),
    }
print(json.dumps(story))
