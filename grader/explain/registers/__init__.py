"""`make registers-<name>`: registers and stack of every kernel by nvcc, and the resident warps.

ptxas.py    reads nvcc's listing
collect.py  compiles, profiles the launches, combines both
table.py    shows the result
"""
