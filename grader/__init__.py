"""The grader: builds, runs, verifies, times and scores what a student wrote (`make check`)."""
