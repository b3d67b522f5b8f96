"""`cudacc --graded`: no code escapes the profile, and none replaces a function of another file."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CUDACC = [sys.executable, str(ROOT / "cpudevice" / "cudacc"), "--no-check"]
MODES = ["", "--profile", "--sanitize"]
KERNEL = "__global__ void kernel(int* p) { p[threadIdx.x] = 1; }\n"
DOES_NOT_END = "{ int s = n[3]; for (int i = 0; i < s; ++i) n[i] ^= i * s; return s; }\n"


def compile_file(folder: Path, name: str, text: str, *words: str) -> str:
    """Compiles to <name>.o; returns the compiler's messages, "" after a success."""
    source = folder / f"{name}.cu"
    source.write_text(text)
    command = [*CUDACC, *filter(None, words), "-c", source.name, "-o", f"{name}.o"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == (not done.stderr), done.stderr
    return done.stderr


HIDING = [
    'no_sanitize("thread")',
    'no_sanitize("all")',
    'no_sanitize("undefined", "thread")',
    "no_sanitize_thread",
]


@pytest.mark.parametrize("mode", MODES[1:])
@pytest.mark.parametrize("attribute", HIDING)
def test_an_attribute_that_hides_a_function_is_an_error(tmp_path, mode, attribute):
    hidden = f"\n__attribute__((noinline, {attribute})) int hidden(int* n) {DOES_NOT_END}"
    text = KERNEL + hidden + "int call(int* p) { kernel<<<1, 32>>>(p); return hidden(p); }\n"
    said = compile_file(tmp_path, "hidden", text, mode, "--graded")
    assert "hidden.cu:3:1: error: an attribute hides the function _Z6hiddenPi" in said
    assert compile_file(tmp_path, "hidden", text, mode) == ""


def test_coverage_cannot_be_switched_off_either(tmp_path):
    hidden = f"__attribute__((noinline, no_sanitize_coverage)) int hidden(int* n) {DOES_NOT_END}"
    text = KERNEL + hidden + "int call(int* p) { kernel<<<1, 32>>>(p); return hidden(p); }\n"
    said = compile_file(tmp_path, "hidden", text, "--profile", "--graded")
    assert "hidden.cu:2:1: error: an attribute hides" in said


@pytest.mark.parametrize("mode", MODES)
def test_an_instruction_of_the_processor_is_an_error(tmp_path, mode):
    text = 'int first_bit(int n) {\n  int m;\n  asm("bsfl %1, %0" : "=r"(m) : "r"(n));\n'
    text += "  return m;\n}\n"
    said = compile_file(tmp_path, "assembly", text, mode, "--graded")
    assert "assembly.cu:3:1: error: this assembly" in said
    assert compile_file(tmp_path, "assembly", text, mode) == ""


@pytest.mark.parametrize("mode", MODES)
def test_arguments_of_kernels_do_no_work_when_they_are_copied(tmp_path, mode):
    text = """struct Busy {
  int n = 1;
  Busy() = default;
  Busy(const Busy& other) { for (int i = 0; i < 1000; ++i) n += other.n; }
};
__global__ void kernel(Busy busy, int* p) { p[threadIdx.x] = busy.n; }
void launch(int* p) { kernel<<<1, 32>>>(Busy(), p); }
"""
    said = compile_file(tmp_path, "busy", text, mode, "--graded")
    assert "busy.cu:6:" in said and "an argument of this kernel has a copy constructor" in said
    assert compile_file(tmp_path, "busy", text, mode) == ""


HONEST = """
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>
struct Base { virtual ~Base() = default; virtual int f() = 0; };
struct Other { virtual ~Other() = default; virtual int g() { return 1; } };
struct Derived : Base, Other { int f() override { return 1; } int g() override { return 2; } };
struct Empty { ~Empty() {} };
static std::map<int, std::vector<int>> table{{1, {2}}};
__device__ int d_value = 3;
__device__ void nothing() {}
__device__ unsigned lane() { unsigned i; asm("mov.u32 %0, %%laneid;" : "=r"(i)); return i; }
template <class T> __global__ void typed(T* p, std::pair<int, T> q) { p[lane()] = q.first; }
__global__ void empty() {}
__global__ void meet() { nothing(); __syncthreads(); }
extern "C" int plain(int a) { return a; }
[[noreturn]] void fail() { throw 3; }
int call(int* p) {
  Empty none;
  std::unique_ptr<Base> base(new Derived);
  typed<<<1, 32>>>(p, std::pair<int, int>(1, 2));
  empty<<<1, 1>>>();
  meet<<<1, 32>>>();
  std::function<int(int)> twice = [](int i) { return 2 * i; };
  std::cout << "x" << std::endl;
  std::thread t([&] { table[1].push_back(base->f() + d_value); });
  t.join();
  std::sort(table[1].begin(), table[1].end(), [](int a, int b) { return a > b; });
  if (table.empty()) fail();
  return twice(plain(3));
}
"""


@pytest.mark.parametrize("mode", MODES)
def test_what_the_compiler_makes_by_itself_is_no_offence(tmp_path, mode):
    assert compile_file(tmp_path, "honest", HONEST, mode, "--graded") == ""


@pytest.mark.parametrize("mode", MODES)
def test_variables_of_the_device_belong_to_their_file(tmp_path, mode):
    """As with nvcc, unless kernels of several files are linked: two files may use the same name."""
    text = """__constant__ float factor;
volatile __device__ int flag, other = 3;
alignas(16) __constant__ unsigned char bytes[64];
__device__ struct Pair { int a, b; } pair;
__global__ void kernel(int* p) { p[0] = flag + other + bytes[3] + pair.a + int(factor); }
"""
    assert compile_file(tmp_path, "own", text, mode, "--graded") == ""
    listed = ["nm", "--defined-only", "--extern-only", tmp_path / "own.o"]
    names = subprocess.run(listed, check=True, capture_output=True, text=True).stdout
    assert "kernel" in names and not [line for line in names.splitlines() if line[17] in "BDRGS"]


OWN = """
#include <cstdio>
#include <stdexcept>
#include <vector>
#include "shared.h"
inline int Shared::value() { return 2; }
inline int answer() { return 2; }
template <class T> inline T identity(T) { return 2; }
__device__ int d_value = 5;
__global__ void kernel(int* p) { *p = identity(1) + d_value; }
static std::vector<int> numbers(3, 7);
int student() {
  int* p;
  cudaMallocManaged(&p, sizeof(int));
  kernel<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  if (*p != 7 || answer() != 2 || Shared().value() != 2 || numbers[2] != 7) std::printf("lost\\n");
  cudaFree(p);
  throw Error("thrown");
}
"""
OURS = """
#include <cstdio>
#include <stdexcept>
#include "shared.h"
inline int Shared::value() { return 1; }
inline int answer() { return 1; }
template <class T> inline T identity(T) { return 1; }
int student();
int main() {
  try {
    student();
  } catch (const Error& error) {
    std::printf("%s\\n", error.what());
  }
  std::printf("%d %d %d\\n", answer(), identity(0), Shared().value());
}
"""
SHARED = """#pragma once
#include <stdexcept>
class Error : public std::runtime_error { public: using std::runtime_error::runtime_error; };
struct Shared { int value(); };
"""


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("first", ["own", "ours"])
def test_definitions_of_one_file_are_not_those_of_another(tmp_path, mode, first):
    (tmp_path / "shared.h").write_text(SHARED)
    assert compile_file(tmp_path, "own", OWN, mode, "--graded") == ""
    assert compile_file(tmp_path, "ours", OURS, mode) == ""
    objects = ["own.o", "ours.o"] if first == "own" else ["ours.o", "own.o"]
    link = [*CUDACC, *filter(None, [mode]), *objects, "-o", "program"]
    subprocess.run(link, cwd=tmp_path, check=True)
    done = subprocess.run(["./program"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "thrown\n1 1 1\n", done.stderr


@pytest.mark.parametrize("mode", MODES)
def test_a_variable_that_is_one_for_all_objects_is_the_objects_own(tmp_path, mode):
    shared = (
        "inline int shared = 0;\ninline int* place() {\n  static int own = 0;\n  return &own;\n}\n"
    )
    ours = "int* ours() { return &shared + (place() == nullptr); }\n"
    theirs = "int* ours();\nint main() { return ours() == &shared || place() == nullptr; }\n"
    assert compile_file(tmp_path, "ours", shared + ours, mode) == ""
    assert compile_file(tmp_path, "theirs", shared + theirs, mode, "--graded") == ""
    command = [*CUDACC, *filter(None, [mode]), "ours.o", "theirs.o", "-o", "program"]
    subprocess.run(command, cwd=tmp_path, check=True)
    subprocess.run(["./program"], cwd=tmp_path, check=True)


MADE = (
    "struct Four { int values[4]; };\n__device__ __noinline__ Four make(int a) { return {{a}}; }\n"
)
IN_PLACE = {
    "placement new": "new (out + threadIdx.x) Four(make(a));",
    "an element of an array": "new (&all[threadIdx.x]) Four(make(a));",
    "a variable": "new (&one) Four(make(a));",
    "by a pointer to a function": "Four (*f)(int) = a ? make : 0; new (out) Four(f(a));",
}


@pytest.mark.parametrize("mode", MODES[1:])
@pytest.mark.parametrize("statement", IN_PLACE.values(), ids=IN_PLACE)
def test_a_result_that_is_made_in_its_place_is_an_error(tmp_path, mode, statement):
    text = "#include <new>\n" + MADE + "__device__ Four all[32], one;\n"
    text += f"__global__ void kernel(Four* out, int a) {{\n  {statement}\n}}\n"
    text += "void call(Four* out) { kernel<<<1, 32>>>(out, 1); }\n"
    said = compile_file(tmp_path, "placed", text, mode, "--graded")
    assert "placed.cu:6:1: error: the structure that this call returns" in said


@pytest.mark.parametrize("mode", MODES[1:])
def test_what_is_initialised_once_may_be_made_in_its_place(tmp_path, mode):
    text = MADE.replace("__device__ ", "") + "Four whole = make(1);\n"
    text += "int part() {\n  static Four own = make(2);\n  return own.values[0];\n}\n"
    assert compile_file(tmp_path, "initialised", text, mode, "--graded") == ""
