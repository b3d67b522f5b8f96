"""`make new-assignment NAME=histogram`: a small assignment that works, to be made into another one.

backwards/ is that assignment, complete and with two rungs; it is copied with another name wherever
its own stands, in file names and in files. docs/new-assignment.md goes on from there.
"""
