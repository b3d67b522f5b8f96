"""What a student uses between checks: watch, hints, the debugger, progress, submission."""
