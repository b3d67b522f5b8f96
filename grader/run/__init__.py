"""Runs what was built: the student's program in its sandbox, the judge outside of it.

Also runs programs under sanitize and profile, several at a time and cached.
"""
