"""Finds links of Markdown pages that lead to no file or to no heading."""

from __future__ import annotations

import re
from pathlib import Path


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as they are shown on the web."""
    lines = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    words = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line).lower() for line in lines]
    return {re.sub(r"[^\w\- ]", "", line).replace(" ", "-") for line in words}


def broken_links(page: Path) -> list[str]:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        lost = anchor and target.suffix == ".md" and anchor not in headings(target)
        if not target.exists() or lost:
            broken.append(link)
    return broken
