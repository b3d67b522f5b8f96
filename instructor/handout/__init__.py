"""`make handout OUT=dir [ONLY=saxpy,scan]`: the student repository, without the answers.

choose.py       the files of the student repository
pages.py        handouts without links to, and commands for, missing files
targets.py      stands in for the target rungs: modelled times, sealed objects
leaks.py        searches the repository for lines of answers
make.py         combines the modules above
student/        the student repository's own files: README, tests
shared_lines.txt    lines that answers share with files that are handed out
"""
