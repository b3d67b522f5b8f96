"""`make gradescope`: the course as an autograder that Gradescope runs.

package.py    makes the zip: setup.sh, run_autograder, the course
run.py        the program of both scripts: prepares the course once, grades each submission in a
              copy
results.py    a result as results.json
"""
