"""Cases of relationships that a format states as its own structure: parts of a whole, traces between requirements."""
