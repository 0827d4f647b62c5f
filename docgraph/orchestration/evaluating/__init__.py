"""Questions in numbers: files of them asked and kept, query sets asked in several configurations."""
