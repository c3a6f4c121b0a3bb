"""The revisions, oldest first. A landed one is never edited; the schema changes by a new file."""
