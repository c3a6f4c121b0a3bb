"""The embedded authorization server through its HTTP face, over each database engine."""
