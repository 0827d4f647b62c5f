"""What texts say, beside what is stated: names, labels, mentions."""
