# /// script
# requires-python = ">=3.11"
# dependencies = ["mcp==1.30.0"]
# ///
"""The official Python SDK of the older line, in an environment of its own."""

import asyncio

import httpx
from mcp import ClientSession, types
from mcp.client.streamable_http import streamable_http_client
from pydantic import AnyUrl
from story import ANSWER, HEADERS, TOLD, tell

# The SDK has no setting for the revision that it asks for; a client of that time asked for its own newest.
types.LATEST_PROTOCOL_VERSION = TOLD["mode"]


class Steps:
    def __init__(self, session, started, questions):
        self.session, self.questions = session, questions
        self.version, self.server = started.protocolVersion, started.serverInfo.name
        self.instructions = started.instructions

    async def tools(self):
        return (await self.session.list_tools()).tools

    async def resources(self):
        return (await self.session.list_resources()).resources

    async def templates(self):
        return (await self.session.list_resource_templates()).resourceTemplates

    async def prompts(self):
        return (await self.session.list_prompts()).prompts

    async def call(self, name, arguments):
        return await self.session.call_tool(name, arguments)

    async def read(self, uri):
        return (await self.session.read_resource(AnyUrl(uri))).contents

    async def prompt(self, name, arguments):
        return await self.session.get_prompt(name, arguments)

    async def complete(self, prompt, argument, value):
        reference = types.PromptReference(type="ref/prompt", name=prompt)
        return (await self.session.complete(reference, {"name": argument, "value": value})).completion.values


async def main():
    questions = []

    async def decide(context, params):
        questions.append(params.message)
        return types.ElicitResult(**ANSWER)

    async with (
        httpx.AsyncClient(headers=HEADERS) as http,
        streamable_http_client(TOLD["url"], http_client=http) as (read, write, _),
        ClientSession(read, write, elicitation_callback=decide) as session,
    ):
        started = await session.initialize()
        await session.send_ping()
        await tell(Steps(session, started, questions))


asyncio.run(main())
