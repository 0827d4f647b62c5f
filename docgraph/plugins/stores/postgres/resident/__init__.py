"""Bits and words of workspaces, held by a process that stays, which looks at them itself; the server does the rest."""
