"""Words that YAML 1.1 takes for something else: names are names as their author wrote them."""
