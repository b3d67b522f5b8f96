"""`make new-assignment NAME=histogram`: a small assignment that works, to be made into another one.

reverse/ is that assignment, complete and with two rungs; it is copied with every `reverse` in names
and contents replaced. docs/new-assignment.md goes on from there.
"""
