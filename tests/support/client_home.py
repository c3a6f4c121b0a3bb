"""The home page of a client that has one: its metadata document, served over TLS on loopback.

See draft-ietf-oauth-client-id-metadata-document: the URL of the document is the client's id.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.support.sign_in import REDIRECT_URI
from tests.support.tls import authority


@dataclass(frozen=True, slots=True)
class ClientHome:
    """Where the document lies, and what a tool service needs in its environment to read it there."""

    client_id: str
    environment: Mapping[str, str]


@contextmanager
def client_home(folder: Path) -> Iterator[ClientHome]:
    """A home whose certificate an authority gave that is written to the folder."""
    trusted, tls = authority(folder, "localhost")
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Document)
    server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    environment = {"SSL_CERT_FILE": str(trusted), "TOOL_SERVICE_CLIENT_DOCUMENTS_ON_LOOPBACK": "true"}
    try:
        yield ClientHome(f"https://localhost:{server.server_port}/client.json", environment)
    finally:
        server.shutdown()
        serving.join()
        server.server_close()


class _Document(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        said = {
            "client_id": f"https://{self.headers['Host']}{self.path}",
            "client_name": "Client with a home",
            "redirect_uris": [REDIRECT_URI],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        }
        body = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""
