"""The source check, the file of WITH=, and messages from a compiler's output."""

import os
import time
from pathlib import Path

import pytest
from grader_mock.house import House
from hypothesis import given
from hypothesis import strategies as st

from grader.base.errors import UsageError
from grader.base.source_text import blank_comments
from grader.base.text import choose
from grader.build.admission import warnings_of
from grader.build.make import first_error
from grader.build.source_check import check_source
from grader.course.load import load_assignments
from grader.course.resolve import resolve_with

# Statements besides reads of a special register.
ASSEMBLY = [
    'asm("q.a: nop");',
    'asm("q.a: mov.u32 %0, %%laneid;" : "=r"(i));',
    'asm("mov.u32 %0, %%laneid; syscall" : "=r"(i));',
    'asm("mov.u32 %0, %%laneid;" "syscall" : "=r"(i));',
    'asm("mov.u32 %0, %%laneid;\\x6eop" : "=r"(i));',
    'asm("mov.u32 %0, %%laneid;\\12nop" : "=r"(i));',
    'asm("mov.u32 %0, %%laneid;\\nnop" : "=r"(i));',
    'asm(R"(mov.u32 %0, %%laneid;)" : "=r"(i));',
    'asm(u8"mov.u32 %0, %%laneid;" : "=r"(i));',
    'asm("mov.u32 %0, %%eax;" : "=r"(i));',
    'asm("mov.u32 %0, %%laneid;" : "=l"(i));',
    'asm("mov.u64 %0, %%laneid;" : "=r"(i));',
    'asm("mov.u32 %0, %%laneid;" : "=r"(i), "=r"(j));',
    'asm("mov.u32 %0, %%laneid;" : "=r"(i) : "r"(i));',
    'asm("mov.u32 %0, %%laneid;" : "=r"(i) :: "rax");',
    'asm("mov.u32 %1, %%laneid;" : "=r"(i));',
    'asm goto("" :::: out); out:;',
    'asm inline("mov.u32 %0, %%laneid;" : "=r"(i));',
    'asm("" : "+r"(i));',
    'asm("" : "=m"(i) : "m"(j) : "memory");',
    'asm volatile("");',
    'asm volatile(" nop" ::: "memory");',
    'asm volatile("" ::: "memory", "rax");',
    'asm volatile("{}" ::: "memory");',
    'asm volatile(".pushsection .text" ::: "memory");',
    'asm volatile("ld.global.u32 %0, [%1];" : "=r"(i) : "l"(p), "l"(q));',
    'asm volatile("ld.global.u32 %0, [%1]" : "=r"(i) : "l"(p));',
    'asm volatile("write: mov.u32 %0, 1;" : "=r"(i));',
    'asm volatile("{ loop: bra loop; mov.u32 %0, 1; }" : "=r"(i));',
    'asm volatile("mov.u32 %0, 1; ret;" : "=r"(i));',
    'asm volatile("mov.u32 %0, 1; # syscall" : "=r"(i));',
    'asm volatile("mov.u32 %0, 1; .globl write;" : "=r"(i));',
    'asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");',
    'asm volatile("add.u32 %0, %0, $1;" : "+r"(i));',
    'asm volatile("mov.u32 %0, 1;" : "=m"(i));',
    'asm volatile("setmaxnreg.inc.sync.aligned.u64 %0;" :: "n"(40));',
    'asm volatile("wgmma.fence.sync.aligned; syscall;" ::: "memory");',
    'asm volatile("mbarrier.init.shared.b64 [%0], %%eax;" :: "r"(i), "r"(i), "r"(i));',
    'asm volatile("cp.async.bulk.commit_group; syscall;" ::: "memory");',
    'asm volatile("mov.u32 %0, 1;" : [name] "=r"(i));',
    'asm volatile("{ nop; }" ::: "memory");',
    'asm volatile("{ mov.u32 %0, 1; | nop }" : "=r"(i));',
    'asm volatile("add.s %0" ::: "memory");',
    'asm(%:i "" ::: "memory");',
    '__asm("nop");',
    '__asm__ __volatile__("rep.movsb" ::: "memory");',
    'asm volatile volatile("" ::: "memory");',
    'extern int other asm("stdout");',
    'register long a asm("rax") = 1;',
    "asm();",
    "asm",
]
FORBIDDEN = [
    "# /*\n*/ include <cub/cub.cuh>",
    'auto s = R"x( )\\\nx" /* )x";\n#include <cub/cub.cuh>\n/**/',
    'int $R; auto s = $R"(" "/* )";\n#include <cub/cub.cuh>\n/**/ ";"',
    "int a²;",
    "#ifdef __CUDACPU_PROFILE__\n#endif",
    "#ifdef __SANITIZE_THREAD__\n#endif",
    'extern "C" void cudacpu_profile_reset();',
    '__attribute__((no_sanitize("thread"))) void f();',
    "__attribute__((no_instrument_function)) void f();",
    "#include <cub/cub.cuh>",
    '#include "cub/device/device_scan.cuh"',
    "  #  include  <thrust/sort.h>",
    "#include <cublas_v2.h>",
    "#include <cuda/std/__algorithm/sort.h>",
    "#include <cuda/std/algorithm>",
    "#inc\\\nlude <cub/cub.cuh>",
    "#include \\\n <thrust/scan.h>",
    "/* one */ #include <cub/cub.cuh>",
    "%:include <cub/cub.cuh>",
    "#define H <cub/cub.cuh>\n#include H",
    '#include "solution.cu"',
    "//\n// flags: -lcublas",
    "//\n// flags: -use_fast_math; touch owned",
    "//\n// flags: -O3 $(shell touch owned)",
    "//\n// flags: -Xptxas --verbose",
    # Where lines end for make and the compilers, not for Python.
    "//\x0c//\n// flags: -lcublas",
    "//\r//\n// flags: -lcublas",
    "//\u2028//\n// flags: -lcublas",
    "// \r\n// flags: -lcublas\r\n",
    "\x0c#include <cub/cub.cuh>",
    "\ufeff#include <cub/cub.cuh>",
    # What only looks like a comment, a string or a name.
    "int a = 1'0; char c = '\"'; const char* t = \"/*\";\n#include <cub/cub.cuh>\n// */",
    "#if 0\n' /*\n#endif\n#include <cub/cub.cuh>\n// */",
    '#define XR\nconst char* a = XR"x(/*";\n#include <cub/cub.cuh>\n//*/)x"',
    "#include </etc/passwd>",
    '#include "../judge/secret.h"',
    '#include "reference/card.h"',
    '#include "grading/input.h"',
    '#include "judge.h"',
    "#if __has_include(<string>)\n#endif",
    # Names from parts in a condition leave no trace.
    "#define PASTE(a, b) a##b\n#if PASTE(__has_, include)(<string>)\n#endif",
    "#define PASTE(a, b) a %:%: b\n#define ASK PASTE(x, y)\n#ifdef A\n#elif ASK\n#endif",
    "#if __CONCAT(__CUDACPU_, PROFILE__)\n#endif",
    "#if __CONCAT  (a, b)\n#endif",
    "#include_next <string.h>",
    '#ident "x"',
    '#line 7 "harness/runner/runner.cpp"',
    '# 7 "harness/runner/runner.cpp"',
    "__attribute__((constructor)) static void f() {}",
    "__attribute__((unused, constructor(101))) static void f() {}",
    "[[gnu::constructor]] static void f() {}",
    "[[ using gnu : constructor ]] static void f() {}",
    "#define HIDDEN __attribute__\nHIDDEN((constructor)) static void f() {}",
    '__attribute__((optimize("O3"))) void f();',
    '#pragma GCC optimize("O3")',
    '_Pragma("GCC optimize(\\"O3\\")") void f();',
    "#pragma weak cudaMalloc",
    "[[gnu::unused, gnu::constructor]] static void f() {}",
    '[[unused]] [[ gnu :: section("a") ]] int a;',
    "<:<:gnu::constructor:>:> static void f() {}",
    "__attribute ((__constructor__)) static void f() {}",
    '__attribute__((annotate("x"), weak)) void f();',
    '__attribute__ /* ( */ ((unused)) __attribute__((alias("f"))) void g();',
    "[[[ int a;",
    '[[deprecated("a\\") , no_sanitize (thread), x (\\"")]] void f();',
    '[[deprecated(R"(a") , no_sanitize (thread), x (")")]] void f();',
    "#pragma GCC push_options",
    '#pragma push_macro("f")',
    "#pragma GCC system_header",
    "%:pragma weak f",
    "_Pragma(PRAGMA) void f();",
    '_Pragma(L"once") void f();',
    "int f(FILE* file) { return file->_fileno; }",
    "void f() { cudaThreadSynchronize(); }",
    "__device__ int f(int x) { return __shfl_down(x, 1); }",
    "__device__ int f(bool x) { return __any(x); }",
    'void f() { asm("syscall"); }',
    *(f"void f(unsigned i) {{ {statement} }}" for statement in ASSEMBLY),
    'void f() { __asm__ volatile ("mov.s %eax, %eax"); }',
    'int g(int) asm("write");',
    'asm(".incbin \\"/etc/passwd\\"");',
    "#define A asm\n",
    "float f(float* x) { return *(float*)_mm_malloc(1, 1); }",
    "void* f() { return __builtin_return_address(0); }",
    'const char* s = "a"R"("; int hidden; const char* t = ")";',
    "char c = 'a'LR\"(\";",
    "namespace own { struct float4 { float x; }; }",
    "typedef struct { float x; } uint2;",
    "using float3 = struct { float x; };",
    "template <int n> struct alignas(16) [[nodiscard]] double2 : Base<n> {};",
]
ALLOWED = [
    'const char* s = R"(\n#include <cub/cub.cuh>\n)";',
    "int größe = 1;",
    "#include <cooperative_groups.h>",
    "#include <cuda/std/limits>",
    "// #include <cub/cub.cuh>",
    "/*\n#include <cub/cub.cuh>\n*/",
    'const char* s = "#include <cub/cub.cuh>";',
    '#include "transpose.h"',
    '#include "scrub/cubic.h"',
    "// __CUDACPU_PROFILE__ in a comment",
    "cudaMemPrefetchAsync(data, bytes, cudaCpuDeviceId);",
    "//\n// flags: -use_fast_math -fmad=false -maxrregcount=64 -O3 -Xptxas -dlcm=ca",
    "//\n//\n// flags: -lcublas",
    "// one\r\n// flags: -O3\r\nint a;\r\n",
    "__attribute__((aligned(16), unused)) int a;",
    "[[maybe_unused]] [[gnu::noinline]] void f();",
    "#pragma once\n#pragma unroll 4\n#pragma nv_diag_suppress 177",
    'void f() { asm volatile("" ::: "memory"); }',
    'void f() { asm volatile("" : : : "memory"); }',
    'void f() { __asm__ __volatile__ ("mov.u32 %0, %%laneid;\\n\\t" : "=r"(*lane)); }',
    'void f() { asm("mov.u64 %0, %globaltimer;" : "=l"(ns[g(1)]) :: "memory"); }',
    'void f() { asm("mov.u32\\t%0, %%ctaid.x;" : "=r"(a.b)); }'.replace("\\t", "\t"),
    'void f() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(40)); }',
    'void f() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }',
    'void f() { asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(i), "r"(2)); }',
    'void f() { asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier"'
    ' "::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"'
    ' :: "r"(i), "l"(p), "r"(0), "r"(0), "r"(j) : "memory"); }',
    '#define LANE(x) asm("mov.u32 %0, %%laneid;" : "=r"(x))',
    'void f() { asm volatile("ld.global.u32 %0, [%1];" : "=r"(i) : "l"(p)); }',
    'void f() { asm("{ .reg .pred p; setp.eq.u32 p, %1, 0; @p mov.u32 %0, 1; }"'
    ' : "+r"(i) : "r"(j)); }',
    'void f() { asm("bfind.u32 %0, %1;" "add.u32 %0, %0, 1;\\n" : "=r"(i) : "r"(g(1, 2))); }',
    'void f() { asm volatile("cp.async.wait_group %0;" :: "n"(0) : "memory"); }',
    'void f() { asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;'
    ' selp.u32 %0, 1, 0, p; }" : "=r"(i) : "r"(j), "r"(0) : "memory"); }',
    'void f() { asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes'
    ' [%0], [%1], %2, [%3];" :: "r"(i), "l"(p), "r"(16), "r"(j) : "memory"); }',
    "#define PASTE(a, b) a##b\nint PASTE(one, two);",
    "#define STRING(a) #a\n#if defined(A) && not (B) || __has_cpp_attribute(likely)\n#endif",
    "#define HAS(x) (x > 1)\n#if HAS(3)\n#endif",
    '#pragma region one\n#pragma endregion\n#pragma message("hello")\n#pragma pack(push, 1)',
    'int no_sanitized_input, my_no_sanitize; const char* s = "no_sanitize";',
    '[[deprecated("no_sanitize(thread)")]] void f();',
    "int a[3], b = a[c[0]]; auto l = [](int i) { return i; };",
    'void f() { *p = __builtin_expect(a, 1) ? __builtin_nanf("") : __builtin_inff(); }',
    '// dates\n#warning "slow"\n#error no\n',
    "int n = 1'000'000; char c = 'x'; const char* s = R\"(#include <cub/cub.cuh>)\";",
    'const char* s = "__attribute__((constructor)) asm(syscall) ##";',
    "int i = __builtin_popcountll(5);",
    'const char* s = "R" "(" ; const char* t = "a" R"(b)"; auto u = "c"_R;',
    "struct A { union { float a; } b; }; float4 c; struct D : float4 {}; B<float4, int> e;",
    "if (a) float4{1, 2, 3, 4}; for (float2 b : list) f(int4{1}, uint2());",
    "",
]


