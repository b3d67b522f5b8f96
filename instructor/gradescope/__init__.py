"""`make gradescope`: the course as an autograder that Gradescope runs.

package.py    makes the zip: setup.sh, run_autograder, the course
run.py        what those two start: the course is prepared once, each submission graded in a copy
results.py    a result as results.json
"""
