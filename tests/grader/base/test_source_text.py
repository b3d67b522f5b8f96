"""The compiler, the source check and the CPU device's translator read a text alike.

Each text holds the word MARK. The preprocessor replaces MARK wherever MARK is a name, and neither
in a string nor in a comment; the readers must see as many names.
"""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cpudevice.compiler.tokens import Tokens
from grader.base.source_text import TOKEN, blank_comments
from grader.build.directives import directives
from grader.build.lexer import Code
from grader.build.source_words import offences

TEXTS = {
    "plain": ("MARK", 1),
    "string": ('"MARK" MARK', 1),
    "escaped quote": (r'"\" MARK" MARK', 1),
    "character": ("'\"' MARK '\"'", 1),
    "line comment": ("// MARK\nMARK", 1),
    "comment": ("/* MARK\n MARK */ MARK", 1),
    "no comment in a string": ('"/*" MARK "*/"', 1),
    "raw string": ('R"(MARK " MARK)" MARK', 1),
    "raw string with a tag": ('R"x(MARK)" MARK)x" MARK', 1),
    "raw string of lines": ('R"(MARK\n#include <MARK>\n)" MARK', 1),
    "all prefixes": (
        'u8R"(" MARK)" uR"(" MARK)" UR"(" MARK)" LR"(" MARK)" u8"MARK" L"MARK" u\'M\' MARK',
        1,
    ),
    "names that end in R": ('xR"(" MARK ")"', 1),
    "names that end in a dollar and R": ('x$R"(" MARK ")" $R"(" MARK ")"', 2),
    "names of other letters": ('éR"(" MARK ")" नि\u0301R"(" MARK ")"', 2),
    "escaped letters": ('\\u00e9R"(" MARK ")"', 1),
    "digit separators": ("1'000 MARK 0x1'F MARK", 2),
    "a separator is no quote": ("1'0 MARK '\"' MARK", 2),
    "exponents": ("1e+MARK 0x1p-3 MARK", 1),
    "a number with a letter R": ('0R"(" MARK ")"', 1),
    "spliced comment": ("// \\\nMARK\nMARK", 1),
    "spliced with blanks": ("// \\  \t\nMARK\nMARK", 1),
    "spliced beginning of a comment": ("/\\\n/ MARK\n/\\\n* MARK *\\\n/ MARK", 1),
    "spliced string": ('"a\\\nMARK" MARK', 1),
    "spliced name": ("MA\\\nRK", 1),
    "two backslashes at a line's end": ("// \\\\\nMARK\nMARK", 1),
    "no splice in a raw string": ('R"x( )\\\nx" /* )x" MARK /**/', 1),
    "a backslash in a raw string": ('R"(\\)" MARK // )" MARK', 1),
    "a raw string whose R is spliced": ('R\\\n"(" MARK )" MARK', 1),
    "a splice before a raw string": ('a \\\n R"( )\\\n" // )" MARK', 1),
    "comment in a directive": ("# /*\n*/ define X\nMARK", 1),
    "unclosed string": ('"MARK\nMARK', 1),
    "unclosed character": ("'MARK\nMARK", 1),
    "a backslash at the end": ("MARK \\", 1),
}


BEHIND = "put a blank between the two."


def refused_words(code: Code) -> list[str]:
    return [offence.sentence for offence in offences(code)]


def preprocessed(text: str) -> str:
    """The text as g++ preprocesses the lines, MARK being a macro; "" if g++ refuses the text."""
    command = ["g++", "-E", "-w", "-x", "c++", "-std=c++17", "-DMARK=SEEN", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    return "" if done.returncode else done.stdout


@pytest.mark.parametrize(("text", "names"), TEXTS.values(), ids=TEXTS)
def test_a_name_is_seen_where_the_compiler_sees_one(text: str, names: int) -> None:
    output = preprocessed(text + "\n")
    assert Tokens(output).source.count("SEEN") == names, "not what g++ reads"
    assert Code(blank_comments(text)).words.count("MARK") == names
    seen = Tokens(output)
    assert sum(seen.text(i) == "SEEN" for i in range(len(seen.code))) == names
    blanked = blank_comments(text)
    assert sum(match[0] == "MARK" for match in TOKEN.finditer(blanked)) == names
    assert blanked.count("\n") == text.count("\n")


@pytest.mark.parametrize("text", ['MARK R"x( MARK )y" MARK', "MARK /* MARK"])
def test_what_is_not_closed_ends_with_the_text(text: str) -> None:
    assert preprocessed(text) == ""
    assert Code(blank_comments(text)).words.count("MARK") == 1
    assert Tokens(f'# 1 "a.cu"\n{text}').plain(0, 0) == "MARK"


DIRECTIVES = [
    ("#include <a>\n", [("include", "<a>", 1)]),
    ("/*\n*/ # /*\n*/ include /*\n*/ <a>\n#undef y", [("include", "<a>", 2), ("undef", "y", 5)]),
    ("#inc\\\nlude <a>\n#undef y", [("include", "<a>", 1), ("undef", "y", 3)]),
    ('x = R"(\n#include <a>\n)";\n#undef y', [("undef", "y", 4)]),
    ('#define x R"(\n#if\n)"\n#undef y', [("define", 'x R"(\n#if\n)"', 1), ("undef", "y", 4)]),
    ('x = R"x( )\\\nx" /* )x"\n#include <a>\n/**/', [("include", "<a>", 3)]),
]


@pytest.mark.parametrize(("text", "found"), DIRECTIVES)
def test_directives_are_those_of_the_compiler(text: str, found: list[tuple]) -> None:
    seen = [(name, rest.strip(), line) for name, rest, line in directives(blank_comments(text))]
    assert seen == found


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="/*\\\"'\nR()x8u ", max_size=24))
def test_any_text_that_compiles_is_read_alike(text: str) -> None:
    """A raw string directly behind another literal is left out: the source check refuses both."""
    text += '\n//*/ )" )x"\nMARK\n'
    output = preprocessed(text)
    assume(output)
    code = Code(blank_comments(text))
    assume(not any(sentence.endswith(BEHIND) for sentence in refused_words(code)))
    assert code.words.count("MARK") == output.count("SEEN")
