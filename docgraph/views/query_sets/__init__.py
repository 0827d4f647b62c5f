"""An evaluated query set as the page draws it: dots, rows, counts, lines over time, and what a question lost."""
