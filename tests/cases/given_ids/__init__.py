"""Cases of ids that a format gives itself, and compares in its own way."""
