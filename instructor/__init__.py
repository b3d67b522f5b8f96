"""For those who make and give the course: handouts, classes, calibration, the model's crosscheck.

Built on grader/, which knows nothing of it; a student repository has no such folder.
"""
