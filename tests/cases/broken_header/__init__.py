"""Headers with a line that cannot be read: that line is told and costs itself alone."""
