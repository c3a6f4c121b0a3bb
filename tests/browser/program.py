"""A program that signs in through a browser, as MCP clients do: it registers, waits at a loopback port, calls."""

import json
import queue
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx2

from tests.support.sign_in import VERIFIER, challenge
from tests.support.stack import Stack

CALLBACK_WITHIN_SECONDS = 20


@dataclass
class LoopbackProgram:
    stack: Stack
    redirect_uri: str
    answers: "queue.Queue[Mapping[str, str]]" = field(default_factory=queue.Queue)
    client_id: str = ""
    access_token: str = ""
    scope: frozenset[str] = frozenset()

    def register(self, name: str) -> None:
        metadata = {"client_name": name, "redirect_uris": [self.redirect_uri], "token_endpoint_auth_method": "none"}
        self.client_id = self._post("/register", json=metadata)["client_id"]

    def authorization_url(self, scope: str) -> str:
        query = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": scope,
            "state": "opaque",
            "code_challenge": challenge(),
            "code_challenge_method": "S256",
            "resource": self.stack.mcp_url,
        }
        return f"{self.stack.issuer}/authorize?{urlencode(query)}"

    def answer(self) -> Mapping[str, str]:
        """What the browser brought to our port."""
        return self.answers.get(timeout=CALLBACK_WITHIN_SECONDS)

    def redeem(self, code: str) -> None:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "code_verifier": VERIFIER,
        }
        said = self._post("/token", data=form)
        self.access_token, self.scope = said["access_token"], frozenset(said["scope"].split())

    def list_tools(self) -> httpx2.Response:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        headers = {"Authorization": f"Bearer {self.access_token}", "MCP-Protocol-Version": "2025-06-18"}
        return httpx2.post(self.stack.mcp_url, json=message, headers=headers)

    def _post(self, path: str, **body: Any) -> dict[str, Any]:
        response = httpx2.post(self.stack.issuer + path, **body)
        assert response.is_success, response.text
        said: dict[str, Any] = json.loads(response.content)
        return said


@contextmanager
def loopback_program(stack: Stack) -> Iterator[LoopbackProgram]:
    """A program whose callback page waits at a free port."""
    program = LoopbackProgram(stack, "")

    class Callback(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            # A browser asks for an icon as well.
            if self.path.startswith("/callback"):
                program.answers.put(dict(parse_qsl(urlsplit(self.path).query)))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Done</title><p>Back in the program.</p>")

        def log_message(self, format: str, *args: object) -> None:
            """The test's output is not for this."""

    with HTTPServer(("127.0.0.1", 0), Callback) as server:
        program.redirect_uri = f"http://127.0.0.1:{server.server_port}/callback"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield program
        finally:
            server.shutdown()
            thread.join()
