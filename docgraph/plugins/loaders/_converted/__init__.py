"""What pandoc converts: the program in its bounds, and what it leaves out."""
