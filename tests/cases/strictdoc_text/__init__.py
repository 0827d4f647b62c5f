"""Cases of texts in StrictDoc's files."""
