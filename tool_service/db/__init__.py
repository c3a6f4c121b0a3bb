"""The one database: its tables, its engine on SQLite and PostgreSQL, its one migration history."""
