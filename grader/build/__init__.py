"""From sources to programs: the checks that a student's file must pass, and the calls of make.

Nothing here runs a built program.
"""
