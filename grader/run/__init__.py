"""Runs what was built: the student's program in its sandbox, the judge outside of it.

Also the runs under sanitize and profile, several at a time and cached.
"""
