"""Runs built programs: the student's program in a sandbox, the judge outside the sandbox.

Also runs programs under sanitize and profile, several at a time and cached.
"""
