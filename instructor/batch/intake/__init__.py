"""Reads the files of a submission that count, from folders and archives that may be hostile."""
