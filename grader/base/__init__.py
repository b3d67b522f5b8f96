"""What every other folder of the grader needs: errors, files, processes, locks, the device.

No module of this folder knows of courses or imports another folder of the grader.
"""
