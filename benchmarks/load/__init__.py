"""Many people and assistants at once on one process, by Locust: what is answered, how fast, and what it costs."""
