"""Links the names in a page's tables to entries of docs/glossary.md.

The page contains the entries, because pages are often read without the repository. Without the
glossary beside the grader a page has neither links nor entries.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path

from markupsafe import Markup, escape

from grader.explain.listing import NAMES, TERMS
from grader.explain.sass.memory import WORDS

GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"
ENTRY = re.compile(r"^\*\*(?P<names>.+?)\.\*\* (?P<text>.*?)(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
# Names in a table that the glossary explains under another name.
ELSEWHERE = {
    "atomic": "Atomic operation",
    "atomics": "Atomic operation",
    "copy to shared": "Asynchronous copy",
    "constant load": "Constant memory",
    "each (ideal)": "Ideal",
    "from memory": "Device memory",
    "link to the host": "Link",
    "local load": "Local memory",
    "local store": "Local memory",
    "malloc, free": "Malloc and free",
    "memory": "Device memory",
    "resident": "Resident block",
    "shared atomic": "Atomic operation",
    "shared load": "Shared memory",
    "shared memory and l1": "Shared memory",
    "shared store": "Shared memory",
    "special": "Special functions",
    "spill load": "Spilling",
    "spill store": "Spilling",
    "texture fetch": "Texture",
    "to memory": "Device memory",
}
# The headings of a listing's counters.
COLUMNS = ("requests", "lanes", "each (ideal)")
# The names of facts(), which are the same for each kernel.
FACTS = (
    "launches",
    "grid",
    "block",
    "shared memory",
    "resident",
    "instructions",
    "active lanes",
    "load phases",
    "barriers",
    "from memory",
    "to memory",
)
# Terms in tables of `make explain-<name>`, and in tables of `make sass-<name>`.
EXPLAIN_NAMES = (
    *FACTS, *TERMS.values(), *NAMES.values(), *COLUMNS, "L1 cache", "sectors", "step",
)  # fmt: skip
SASS_NAMES = ("registers", "instructions", "spilling", "PTX", "SASS", "lane", *WORDS.values())


@functools.cache
def entries() -> dict[str, str]:
    """{title: text in Markdown}, in the glossary's order; empty without a glossary."""
    if not GLOSSARY.is_file():
        return {}
    found = ENTRY.finditer(GLOSSARY.read_text())
    return {one["names"]: " ".join(one["text"].split()) for one in found}


def title_of(name: str) -> str:
    """The title of the entry that explains a name, "" without an entry."""
    name = name.lower()
    wanted = ELSEWHERE.get(name, name).lower()
    for title in entries():
        names = [one.strip().lower() for one in title.split(",")]
        if not {wanted, wanted.removesuffix("s"), wanted.removesuffix("es")}.isdisjoint(names):
            return title
    return ""


def anchor(title: str) -> str:
    return "term-" + re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def linked(name: str) -> Markup:
    """The name, linked to an entry on the page, if any."""
    title = title_of(name)
    return Markup('<a href="#{}">{}</a>').format(anchor(title), name) if title else escape(name)


def explained_terms(names: Iterable[str]) -> list[tuple[str, str, Markup]]:
    """(anchor, title, text) of the entries for the names in a table, in the glossary's order."""
    wanted = {title_of(name) for name in names}
    found = [(title, text) for title, text in entries().items() if title in wanted]
    return [(anchor(title), title, html(text)) for title, text in found]


def html(text: str) -> Markup:
    """Code spans and emphasis of an entry, everything else escaped."""
    code = re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text)))
    return Markup(re.sub(r"\*([^*]+)\*", r"<em>\1</em>", code))
