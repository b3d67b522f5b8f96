"""What every other folder of the grader needs: errors, files, processes, locks, the device.

Nothing here knows of courses, and nothing here imports another folder of the grader.
"""
