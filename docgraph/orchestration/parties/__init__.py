"""Who is asked for answers and may fail: waited for no longer than agreed, and left alone while it rests."""
