"""What a terminal shows: the console, the progress line, the tables of `make check`, Markdown."""
