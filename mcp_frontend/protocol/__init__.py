"""The MCP wire language without I/O: bytes and headers to an Exchange, an Outcome to bytes."""
