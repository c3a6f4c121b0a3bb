"""Several values in one text argument: "failed,expired"."""


def comma_list(text: str) -> tuple[str, ...]:
    """The items without blanks round them and without empty or repeated ones, in their order."""
    return tuple(dict.fromkeys(item for part in text.split(",") if (item := part.strip())))
