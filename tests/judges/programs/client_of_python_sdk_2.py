# /// script
# requires-python = ">=3.11"
# dependencies = ["mcp==2.3.0"]
# ///
"""The official Python SDK, in an environment of its own."""

import asyncio

import httpx2
import mcp_types as types
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from story import ANSWER, HEADERS, TOLD, tell


class Steps:
    def __init__(self, client, questions):
        self.client, self.questions = client, questions
        self.version, self.server = client.protocol_version, client.server_info.name
        self.instructions = client.instructions

    async def tools(self):
        return (await self.client.list_tools()).tools

    async def resources(self):
        return (await self.client.list_resources()).resources

    async def templates(self):
        return (await self.client.list_resource_templates()).resource_templates

    async def prompts(self):
        return (await self.client.list_prompts()).prompts

    async def call(self, name, arguments):
        return await self.client.call_tool(name, arguments)

    async def read(self, uri):
        return (await self.client.read_resource(uri)).contents

    async def prompt(self, name, arguments):
        return await self.client.get_prompt(name, arguments)

    async def complete(self, prompt, argument, value):
        reference = types.PromptReference(name=prompt)
        return (await self.client.complete(reference, {"name": argument, "value": value})).completion.values


async def main():
    questions = []

    async def decide(context, params):
        questions.append(params.message)
        return types.ElicitResult(**ANSWER)

    async with (
        httpx2.AsyncClient(headers=HEADERS) as http,
        Client(
            streamable_http_client(TOLD["url"], http_client=http), mode=TOLD["mode"], elicitation_callback=decide
        ) as client,
    ):
        await tell(Steps(client, questions))


asyncio.run(main())
