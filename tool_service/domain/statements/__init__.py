"""Bank statements and ledgers: reading OFX and CSV, and what can be said of them by fixed rules.

Bytes go in, exact figures come out (integer cents, never float), or a StatementError that names file and
line. Everything that may take long is a generator that yields every few thousand rows, so that whoever drives
it can show progress, stop it, and keep it off the event loop. `analysis.analyse` is the way in.
"""
