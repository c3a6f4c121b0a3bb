"""The MCP front end: Streamable HTTP in, gRPC out. It owns no data that it cannot lose."""
