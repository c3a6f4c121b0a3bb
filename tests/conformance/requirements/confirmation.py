"""Multi round-trip requests: how a person says yes in the chat, and what is not a yes."""

from tests.conformance.requirements import Requirement, page, report, schema, stateless_text

_MRTR = "basic/patterns/mrtr.mdx"

REQUIREMENTS = (
    Requirement(
        "confirmation.asks-first",
        "A destructive call asks, in the language of the person, and nothing runs.",
        page("tools/list"),
    ),
    Requirement(
        "confirmation.yes-runs-once",
        "A yes runs the call once; the same yes again hears what the first one did.",
        stateless_text(_MRTR, "Server Requirements"),
    ),
    Requirement(
        "confirmation.no-is-heard",
        "A decline, a cancel and an empty box run nothing and are a complete result that says so.",
        stateless_text("client/elicitation.mdx", "Error Handling"),
    ),
    Requirement(
        "confirmation.only-true-is-yes",
        "Anything but accept with the box set to true is no consent.",
        schema("2026-07-28", "ElicitResult"),
    ),
    Requirement(
        "confirmation.unasked-is-no-consent",
        "An answer to a question that was not asked runs nothing.",
        report("daintreehq/daintree", 11342),
    ),
    Requirement(
        "confirmation.asked-again",
        "A state without its answer, or one that has expired, is asked again with a fresh state.",
        stateless_text(_MRTR, "Error Handling"),
    ),
    Requirement(
        "confirmation.state-integrity",
        "A state that was made up or changed in one character is -32602, and why is not said.",
        stateless_text(_MRTR, "Server Requirements"),
    ),
    Requirement(
        "confirmation.state-bound",
        "A state is worth nothing for another method, tool, arguments, person, organization or client.",
        stateless_text(_MRTR, "Server Requirements"),
    ),
    Requirement(
        "confirmation.state-sealed",
        "A state tells nothing of what it holds.",
        stateless_text(_MRTR, "Server Requirements"),
    ),
    Requirement(
        "confirmation.replicas",
        "A state is opened by every replica with the same keys, and through a rotation of keys.",
        page("Transporte"),
    ),
    Requirement(
        "confirmation.cannot-be-asked",
        "A client that cannot show a form hears at once that nothing ran, in every era.",
        report("daun-gatal/chouse-ui", 352),
    ),
    Requirement(
        "confirmation.not-for-ever",
        "A client that never answers is not asked for ever.",
        report("mastra-ai/mastra", 19189),
    ),
    Requirement(
        "confirmation.only-calls",
        "Only calls ask: answers and states that come with a read, a prompt or a list change nothing.",
        "https://github.com/modelcontextprotocol/conformance (scenario input-required-result-unsupported-methods)",
    ),
)
