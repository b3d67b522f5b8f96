"""`make check`: answers, then sanitize, then times, then points; and the history of attempts."""
