"""From sources to programs: the checks that a student's file must pass, and the calls of make.

No module of this folder runs a built program.
"""
