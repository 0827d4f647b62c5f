"""Token counters and splitters; every file is one option."""
