"""Files of questions and judgments as people and tools write them: every line is read, or told with its reason."""
