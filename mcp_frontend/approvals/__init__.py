"""Destructive calls wait for a person: what to do with the answer, and the sealed state that carries the question."""
