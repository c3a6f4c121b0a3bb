"""One file per operation: its arguments, its result, its facts, its handler. `registry.discover` finds them."""
