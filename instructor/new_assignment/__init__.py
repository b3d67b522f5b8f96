"""`make new-assignment NAME=histogram`: a small assignment that works, as a start for a new one.

backwards/ is the small assignment, complete and with two rungs; the copy has the new name in place
of the old, in file names and in files. docs/new-assignment.md goes on from the copy.
"""
