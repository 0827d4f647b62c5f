"""The section of findings: the queue, the open one, what it changes."""
