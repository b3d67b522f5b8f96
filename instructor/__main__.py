"""python -m instructor handout|grade-class|calibrate|…: the command line behind instructor.mk."""

import sys

from grader.cli.main import main
from instructor.commands import COMMANDS

if __name__ == "__main__":
    sys.exit(main(COMMANDS, program="instructor"))