def check(tmp_path, text):
    file = tmp_path / "student.cu"
    file.write_bytes(text.encode())
    return check_source(file)


@pytest.mark.parametrize("text", FORBIDDEN)
def test_forbidden(tmp_path, text):
    found = check(tmp_path, text)
    assert found
    assert found.sentence.endswith(".")


@pytest.mark.parametrize("text", ALLOWED)
def test_allowed(tmp_path, text):
    assert check(tmp_path, text) is None


def test_the_line_is_named(tmp_path):
    assert check(tmp_path, "#define A \\\n\\\n\nint a; __attribute__((weak)) int b;").line == 4
    assert check(tmp_path, "/*\n\n*/\n#include <cub/cub.cuh>\n").line == 4
    assert check(tmp_path, "int a; \\\n\\\n\n#include <cub/cub.cuh>\n").line == 4


def test_a_students_own_header_is_looked_into(tmp_path):
    (tmp_path / "mine.cuh").write_text('#include "deeper.cuh"\n')
    (tmp_path / "deeper.cuh").write_text('#include "mine.cuh"\n#include <cub/cub.cuh>\n')
    assert "cub/cub.cuh" in check(tmp_path, '#include "mine.cuh"\n').sentence


@pytest.mark.parametrize("operand", ['"mine.h"', "<mine.h>", '"sub/mine.h"'])
def test_a_header_that_is_no_file_is_not_opened(tmp_path, operand):
    (tmp_path / "sub").mkdir()
    os.mkfifo(tmp_path / "mine.h")
    (tmp_path / "sub" / "mine.h").symlink_to("/dev/zero")
    assert "mine.h" in check(tmp_path, f"#ifdef A\n#include {operand}\n#endif").sentence


