"""Scenarios of the official suite that a JSON-only, stateless server cannot pass, each with the reason.

An entry whose scenario passes is stale, and a test says so.
"""

from collections.abc import Mapping

_NO_STREAM = "notifications during a call need an SSE answer; every POST here has exactly one JSON answer"
_NO_REQUESTS = "the server would have to send a request of its own inside a call, which needs SSE and a session"

NOT_APPLICABLE: Mapping[tuple[str, str], str] = {
    ("2026-07-28", "tools-call-with-progress"): _NO_STREAM,
    (
        "2026-07-28",
        "http-custom-header-server-validation",
    ): "no tool mirrors an argument in a header: it would show ids to every proxy on the way",
    ("2025-06-18", "tools-call-with-progress"): _NO_STREAM,
    ("2025-06-18", "tools-call-with-logging"): _NO_STREAM,
    ("2025-06-18", "logging-set-level"): "the server declares no logging, so the method does not exist",
    ("2025-06-18", "tools-call-sampling"): _NO_REQUESTS,
    ("2025-06-18", "tools-call-elicitation"): _NO_REQUESTS + "; a person confirms by other means in this revision",
    ("2025-06-18", "resources-subscribe"): "the server declares resources without subscribe",
    ("2025-06-18", "resources-unsubscribe"): "the server declares resources without subscribe",
}
