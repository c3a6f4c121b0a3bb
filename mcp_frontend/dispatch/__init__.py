"""Requests become outcomes here: effects through ports only."""
