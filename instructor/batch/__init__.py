"""`make grade-class`: a folder of submissions becomes a gradebook (docs/instructors.md).

intake/          finds the submissions, and the student files inside: hostile archives are read
                 under limits, in a process of its own; nothing is unpacked to disk
course.py        the prepared course, built once
copies.py        a clean copy of the course for every submission
enclose.py       the box around a copy, in which no other submission is visible
inside.py        grades a copy, inside the box
engines/         one submission from its archive to its result, the process that grades some
                 submissions, and where such processes run: this machine, or job arrays of Slurm
record.py        the class and its results on disk, which make a class resumable
progress.py      a bar with rate and remaining time
books/           the files about the class
"""
