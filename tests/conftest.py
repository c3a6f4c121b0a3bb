"""Fixtures that every level of tests may ask for."""

pytest_plugins = ["tests.support.databases"]
