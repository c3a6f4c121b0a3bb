"""Yes at a link: a destructive call waits for its person, runs at most once, and somebody is told in any case."""
