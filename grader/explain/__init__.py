"""Why a kernel is slow or wrong, line by line.

The rooms behind `make explain-…`, `sanitize-…`, `compare-…` and `registers-…`.
"""
