"""Everything that docgraph asks over HTTP: one client with a deadline and bounds, and who asks through it."""
