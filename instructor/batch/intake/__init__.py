"""What counts of a submission, read from folders and archives that may be hostile."""
