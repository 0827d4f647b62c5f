"""Frozen data that flows between the stages; nothing here reads, writes or decides."""
