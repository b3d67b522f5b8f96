"""Explains why a kernel is slow or wrong, line by line.

The commands `make explain-…`, `sanitize-…`, `compare-…` and `registers-…`.
"""
