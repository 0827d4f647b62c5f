"""What the Judge tab draws and remembers: the passage, the side with coverage and agreement, the acts."""
