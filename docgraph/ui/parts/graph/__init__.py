"""The plan graph on the screen."""
