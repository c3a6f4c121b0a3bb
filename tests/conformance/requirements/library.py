"""Resources, prompts and completions: their requests, their results, and what is not there."""

from tests.conformance.requirements import Requirement, handshake_text, page, schema, stateless_text

REQUIREMENTS = (
    Requirement(
        "library.lists",
        "Resources, templates and prompts are listed with name, title and description, in one page without a cursor.",
        stateless_text("server/resources.mdx", "Listing Resources"),
    ),
    Requirement(
        "library.not-reusable",
        "The three lists and a document read carry ttlMs 0 and cacheScope private; prompts and completions do not.",
        stateless_text("server/utilities/caching.mdx"),
    ),
    Requirement(
        "library.read",
        "A document is read by its URI as text under that very URI; nothing is sent as bytes.",
        page("Arquivos"),
    ),
    Requirement(
        "library.not-found-stateless",
        "A resource that does not exist is -32602 with data.uri.",
        stateless_text("server/resources.mdx", "Error Handling"),
    ),
    Requirement(
        "library.not-found-handshake",
        "In the revisions with a handshake a resource that does not exist is -32002 with data.uri.",
        handshake_text("server/resources.mdx", "Error Handling"),
    ),
    Requirement(
        "library.prompt",
        "A prompt answers messages of one text block each.",
        schema("2026-07-28", "PromptMessage"),
    ),
    Requirement(
        "library.completion",
        "A completion answers at most 100 values, a total only where it was counted, and hasMore.",
        stateless_text("server/utilities/completion.mdx"),
    ),
    Requirement(
        "library.unknown-references",
        "An unknown prompt, template or argument, and one that is missing, is -32602 and says which it is.",
        stateless_text("server/prompts.mdx", "Error Handling"),
    ),
    Requirement(
        "library.failures",
        "A read that failed or is limited is never told as a resource that does not exist.",
        stateless_text("server/resources.mdx", "Error Handling"),
    ),
    Requirement(
        "library.params",
        "Params of the wrong shape are -32602 inside a 200.",
        schema("2026-07-28", "CompleteRequestParams"),
    ),
)
