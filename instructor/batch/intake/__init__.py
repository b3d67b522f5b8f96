"""Reads the student files of a submission, from folders and possibly hostile archives."""
