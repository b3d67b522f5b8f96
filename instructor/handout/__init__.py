"""`make handout OUT=dir [ONLY=saxpy,scan]`: the student repository, without the answers.

choose.py       which files it holds
pages.py        handouts without links and commands that would lead nowhere
targets.py      what stands in for the target rungs: modelled times, sealed objects
leaks.py        is there a line of an answer anywhere in it?
make.py         puts these together
student/        what a student repository has of its own: README, tests
shared_lines.txt    lines that answers share with what is handed out
"""
