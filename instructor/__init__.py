"""For instructors: handouts, classes, calibration, the model's crosscheck.

Built on grader/, which does not depend on instructor/; a student repository has no instructor/.
"""
