"""What crosses the edge of the process, checked: texts, records, names, rules, answers of other servers."""
