"""What every room needs and knows nothing of courses: errors, files, processes, locks, the device.

Imports no other room.
"""
