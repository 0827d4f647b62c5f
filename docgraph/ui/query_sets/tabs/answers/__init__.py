"""What an evaluation found, on the Questions tab: verdict, dots, the rows of the questions, reports."""
