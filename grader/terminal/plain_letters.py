"""What is shown where the terminal or the file has no Unicode: the nearest plain letters."""

from __future__ import annotations

import codecs
from typing import TextIO

NAME = "plain-letters"
NEAREST = {
    "✓": "+",
    "✗": "x",
    "★": "*",
    "▲": "^",
    "–": "-",
    "−": "-",
    "─": "-",
    "·": ".",
    "…": "~",
    "×": "x",
    "µ": "u",
    "≤": "<",
    "→": ">",
    "●": "o",
    "│": "|",
    "└": "+",
    # Bars, from the lowest to the highest.
    **dict(zip("▁▂▃▄▅▆▇█", "12345678", strict=True)),
}


def nearest(error: UnicodeError) -> tuple[str, int]:
    """One letter for each, so that tables stay straight."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    wanted = error.object[error.start : error.end]
    return "".join(NEAREST.get(letter, "?") for letter in wanted), error.end


codecs.register_error(NAME, nearest)


def reconfigure(stream: TextIO) -> None:
    """From now on the stream takes every letter."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors=NAME)
