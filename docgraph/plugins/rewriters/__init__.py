"""Rewriters of follow-ups in conversations; every file is one option."""
