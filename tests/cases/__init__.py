"""Cases from public bug reports, one folder a kind: an input as its author wrote it, and what is right of it."""
