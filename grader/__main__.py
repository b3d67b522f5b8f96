"""python -m grader check|ladder|explain|…: the command line behind make."""

import sys

from grader.cli.commands import COMMANDS
from grader.cli.main import main

if __name__ == "__main__":
    sys.exit(main(COMMANDS))
