"""The families of protocol versions, one module each: the only place with a date or a per-era shape.

An era claims the messages that are its own, reads them into requests and renders outcomes. Eras are
strangers to one another; negotiation is the only room that knows more than one.

A method more is a request and an outcome in model.py and, in each era that serves it, a reader in
_READERS and a case in render; what the eras say of it alike gets a module outside this folder.
"""
