"""The grader: builds, runs, verifies, times and scores a student's files (`make check`).

One room per folder. A room imports only from those before it in this list, which
tests/repository/test_layers.py holds: base, course, build, run, timing, check, terminal, explain,
ladder, report, loop, cli.
"""
