"""How the grader itself ends with status 2: with one sentence, never a traceback."""


class GraderError(Exception):
    """Something that is not the student's doing keeps us from grading."""


class UsageError(GraderError):
    """The command line names something that does not exist."""
