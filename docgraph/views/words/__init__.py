"""Words and numbers that every screen says in the same way."""
