"""Durable work: a queued execution becomes a turn that some worker runs, and that ends exactly once.

The engine (DBOS) decides which worker runs which turn, and remembers that it has to be run. What
an execution is and where it stands is said by our own rows alone, moved by compare and set.
"""
