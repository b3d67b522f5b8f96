"""The errors that end the grader with status 2: each is one sentence, never a traceback."""


class GraderError(Exception):
    """Grading failed for a reason that is not the student's."""


class UsageError(GraderError):
    """The command line names something that does not exist."""
