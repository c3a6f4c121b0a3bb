"""HTTP: the MCP endpoint as a small ASGI callable, and beside it the Quart app for all that people and probes see."""
