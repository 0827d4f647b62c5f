"""Documents in lanes as plain data: boxes, lines, rows, and their SVG."""
