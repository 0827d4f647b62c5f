"""The open finding: its facts and texts, the draft of an edit, and the acts that decide it."""
