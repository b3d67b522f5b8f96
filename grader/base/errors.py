"""The errors that end the grader with status 2: each is a sentence, never a traceback."""


class GraderError(Exception):
    """Grading failed through no fault of the student's."""


class UsageError(GraderError):
    """The command line names something unknown."""
