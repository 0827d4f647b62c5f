"""Files of hostile formats read in a process of its own: walled in, bounded, started anew when it ends."""
