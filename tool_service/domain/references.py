"""What a client's author got wrong about something that the server offers by name."""


class ReferenceRefused(Exception):
    """There is no such thing for this caller, or what was given with it does not fit.

    The message is one short English sentence for the author of the client. It never tells whether
    a thing is missing or hidden, and repeats nothing of what was sent.
    """
