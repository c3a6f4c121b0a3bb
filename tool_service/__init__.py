"""The tool service: Kadu's operations behind gRPC and /api/v1, and the durable work they start."""