def test_headers_beside_the_contract_are_looked_into(tmp_path):
    folder = tmp_path / "assignment"
    folder.mkdir()
    (folder / "mine.h").write_text("__attribute__((weak)) int a;")
    file = tmp_path / "student.cu"
    file.write_text("#include <mine.h>\n")
    assert "the attribute weak" in check_source(file, (folder,)).sentence
    (folder / "mine.h").unlink()
    with open(folder / "mine.h", "wb") as sparse:
        sparse.truncate(1 << 40)
    assert "larger than 512 KiB" in check_source(file, (folder,)).sentence


MANY = 1 << 18
LONG = {
    "one line": "int a[] = {" + "1, " * (MANY // 3) + "};",
    "brackets": "(" * MANY,
    "square brackets": "[ " * (MANY // 2),
    "newlines": "\n" * MANY,
    "continued": "\\\n" * (MANY // 2),
    "backslashes": "\\ " * (MANY // 2),
    "blanks": (" " * 50 + "\n") * (MANY // 51),
    "one word": "a" * MANY,
    "words": "a " * (MANY // 2),
    "quotes": '"' * MANY,
    "raw strings": 'R"a(' * (MANY // 4),
    "comments": "/*" * (MANY // 2),
    "attributes": "__attribute__((" * (MANY // 15),
    "assembly": "asm(" * (MANY // 4),
    "headers": '#include "a.h"\n' * (MANY // 15),
    "macros": "#define A " + "a " * 100 + "\n" + "#if A\n" * (MANY // 6),
    "pragmas": "#pragma unroll\n" * (MANY // 15),
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
@pytest.mark.slow
def test_any_text_is_read_in_time_proportional_to_it(tmp_path, text):
    """A quarter of a megabyte in three seconds of processor time: quadratic scans take minutes."""
    start = time.process_time()
    check(tmp_path, text)
    assert time.process_time() - start < 3


@given(st.text(alphabet="/*\\\"'\nR()#a ", max_size=60))
def test_blanking_comments_keeps_the_lines(text):
    assert blank_comments(text).count("\n") == text.count("\n")


@given(st.text(max_size=200))
def test_any_text_can_be_checked(tmp_path_factory, text):
    file = tmp_path_factory.mktemp("any") / "student.cu"
    file.write_text(text, encoding="utf-8", errors="surrogatepass")
    check_source(file)


# Compilers.
LOGS = {
    "g++": "In file included from a.h:1:\ntwice/twice.cu:2:7: error: expected a semicolon\n",
    "nvcc": 'twice/twice.cu(2): error: expected a ";"\n          return;\n',
    "nvcc with a number": 'twice/twice.cu(2): error #20: identifier "x" is undefined\n',
    "fatal": "twice/twice.cu:2:10: fatal error: nothing.h: No such file or directory\n",
    "after another's": "harness/x.h:9:1: error: no\ntwice/twice.cu:2:1: error: yes\n",
}


@pytest.mark.parametrize("name", LOGS)
def test_the_first_error_is_told_with_the_students_line(tmp_path, name):
    house = House(tmp_path)
    file = house.write("twice/twice.cu", "line 1\n  the second line\n")
    error = first_error(tmp_path, LOGS[name], file)
    assert error.sentence.startswith("twice/twice.cu:2: ")
    assert error.excerpt == "the second line"


def test_a_missing_definition_is_told(tmp_path):
    log = "/usr/bin/ld: x.o: in function `f':\nundefined reference to `twice(int, unsigned int*)'\n"
    error = first_error(tmp_path, log, tmp_path / "twice.cu")
    assert error.sentence == "twice.cu does not link: nothing defines twice(int, unsigned int*)"


def test_a_tool_that_stops_is_told_with_its_error():
    log = (
        "Traceback (most recent call last):\n"
        '  File "cudacc", line 3, in <module>\n'
        "    main()\n"
        "ModuleNotFoundError: No module named 'gone'\n"
        "make: *** [rules.mk:3: a.o] Error 1\n"
    )
    sentence = "a tool of the build stopped: ModuleNotFoundError: No module named 'gone'"
    assert first_error(Path("/nowhere"), log, None).sentence == sentence


@given(st.text(max_size=300))
def test_any_output_of_a_compiler_gives_a_sentence(log):
    assert first_error(Path("/nowhere"), log, Path("/nowhere/a.cu")).sentence


# WITH=.
def resolved(house, given_, *names):
    assignments = load_assignments(house.root, list(names))
    found = resolve_with(house.root.resolve(), assignments, given_, "cpu")
    return {f"{a}.{p}": s.program for a, parts in found.items() for p, s in parts.items()}


def test_with_names_a_place_inside_the_assignment(tmp_path):
    house = House(tmp_path)
    assert resolved(house, "solution", "twice") == {"twice.twice": "build/cpu/twice/solution"}
    assert resolved(house, "ladder/01_naive.cu") == {
        "twice.twice": "build/cpu/twice/ladder/01_naive"
    }
    assert resolved(house, "ladder/left/01_naive") == {
        "pair.left": "build/cpu/pair/ladder/left/01_naive"
    }
    assert resolved(house, "wrong/off_by_one.cu", "twice") == {
        "twice.twice": "build/cpu/twice/wrong/off_by_one"
    }
    assert resolved(house, "solution", "pair") == {
        "pair.left": "build/cpu/pair/solution/left",
        "pair.right": "build/cpu/pair/solution/right",
    }
    assert resolved(house, "twice/twice.cu") == {"twice.twice": "build/cpu/twice/twice"}


def test_with_takes_any_path_and_sees_the_part_from_the_function(tmp_path):
    house = House(tmp_path / "house")
    file = tmp_path / "mine.cu"
    file.write_text("// right(int) is below\nvoid right(int n, unsigned* result)\n{\n}\n")
    assert resolved(house, str(file)) == {
        "pair.right": f"build/cpu/pair/path/right{str(file)[:-3]}"
    }


def test_with_takes_a_directory_of_parts(tmp_path):
    house = House(tmp_path / "house")
    for part in ("left", "right"):
        house.write(f"../theirs/{part}.cu", "")
    found = resolved(house, str(tmp_path / "theirs"))
    assert set(found) == {"pair.left", "pair.right"}


def test_a_path_that_make_cannot_spell_is_linked(tmp_path):
    house = House(tmp_path / "house")
    file = tmp_path / "my $(shell) file.cu"
    file.write_text("void twice(int n, unsigned* result) {}\n")
    target = resolved(house, str(file))["twice.twice"]
    assert "shell)" not in target
    assert " " not in target


@pytest.mark.parametrize("given_", ["ladder/1_naive.cu", "ladder/01_naiv", "soluton", "01_naive"])
def test_a_file_that_is_not_there_gets_the_near_matches(tmp_path, given_):
    with pytest.raises(UsageError, match="did you mean"):
        resolved(House(tmp_path), given_, "twice")


def test_a_file_without_the_function_is_told_so(tmp_path):
    house = House(tmp_path / "house")
    file = house.write("../other.cu", "void twice(int n);\nint main() {}\n")
    with pytest.raises(UsageError, match="defines none of"):
        resolved(house, str(file))


@pytest.mark.parametrize(
    "definition",
    [
        "auto twice(int n, unsigned* p) -> void {}",
        "void twice(int n [[maybe_unused]], unsigned* p __attribute__((unused))) noexcept {}",
        "void twice(int n, unsigned* p) try {} catch (...) {}",
    ],
)
def test_a_function_is_found_in_every_form_of_a_definition(tmp_path, definition):
    house = House(tmp_path / "house")
    assert resolved(house, str(house.write("../other.cu", definition)))


@given(st.text(min_size=1, max_size=30), st.lists(st.text(max_size=10), max_size=30))
def test_a_near_match_is_one_sentence(name, known):
    sentence = choose("case", name, known)
    assert sentence.startswith("There is no case ")


NOTED = """\
build/x.cu:3:14: error: no matching function for call to 'twice'
harness/check.h:9:1: note: expanded from macro 'CHECK'
include/api.h:2:5: note: candidate function not viable: requires 2 arguments, but 1 was provided
build/x.cu:4:1: error: something else
include/api.h:1:1: note: of the second error
"""


def test_a_build_error_keeps_the_signature_that_the_compiler_notes(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    (tmp_path / "include").mkdir()
    source = tmp_path / "build" / "x.cu"
    source.write_text("1\n2\nCHECK(twice(1));\n4\n")
    (tmp_path / "include" / "api.h").write_text("first\nint twice(int value, int times);\n")
    error = first_error(tmp_path, NOTED, source)
    assert error.sentence == "build/x.cu:3: no matching function for call to 'twice'"
    assert error.excerpt.splitlines() == [
        "CHECK(twice(1));",
        "note: candidate function not viable: requires 2 arguments, but 1 was provided: "
        "int twice(int value, int times);",
    ]


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("// saxpy\n// flags: -O3\n", 0),
        ("// saxpy\n\n// flags: -O3\n", 3),
        ("// flags: -O3\n// saxpy\n", 1),
        ("// saxpy\n//flags: -O3\n", 2),  # make reads letter by letter
        ("// saxpy\n// Flags : -use_fast_math\n", 2),
        ("// the flags: 1 for each repeat\n", 0),
    ],
)
def test_flags_that_nobody_reads_get_a_warning(tmp_path: Path, source: str, line: int) -> None:
    file = tmp_path / "x.cu"
    file.write_text(source)
    warnings = warnings_of(tmp_path, file)
    assert [text.partition(": ")[0] for text in warnings] == ([f"x.cu:{line}"] if line else [])
