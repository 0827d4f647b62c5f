"""The embedded PostgreSQL server: its programs, its data folder, and who starts and stops it."""
