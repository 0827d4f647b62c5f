"""What each adapter has to do with the real library: run beside it by test_adapters.py, never collected by itself."""
