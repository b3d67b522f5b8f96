"""`make handout OUT=dir [ONLY=saxpy,scan]`: the student repository, without the answers.

choose.py       which files it holds
pages.py        handouts without links to, and commands for, missing files
targets.py      what stands in for the target rungs: modelled times, sealed objects
leaks.py        looks for lines of answers anywhere in it
make.py         combines these
student/        files of the student repository's own: README, tests
shared_lines.txt    lines that answers share with what is handed out
"""
