"""No bytes at all make /api/v1 fail, on either database."""

import json
from urllib.parse import quote_from_bytes

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.faces import Faces
from tests.support.rest_client import JSON, TASK, TASKS, RestClient

QUERY_BYTES = st.binary(max_size=40).map(quote_from_bytes)
NAMES = st.sampled_from(["q", "limit", "cursor", "tags", "enabled", "created_from", "created_to", "status", "task_id"])
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(["name", "instructions", "slug", "tags", "custom_data", "input_schema", "external_id", "x"])
REQUESTS = st.one_of(
    st.tuples(st.just("POST"), st.just(TASKS), st.binary(max_size=60)),
    st.tuples(
        st.sampled_from(["PATCH", "POST"]),
        st.just(TASK),
        st.dictionaries(FIELDS, JSON_VALUES, max_size=4).map(lambda value: json.dumps(value).encode()),
    ),
    st.tuples(
        st.just("GET"),
        st.builds("{}?{}={}".format, st.sampled_from([TASKS, "/api/v1/executions"]), NAMES, QUERY_BYTES),
        st.just(b""),
    ),
    st.tuples(st.just("GET"), QUERY_BYTES.map(f"{TASKS}?".__add__), st.just(b"")),
    st.tuples(st.just("GET"), st.text(max_size=20).map(lambda text: f"{TASKS}/{text.replace('?', '')}"), st.just(b"")),
)


async def test_no_bytes_at_all_make_the_service_fail(faces: Faces) -> None:
    """On both databases: what one of them cannot store has to be refused before it gets there."""
    api = RestClient(faces)
    asked: list[tuple[str, str, bytes]] = []

    # Each example is a request to two databases.
    @settings(max_examples=150)
    @given(REQUESTS)
    def draw(request: tuple[str, str, bytes]) -> None:
        asked.append(request)

    draw()
    for method, target, body in asked:
        reply = await api.ask(method, target, [JSON] if body else [], body)
        assert reply.status < 500, (method, target, body, reply.body)
