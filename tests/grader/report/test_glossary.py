"""The glossary explains the terms of output and pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.explain.listing import NAMES, TERMS
from grader.report import glossary
from grader.run.sanitized import KINDS
from grader.terminal.table import GPU_COLUMNS, MODEL_COLUMNS

ROOT = Path(__file__).parents[3]
# Words of tables without an entry: of everyday English, or explained by an entry of another name.
PLAIN = {"time", "modelled"}


def test_every_name_of_a_table_has_an_entry() -> None:
    columns = [title for title, _ in GPU_COLUMNS + MODEL_COLUMNS]
    names = [*glossary.FACTS, *TERMS.values(), *NAMES.values(), *glossary.COLUMNS, *columns]
    assert [name for name in names if not glossary.title_of(name) and name not in PLAIN] == []


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "timeout"])
def test_the_glossary_speaks_of_every_kind_of_finding(kind: str) -> None:
    text = glossary.GLOSSARY.read_text().lower()
    assert kind.replace("_", " ") in text or kind in text


def test_entries_are_in_alphabetical_order_and_unlike_each_other() -> None:
    titles = list(glossary.entries())
    assert titles == sorted(titles, key=lambda title: title.lower().replace("'", ""))
    names = [name.strip().lower() for title in titles for name in title.split(",")]
    assert len(names) == len(set(names))


def test_entries_name_others_that_are_there() -> None:
    for text in glossary.entries().values():
        for see in re.findall(r"[Ss]ee \*([^*]+)\*", text):
            assert glossary.title_of(see), see


def test_a_page_links_to_entries_that_it_has() -> None:
    for names in (glossary.EXPLAIN_NAMES, glossary.SASS_NAMES):
        shown = {anchor for anchor, _, _ in glossary.explained_terms(names)}
        for name in names:
            target = re.search(r'href="#([^"]+)"', glossary.linked(name))
            assert target and target[1] in shown, name


def test_a_name_is_escaped_and_code_is_code() -> None:
    assert glossary.linked("<b>") == "&lt;b&gt;"
    assert glossary.html("`a<b>` and *c*") == "<code>a&lt;b&gt;</code> and <em>c</em>"


def test_a_page_without_the_glossary_has_no_links(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(glossary, "GLOSSARY", tmp_path / "glossary.md")
    glossary.entries.cache_clear()
    assert glossary.linked("latency") == "latency" and glossary.explained_terms(("latency",)) == []
    glossary.entries.cache_clear()
