"""What macros do to a student's lines, tried on the output of g++'s preprocessor."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from grader.build.own_files import own_files
from grader.build.preprocessed import Offence, check_headers, check_lines, headers_alone

# Words from macros of system headers, or of the file.
FORBIDDEN = [
    '#include <sys/cdefs.h>\n__CONCAT(as, m)("nop");',
    "#include <sys/cdefs.h>\nint __REDIRECT(f, (void), write);",
    "#define PASTE(a, b) a##b\nint i = PASTE(cuda, cpu_profile_pause)();",
    "#define PASTE(a, b) a##b\nPASTE(__attr, ibute__)((constructor)) void f() {}",
    "#define PASTE(a, b) a##b\nint i = PASTE(__builtin_, return_address)(0);",
    "#define OPEN [\n#define ON OPEN\nON ON gnu::constructor]] void f() {}",
    "#define unused constructor\n__attribute__((unused)) static void f() {}",
    "#define TEXT(a) #a\nvoid f(int i) { asm(TEXT(syscall)); }",
    '#define PASTE(a, b) a##b\n#define A PASTE(_, Pragma)\nA("GCC optimize(3)") void f();',
    '#define PRAGMA(a) _Pragma(#a)\nPRAGMA(GCC optimize("O3")) void f();',
    "#include <cstdio>\n#define PASTE(a, b) a##b\nint f() { return stdout->PASTE(_file, no); }",
    "#define PASTE(a, b) a##b\nint f() { return PASTE(_mm_, pause)(); }",
    # What stands behind a false marker of another file.
    'const char* s = R"(\n# 1 "/usr/include/stdio.h" 1 3\n)";\nasm("nop");',
    'const char* s = R"x(\n)" # 7 "a"\n# 1 "/usr/include/stdio.h" 1 3\n)x";\nasm("nop");',
    'int i = 1\'0 + \'"\'; const char* s = R"(\n# 1 "/usr/x.h" 1 3\n)";\nasm("nop");',
    'const char* s = "R\\"(" R"(\n# 1 "/usr/x.h" 1 3\n)";\nasm("nop");',
    "#include <mine.h>",
]
ALLOWED = [
    "#include <cassert>\nvoid f(int i) { assert(i > 0 && \"positive\"); }",
    "#include <cerrno>\nint f() { return errno; }",
    "#include <cmath>\nbool f(float x) { return std::isnan(x) || x == INFINITY || x == NAN; }",
    "#include <cstdarg>\nint f(int n, ...) {\n va_list v;\n va_start(v, n);\n"
    " int i = va_arg(v, int);\n va_end(v);\n return i;\n}",
    "#include <cstdio>\nvoid f() { fprintf(stderr, \"%d\", BUFSIZ); fputs(\"\", stdout); }",
    "#include <cstddef>\nstruct S { int a, b; };\nsize_t f() { return offsetof(S, b); }",
    "#include <climits>\n#include <cfloat>\ndouble f() { return INT_MAX + DBL_MAX + FLT_EPSILON; }",
    "#include <sys/cdefs.h>\n__BEGIN_DECLS\nvoid f(void) __THROW __attribute_pure__;\n__END_DECLS",
    "#include <cinttypes>\nconst char* s = \"%\" PRIu64; auto n = UINT64_C(3);",
    "#define PASTE(a, b) a##b\nint PASTE(saxpy_, kernel)(int i) { return i; }",
    "#define LANE(x) asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x))\nvoid f(int i) { LANE(i); }",
    "#define UNROLL(n) _Pragma(\"unroll\")\nvoid f() { UNROLL(4) for (;;) {} }",
    "#pragma region one\nint a;\n#pragma endregion",
    'const char* s = R"(\n# 1 "/usr/include/stdio.h" 1 3\n)", *t = "asm(1)"; int R = 1;',
    '#include "honest.h"\nint a = honest;',
]  # fmt: skip


def preprocessed(root: Path, text: str, name: str = "student", *flags: str) -> Path:
    """Writes make's files beside an object; returns the object's path."""
    (root / f"{name}.cu").write_text(text)
    (root / "mine.h").write_text("__attribute__((weak)) int a;\n")
    (root / "honest.h").write_text("#ifndef HONEST_H\n#define HONEST_H\nint honest = 1;\n#endif\n")
    target = root / "build" / f"{name}{''.join(flags)}.o"
    target.parent.mkdir(exist_ok=True)
    command = ["g++", "-E", "-dI", "-x", "c++", "-std=c++17", "-I.", *flags, f"{name}.cu"]
    subprocess.run([*command, "-o", target.with_suffix(".ii")], cwd=root, check=True)
    return target


def look(root: Path, *objects: Path) -> Offence | None:
    return check_lines(root, own_files(root / "student.cu", (root,)), list(objects))


@pytest.mark.parametrize("text", FORBIDDEN)
def test_forbidden(tmp_path: Path, text: str) -> None:
    offence = look(tmp_path, preprocessed(tmp_path, text))
    assert offence
    assert offence.sentence.endswith(".")
    assert offence.place.file in ("student.cu", "./mine.h")


@pytest.mark.parametrize("text", ALLOWED)
def test_allowed(tmp_path: Path, text: str) -> None:
    assert look(tmp_path, preprocessed(tmp_path, text)) is None


def test_the_line_is_named(tmp_path: Path) -> None:
    text = '#include <vector>\n#define PASTE(a, b) a##b\n\n\nint i = 1;\nPASTE(as, m)("nop");\n'
    offence = look(tmp_path, preprocessed(tmp_path, text))
    assert (offence.place.file, offence.place.line) == ("student.cu", 6)


@pytest.mark.parametrize("asks", ["#ifdef MODE", "#if MODE == 1", "#ifndef MODE"])
def test_builds_that_differ(tmp_path: Path, asks: str) -> None:
    text = f"int a;\n{asks}\nint b;\n#endif\nint c;\n"
    plain = preprocessed(tmp_path, text)
    assert look(tmp_path, plain, plain) is None
    offence = look(tmp_path, plain, preprocessed(tmp_path, text, "student", "-DMODE=1"))
    assert offence and "not the same in all builds" in offence.sentence
    assert offence.place.line in (3, 5)


@pytest.mark.slow
def test_lines_without_end(tmp_path: Path) -> None:
    doubled = "".join(f"#define A{n} A{n + 1} A{n + 1}\n" for n in range(22))
    offence = look(tmp_path, preprocessed(tmp_path, f"{doubled}#define A22 x\nA0"))
    assert offence and "grows to more than 8 MiB" in offence.sentence


HEADERS = {
    '#define first first_; asm("nop"); int\n#include <utility>\n': True,
    "#undef __cplusplus\n#define __cplusplus 201103L\n#include <utility>\n": True,
    "#define noexcept\n#include <new>\n": True,
    '#include "honest.h"\n#define inline\n#include <utility>\n': True,
    "#define N 256\n#include <utility>\n#include <vector>\n": False,
    "#define NDEBUG\n#include <cassert>\n": False,
    '#include "honest.h"\n#include <utility>\n': False,
}


@pytest.mark.parametrize(("text", "changes"), HEADERS.items())
def test_macros_that_change_headers(tmp_path: Path, text: str, changes: bool) -> None:
    student = preprocessed(tmp_path, text)
    own = own_files(tmp_path / "student.cu", (tmp_path,))
    headers = headers_alone(tmp_path, own).read_text()
    alone = preprocessed(tmp_path, headers, "headers")
    offence = check_headers(tmp_path, own, [student], [alone])
    assert bool(offence) == changes
    assert not offence or "has a macro that changes what" in offence.sentence


@pytest.mark.parametrize(
    "text", ["#include <utility>\n#define N 256\nint a;\n", '#include "honest.h"\nint a;\n']
)
def test_macros_behind_all_headers_need_no_look(tmp_path: Path, text: str) -> None:
    preprocessed(tmp_path, text)
    assert headers_alone(tmp_path, own_files(tmp_path / "student.cu", (tmp_path,))) is None
