"""Databases that hold workspaces; every file is one option."""
