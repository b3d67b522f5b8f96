"""`make grade-class`: a folder of submissions becomes a gradebook (docs/instructors.md).

submissions.py   whose they are: entries of the folder, students, several of one student
archive.py       hostile archives and folders, read under limits; nothing is unpacked to disk
intake.py        the student files among what was read, in a process of its own
course.py        one prepared course, built once
copies.py        a clean copy of it for every submission
enclose.py       the box around a copy: nothing of other submissions is seen while it is built
inside.py        grades one copy, inside that box
one.py           one submission from its archive to its result
task.py          the process in which an engine grades some submissions
local.py         engine: processes of this machine
slurm.py         engine: job arrays
record.py        the class and its results on disk: what makes a class resumable
progress.py      a bar with rate and remaining time
books.py         what is written about the class: gradebook.py, junit.py, summary.py, pages.py
"""
