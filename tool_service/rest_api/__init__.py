"""The REST face: /api/v1, built from the registry, and its OpenAPI document."""
