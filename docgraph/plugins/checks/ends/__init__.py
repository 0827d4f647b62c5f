"""What relationships lead to: documents that are there, hold today, and have something to say."""
