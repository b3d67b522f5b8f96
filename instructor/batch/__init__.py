"""`make grade-class`: a folder of submissions becomes a gradebook (docs/instructors.md).

intake/          whose submissions there are, and the student files in them: hostile archives are
                 read under limits, in a process of its own; nothing is unpacked to disk
course.py        one prepared course, built once
copies.py        a clean copy of it for every submission
enclose.py       the box around a copy: nothing of other submissions is seen while it is built
inside.py        grades one copy, inside that box
engines/         one submission from its archive to its result, the process that grades some of
                 them, and where such processes run: this machine, or job arrays of Slurm
record.py        the class and its results on disk: what makes a class resumable
progress.py      a bar with rate and remaining time
books/           what is written about the class
"""
