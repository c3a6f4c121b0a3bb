# /// script
# requires-python = ">=3.11"
# dependencies = ["fastmcp==4.1.7"]
# ///
"""FastMCP's client, in an environment of its own."""

import asyncio

import mcp_types as types
from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StreamableHttpTransport
from story import ANSWER, HEADERS, TOLD, tell


class Steps:
    def __init__(self, client, questions):
        self.client, self.questions = client, questions
        self.version, self.server = client.protocol_version, client.server_info.name
        self.instructions = client.instructions

    async def tools(self):
        return await self.client.list_tools()

    async def resources(self):
        return await self.client.list_resources()

    async def templates(self):
        return await self.client.list_resource_templates()

    async def prompts(self):
        return await self.client.list_prompts()

    async def call(self, name, arguments):
        return await self.client.call_tool_mcp(name, arguments)

    async def read(self, uri):
        return await self.client.read_resource(uri)

    async def prompt(self, name, arguments):
        return await self.client.get_prompt(name, arguments)

    async def complete(self, prompt, argument, value):
        reference = types.PromptReference(name=prompt)
        return (await self.client.complete(reference, {"name": argument, "value": value})).values


async def main():
    questions = []

    async def decide(message, response_type, params, context):
        questions.append(message)
        return ElicitResult(**ANSWER)

    transport = StreamableHttpTransport(TOLD["url"], headers=HEADERS)
    async with Client(transport, mode=TOLD["mode"], elicitation_handler=decide) as client:
        await tell(Steps(client, questions))


asyncio.run(main())
