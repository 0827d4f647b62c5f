"""Relationship data in the hands of people: edits and history, rules, insight, impact, files."""
