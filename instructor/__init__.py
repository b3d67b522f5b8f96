"""For those who make and give the course: handouts, classes, calibration, the model's crosscheck.

Built on grader/, which does not depend on it; a student repository has no such folder.
"""
