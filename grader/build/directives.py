"""Checks the preprocessor directives of a student's file.

The compiler proper sees no directives, so the text is checked. Conditions are checked too: a name
that macros assemble in a condition leaves no trace behind.
"""

import re
from collections.abc import Iterable, Iterator

from cpudevice.compiler.tokens import NAME, NUMBER, QUOTED, RAW_STRING

BLANKS = " \t\f\v\0\r"
SPACE = f"[{BLANKS}]*"
# A directive, or a token that may hold the text of a directive. A raw string goes on behind the
# line's end.
LITERAL = f"{RAW_STRING}|{QUOTED}|{NUMBER}|{NAME}"
REST = LITERAL.replace("tag", "rest_tag")
DIRECTIVE = re.compile(
    rf"^{SPACE}(?:\#|%:){SPACE}(?P<name>\w*)(?P<rest>(?:{REST}|[^\n])*)|{LITERAL}", re.MULTILINE
)
ALLOWED = {
    *("", "define", "undef", "include", "pragma", "error", "warning"),
    *("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"),
}
CONDITIONS = {"if", "elif"}
WORD = re.compile(NAME)
# What a condition may call besides the student's own macros.
ASKS = {"defined", "__has_cpp_attribute", "__has_attribute", "__has_builtin", "__has_feature"}
ASKS |= {"__has_extension", "__GNUC_PREREQ", "and", "or", "not", "xor", "bitand", "bitor", "compl"}
CALL = re.compile(r"\s*\(")
PASTE = re.compile(r"##|%:%:")
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')

Macros = dict[str, str]  # names, and every definition of each


def macros_of(texts: Iterable[str]) -> Macros:
    bodies: dict[str, list[str]] = {}
    for text in texts:
        for name, rest, _ in directives(text):
            macro = WORD.match(rest.strip()) if name == "define" else None
            if macro:
                bodies.setdefault(macro[0], []).append(rest.strip()[macro.end() :])
    return {name: "\n".join(found) for name, found in bodies.items()}


def directives(text: str) -> Iterator[tuple[str, str, int]]:
    """The directives of a text without comments: name, rest of the line, and position."""
    line, counted = 1, 0
    for match in DIRECTIVE.finditer(text):
        if match["name"] is not None:
            line += text.count("\n", counted, match.start())
            counted = match.start()
            yield match["name"], match["rest"], line


def refused_directives(text: str, macros: Macros) -> Iterator[tuple[int, str]]:
    """(line, sentence) for each forbidden directive in a text without comments.

    `macros` are the macros of all the student's files.
    """
    clean: set[str] = set()
    for name, rest, line in directives(text):
        if name not in ALLOWED or (not name and rest.strip()):
            said = f"#{name}{rest}".strip()[:40]
            yield line, f"has the directive {said}, which is not allowed."
        elif name in CONDITIONS and (word := built_name(rest, macros, clean)):
            yield line, f"tests {word}, which may expand to other names: write the condition out."


def built_name(condition: str, macros: Macros, clean: set[str]) -> str:
    """The part of a condition that could expand to another name; "" if no part could.

    `clean` collects the names of harmless macros.
    """
    waiting = [condition]
    while waiting:
        text = STRING.sub('""', waiting.pop())
        for match in WORD.finditer(text):
            name = match[0]
            if name in macros:
                if PASTE.search(macros[name]):
                    return name
                if name not in clean:
                    clean.add(name)
                    waiting.append(macros[name])
            elif name not in ASKS and CALL.match(text, match.end()):
                return name
    return ""
