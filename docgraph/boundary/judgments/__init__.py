"""Files of questions and judgments: read without trusting them, and written as other tools read them."""
