"""Cases of documents that are numbered by their files alone, and called by a word that stands elsewhere."""
