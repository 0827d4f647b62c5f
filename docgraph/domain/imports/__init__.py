"""Imports as data: how a folder is read, and what was found when it was looked at."""
