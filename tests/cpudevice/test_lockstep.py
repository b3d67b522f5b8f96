"""Tests of compiler/lockstep: which kernels become loops over the threads, and which must not.

Also tests how the time of the translator grows with a large table.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from device_programs import cudacc, run

from cpudevice.compiler.tokens import Tokens
from cpudevice.compiler.translate import translate

ROOT = Path(__file__).resolve().parents[2]

IN_LOCKSTEP = "bool in_lockstep() { return true; }"
SHARED = "__shared__ int s[64]; int t = threadIdx.x; "

TAKEN = {
    "one barrier": SHARED + "s[t] = x[t]; __syncthreads(); x[t] = s[63 - t];",
    "a loop": SHARED + "for (int i = 1; i < n; i *= 2) { __syncthreads(); s[t] += s[t ^ i]; }",
    "a condition": SHARED + "if (n > 3 && blockIdx.x == 0) { __syncthreads(); } x[t] = s[t];",
    "a loop within a loop": SHARED
    + "for (int k = 2; k <= n; k *= 2) { for (int j = k / 2; j > 0; j /= 2) "
    + "{ __syncthreads(); if (t & j) continue; s[t] = s[t ^ j]; } }",
    "the block returns": SHARED + "if (n == 0) return; __syncthreads(); x[t] = s[t];",
    "a return behind all barriers": SHARED + "__syncthreads(); if (t > n) return; x[t] = s[t];",
    "deduced types": "__shared__ int s[64]; const auto t = threadIdx.x + 1u; "
    "auto i = t * 2, j = i; s[t] = j; __syncthreads(); auto next = s[i % 64] + t; "
    "__syncthreads(); x[t] = next + j;",
    "threads disagree about a condition": SHARED + "if (t < n) { __syncthreads(); } x[t] = s[t];",
    "all of it under a condition": SHARED + "int v = n - t; if (v > 0) { int k = 0; s[t] = v; "
    "for (; k < n; ++k) { __syncthreads(); v += s[63 - t]; } x[t] = v; } else { x[t] = n; }",
    "an argument that each thread changes": SHARED + "n += t; __syncthreads(); x[n] = s[t];",
    "a pointer that each thread moves": SHARED + "x += t; __syncthreads(); *x = s[t]; x++;",
    "a result behind a pointer under a condition": SHARED
    + "for (int* p = x; p < x + n; ++p) { __syncthreads(); if (t == 0) *p = s[t]; }",
    "a return before a barrier": SHARED + "if (t > n) return; __syncthreads(); x[t] = s[t];",
    "a return in a loop": SHARED
    + "for (int i = 0; i < n; ++i) { __syncthreads(); if (s[t]) return; } x[t] = 1;",
    "a function that does not wait": SHARED + "__syncthreads(); x[t] = twice(s[t]);",
    "an atomic whose result is not used": SHARED + "__syncthreads(); atomicAdd(&x[0], s[t]);",
    "an atomic under a condition": SHARED
    + "__syncthreads(); if (t == 0) atomicAdd(&x[0], s[t]); else (void)atomicMax(x, 3);",
    "an atomic whose result is used once": SHARED
    + "int place = atomicAdd(&x[0], 1); __syncthreads(); if (place < n) x[place] = s[t];",
    "an atomic whose result is used in a loop that counts": SHARED + "__syncthreads(); "
    "for (int i = t; i < n; i += 32) { if (atomicCAS(&x[i], 0, 1) == 0) s[t] = i; }",
    "a fence": SHARED + "x[t] = 1; __threadfence(); __syncthreads(); x[t] = s[t];",
    "intrinsic functions": SHARED + "__syncthreads(); x[t] = __umul24(s[t], 3) + __fadd_rn(1, n);",
    "a pointer that is kept, to memory": SHARED
    + "int v[2] = {t, t}; int* p = x + t; v[1] = 0; __syncthreads(); *p = v[0];",
    "a pointer that is not kept": SHARED
    + "__syncthreads(); int v[2] = {}; int* p = v; p[0] = s[t]; x[t] = v[0];",
    "a pointer to an array that is kept": SHARED
    + "int v[2] = {}; __syncthreads(); int* p = v; p[0] = s[t]; __syncthreads(); x[t] = v[0];",
    "a hidden name": SHARED
    + "int i = t; __syncthreads(); { int j = i, i = n; __syncthreads(); x[t] = i + j; } x[t] += i;",
    "a variable beside a shared one of its name": SHARED
    + "int i = t; __syncthreads(); { __shared__ int i; i = 1; __syncthreads(); x[t] = i; } "
    + "x[t] += i;",
    "an array of constants": SHARED
    + "constexpr int w[2] = {1, 2}; s[t] = t; __syncthreads(); x[t] = w[t % 2];",
    "a class that holds values": SHARED
    + "int v = s[t]; Row row = {{v, v}}; __syncthreads(); x[t] = row.v[0] + v;",
    "a function of CUDA's in the heads": SHARED
    + "for (int i = 0; i < min(n, 4); ++i) { __syncthreads(); x[t] = max(s[t], i); }",
    "a loop of each thread": SHARED + "__syncthreads(); for (int i = 0; i < t; ++i) x[t] += s[i];",
}

# Kernels without a barrier, whose threads take turns in loops.
SUM = "int t = threadIdx.x, s = 0; "
ADDS = "for (int i = 0; i < n; ++i) s += x[i * n]; "
TAKEN |= {
    "a loop through memory": SUM + ADDS + "x[t] = s;",
    "loops in conditions": SUM + "if (t < n) { " + ADDS + "} else { s = 1; " + ADDS + "} x[t] = s;",
    "a loop in a loop": SUM + "for (int j = t; j < 3; ++j) { int k = j; " + ADDS + "s += k; }",
    "threads that end before": SUM + "if (t >= n) return; " + ADDS + "x[t] = s;",
    "a loop of many rounds": SUM + "for (int i = 0; i < 100; ++i) s += x[i * 2]; x[t] = s;",
    "a pointer that moves": SUM + "int* p = x + t; while (p < x + n) { s += p[0]; p += 32; }",
    "a constant": SUM + "const int k = 4; for (int i = k; i < n; ++i) { int v[k]; v[0] = x[i * k]; "
    "s += v[0]; } x[t] = s;",
    "a shared array without a barrier": SHARED + "int v = 0; while (v < n) v += s[v]; x[t] = v;",
    "an atomic in a loop": SUM + "for (int i = 0; i < n; ++i) { s += x[i % 9]; atomicAdd(x, 1); }",
    "a loop over a range beside another": SUM + "for (int i : {1, 2}) s += i; " + ADDS,
    "deduced types before a loop": SUM
    + "auto v = x[n]; const auto w = v * 2u; "
    + ADDS
    + "x[t] = w + s;",
    "a result behind a pointer": SUM + ADDS + "*x = s;",
    "a loop with long steps": SUM + "for (int i = t; i < n; i += 32) s += x[i]; x[t] = s;",
    "a loop down a column of an array": SUM + "__shared__ int v[9][9]; "
    "for (int i = 0; i < n; ++i) s += v[i][t]; x[t] = s;",
    "a loop that computes its place": SUM
    + "for (int i = 0; i < n; ++i) { int k = i * n; s += x[k]; } "
    "x[t] = s;",
}

LEFT = {
    "a loop of few rounds": SUM + "for (int i = 0; i < 64; ++i) s += x[i * n]; x[t] = s;",
    "a loop along a row": SUM + "for (int i = 0; i < n; ++i) s += x[t * n + i]; x[t] = s;",
    "a loop that goes back along a row": SUM + "for (int i = n; i--;) s += x[n - i - 1]; x[t] = s;",
    "a loop along a row of an array": SUM + "__shared__ int v[9][9]; "
    "for (int i = 0; i < n; ++i) s += v[t][i]; x[t] = s;",
    "a pointer along a row": SUM + "for (int* p = x + t * n; p != x; ++p) s += p[0]; x[t] = s;",
    "a search that halves a range": SUM + "int l = 0, r = n; while (l < r) { int m = (l + r) / 2; "
    "if (x[m] < t) l = m + 1; else r = m; } x[t] = l;",
    "a loop over places that an array holds": SUM
    + "for (int i = 0; i < n; ++i) { int k = x[i]; s += x[k]; } x[t] = s;",
    "a loop that reads one element": SUM + "for (int i = 0; i < n; ++i) s += x[t]; x[t] = s;",
    "a loop without end": SUM + "for (int i = 0;; ++i) { if (x[i * n]) break; }",
    "an argument that changes before a loop": SUM + "x += 2; " + ADDS + "x[t] = s;",
    "an argument that counts": SUM + "while (n > 0) { s += x[n * 2]; --n; }",
    "a kernel that prints": SUM + ADDS + 'printf("%d", s);',
    "a loop with a shuffle": SUM
    + "for (int i = 0; i < n; ++i) s += __shfl_sync(~0u, x[i * n], 0);",
    "a pointer to a variable of a loop": SUM + "int* p = &s; " + ADDS + "x[t] = *p;",
    "a pointer to an array before a loop": SUM
    + "int v[2] = {}; int* p = v; "
    + ADDS
    + "x[t] = *p;",
    "an array whose first values have an effect": SUM
    + "int v[2] = {s++, 1}; "
    + ADDS
    + "x[t] = v[0] + s;",
    "a shared array in a condition before a loop": SUM
    + "if (n) { __shared__ int v[4]; atomicAdd(&v[0], 1); } "
    + ADDS
    + "x[t] = s;",
    "a reference before a loop": SUM + "int& r = x[t]; " + ADDS + "r = s;",
    "a class before a loop": SUM + "Two two = {t, n}; " + ADDS + "x[t] = two.a + s;",
    "a loop that is unrolled": SUM + "\n#pragma unroll\n" + ADDS + "x[t] = s;",
    "a pointer of a deduced type before a loop": SUM + "auto* v = x; " + ADDS + "x[t] = v[0] + s;",
    "a size that a constant of the kernel states": SUM
    + "constexpr int k = 4; int v[k] = {}; "
    + ADDS
    + "x[t] = s + v[0];",
    "a size that a variable states": SUM + "int k = 4; int v[k]; " + ADDS + "x[t] = s + v[0];",
    "two variables of one name": SUM + "{ int s = 1; " + ADDS + "x[t] = s; } x[t] += s;",
    "more variables than a loop may keep": "".join(f"int v{i} = n; " for i in range(30))
    + SUM
    + ADDS
    + "x[t] = s + v0;",
    "a condition that declares": SUM + "if (int v = x[t]; v > 1) { " + ADDS + "}",
    "a condition of the compiler's": SUM + "if constexpr (sizeof(n) == 4) { " + ADDS + "}",
    "a loop over a range": SUM + "int v[2] = {}; for (int i : v) { s += x[i]; }",
    "no barrier": "x[threadIdx.x] = n;",
    "threads disagree before a barrier": SHARED
    + "if (t < n) { __syncthreads(); } __syncthreads(); x[t] = s[t];",
    "threads disagree in a loop": SHARED
    + "for (int i = 0; i < n; ++i) { if (t < n) { __syncthreads(); } }",
    "threads disagree where both meet": SHARED
    + "if (t < n) { __syncthreads(); } else { __syncthreads(); } x[t] = s[t];",
    "threads disagree about one of two conditions": SHARED
    + "if (n > 3) { __syncthreads(); } else if (t < n) { __syncthreads(); }",
    "some of the threads leave": SHARED + "if (t < n) { __syncthreads(); return; } x[t] = s[t];",
    "a variable that some threads change": SHARED
    + "int k = 0; if (t < n) { k = 1; __syncthreads(); } "
    "for (int i = 0; i < k; ++i) { __syncthreads(); }",
    "threads disagree about a loop": SHARED + "for (int i = t; i < n; ++i) { __syncthreads(); }",
    "a variable that only seems uniform": SHARED
    + "int k = n; if (t == 3) k = 2; for (int i = 0; i < k; ++i) { __syncthreads(); }",
    "one that a pointer changes": SHARED
    + "int k = n; int* p = &k; *p = t; for (int i = 0; i < k; ++i) { __syncthreads(); }",
    "one that a reference changes": SHARED
    + "int k = n; int& r = k; r = t; for (int i = 0; i < k; ++i) { __syncthreads(); }",
    "one that a function changes": SHARED
    + "int k = n; change(k); for (int i = 0; i < k; ++i) { __syncthreads(); }",
    "one that a function moves, which points at const": SHARED
    + "const int* p = x; move(p); for (; p == x;) { __syncthreads(); }",
    "one that is changed in parentheses": SHARED
    + "int k = n; if (t) (k) = 2; for (int i = 0; i < k; ++i) { __syncthreads(); }",
    "one of two that are chosen from": SHARED
    + "int k = n, m = n; (t ? k : m) = 2; for (int i = 0; i < k; ++i) { __syncthreads(); }",
    "one that is counted in parentheses": SHARED
    + "int k = n; ++(k); for (int i = 0; i < k; ++i) { __syncthreads(); }",
    "one that depends on memory": SHARED
    + "int k = x[0]; for (int i = 0; i < k; ++i) { __syncthreads(); }",
    "one that depends on another in the next round": SHARED
    + "int k = n, m = n; while (k > 0) { __syncthreads(); k = m - 1; m = t; }",
    "one that depends on a shared variable": "__shared__ int m; if (threadIdx.x == 0) m = n; "
    + "__syncthreads(); for (int i = 0; i < m; ++i) { __syncthreads(); }",
    "a variable of the device": SHARED + "for (int i = 0; i < rounds; ++i) { __syncthreads(); }",
    "threads leave a loop": SHARED
    + "for (int i = 0; i < n; ++i) { __syncthreads(); if (t) break; }",
    "a function with a barrier": SHARED + "__syncthreads(); meets(); x[t] = s[t];",
    "an argument that each thread changes decides": SHARED
    + "n += t; for (int i = 0; i < n; ++i) { __syncthreads(); }",
    "an argument that moves behind a pointer": SHARED
    + "x += t; int** p = &x; *p += 1; while (x) { __syncthreads(); --x; }",
    "a shuffle": SHARED + "__syncthreads(); x[t] = __shfl_down_sync(~0u, s[t], 1);",
    "an unknown function": SHARED + "__syncthreads(); unknown(x); x[t] = s[t];",
    "an atomic whose result is used": SHARED
    + "__syncthreads(); while (atomicCAS(x, 0, 1)) { } x[t] = s[t];",
    "an atomic that decides about a round": SHARED + "__syncthreads(); "
    "for (bool mine = false; !mine;) { mine = atomicCAS(x, 0, 1) == 0; } x[t] = s[t];",
    "an atomic in a loop that begins again": SHARED + "__syncthreads(); "
    "for (int i = 0; i < n; ++i) { if (atomicCAS(x, 0, 1)) i = 0; } x[t] = s[t];",
    "an atomic in a loop to a memory's end": SHARED + "__syncthreads(); "
    "for (int i = 0; i < x[0]; ++i) { x[i] = atomicAdd(x, 1); }",
    "an atomic in a function whose result is used": SHARED
    + "__syncthreads(); while (!takes(x)) { } x[t] = s[t];",
    "a fence in a loop that asks": SHARED
    + "__syncthreads(); while (x[0] == 0) __threadfence(); x[t] = s[t];",
    "a volatile variable": SHARED + "volatile int* v = x; __syncthreads(); while (!*v) { }",
    "one of the file": SHARED + "__syncthreads(); while (!flag) { }",
    "a function's volatile argument": SHARED + "__syncthreads(); reduce(s); x[t] = s[t];",
    "code of one side only": SHARED
    + "__syncthreads(); __cudacpu_on_device s[t] = 1; __cudacpu_end_on_device",
    "a vote at the barrier": SHARED + "if (__syncthreads_or(t == n)) { __syncthreads(); }",
    "a barrier in an expression": SHARED + "t ? __syncthreads() : (void)0; __syncthreads();",
    "a lambda": SHARED + "__syncthreads(); auto f = [&] { return s[t]; }; x[t] = f();",
    "a switch": SHARED + "switch (n) { case 0: __syncthreads(); }",
    "a reference that is kept": SHARED + "int& mine = s[t]; __syncthreads(); x[t] = mine;",
    "a pointer that is kept, to a variable": SHARED
    + "int v = s[t]; int* p = &v; __syncthreads(); x[t] = *p;",
    "a pointer that is kept, to an array": SHARED
    + "int v[2] = {}; int* p = v; __syncthreads(); x[t] = *p;",
    "a pointer that is kept, to a row of an array": SHARED
    + "int v[2][2] = {}; int* p = v[1]; __syncthreads(); x[t] = *p;",
    "a pointer that is kept, to an array in a class": SHARED
    + "Row row = {}; int* p; p = row.v; __syncthreads(); x[t] = *p;",
    "a pointer that is kept, in an array": SHARED
    + "int m[2][2] = {}; int* p[2]; p[0] = m[1]; __syncthreads(); x[t] = p[0][0];",
    "a pointer that is kept, in a class": SHARED
    + "int m[2][2] = {}; Pointer r; r.p = m[1]; __syncthreads(); x[t] = r.p[0];",
    "a pointer of a type with a name of its own": SHARED
    + "int m[2][2] = {}; Address p = m[1]; __syncthreads(); x[t] = p[0];",
    "a reference that is kept, in a class": SHARED
    + "int v = s[t]; Reference r{v}; __syncthreads(); x[t] = r.v;",
    "an address that a function returns": SHARED
    + "int v = s[t]; int* p = address(v); __syncthreads(); x[t] = *p;",
    "an address that a function stores": SHARED
    + "int v = s[t]; int* p; store(p, v); __syncthreads(); x[t] = *p;",
    "a pointer to an array": "__shared__ int s[8][8]; int (*p)[8] = s; __syncthreads(); "
    + "x[0] = p[0][0];",
    "several names for one value": SHARED
    + "auto [a, b] = Two{t, n}; __syncthreads(); x[t] = a + b;",
    "a type that is deduced": SHARED + "decltype(n) v = t; __syncthreads(); x[t] = v;",
    "more variables than may be kept": SHARED
    + " ".join(f"int v{i} = t;" for i in range(30))
    + " __syncthreads(); x[t] = "
    + " + ".join(f"v{i}" for i in range(30))
    + ";",
    "a parameter by a name of CUDA's": SHARED + "__syncthreads(); x[t] = apply(s[t], meets);",
    "one's own function by a name of CUDA's": SHARED + "__syncthreads(); x[t] = mine::exp(s[t]);",
    "a type deduced from a variable that is not kept": SHARED
    + "int v = s[t]; auto mine = v; __syncthreads(); x[t] = mine;",
    "a deduced type that may hold a reference": SHARED
    + "int v = s[t]; auto r = Reference{v}; __syncthreads(); x[t] = r.v + v;",
    "a deduced type that may hold an address": SHARED
    + "int v[2] = {}; auto p = v; __syncthreads(); x[t] = p[0] + v[1];",
    "a deduced reference": SHARED + "auto& mine = s[t]; __syncthreads(); x[t] = mine;",
}

FILE = """# 1 "kernel.cu"
__device__ int rounds;
__device__ volatile int flag;
__device__ int twice(int x) {{ return 2 * x; }}
__device__ void change(int& x) {{ x = threadIdx.x; }}
__device__ void move(const int*& p) {{ p += threadIdx.x; }}
__device__ void reduce(volatile int* s) {{ s[threadIdx.x] += s[threadIdx.x ^ 1]; }}
__device__ void meets() {{ __syncthreads(); }}
__device__ int takes(int* lock) {{ return atomicCAS(lock, 0, 1) == 0; }}
struct Row {{ int v[2]; }};
struct Two {{ int a, b; }};
struct Pointer {{ int* p; }};
struct Reference {{ int& v; }};
using Address = int*;
__device__ int* address(int& v) {{ return &v; }}
__device__ void store(int*& p, int& v) {{ p = &v; }}
template <class Max> __device__ int apply(int v, Max max) {{ return max(v); }}
namespace mine {{ __device__ int exp(int v) {{ __syncthreads(); return v; }} }}
{before}
__global__ void kernel({x} x, int n) {{ {body} }}
"""


def is_taken(body: str, before: str = "", lockstep: bool = True, x: str = "int*") -> bool:
    text = translate(FILE.format(body=body, before=before, x=x), lockstep=lockstep)
    assert ("each_thread(" in text) == (IN_LOCKSTEP in text)
    # The kernel's array has the name of a volatile parameter of `reduce`, but is an ordinary array.
    assert "warp_step" not in text.rpartition(" kernel(")[2] or "volatile" in body
    return IN_LOCKSTEP in text


@pytest.mark.parametrize("what", TAKEN)
def test_a_kernel_runs_in_lockstep(what: str) -> None:
    assert is_taken(TAKEN[what])


@pytest.mark.parametrize("what", LEFT)
def test_a_kernel_runs_on_fibers(what: str) -> None:
    assert not is_taken(LEFT[what])


def test_a_pointer_may_be_constant_or_of_a_type_with_a_name() -> None:
    assert is_taken(TAKEN["one barrier"], x="int* const")
    assert is_taken(TAKEN["one barrier"], x="int* const __restrict__")
    assert is_taken(TAKEN["one barrier"], x="Address")
    assert is_taken(TAKEN["one barrier"], "typedef int* __restrict__ Out;", x="const Out")
    # What an object of a class does in the brackets is not known.
    assert not is_taken(TAKEN["one barrier"], "struct Out { int& operator[](int); };", x="Out")


def test_only_run_mode_asks_for_it() -> None:
    assert not is_taken(TAKEN["one barrier"], lockstep=False)


@pytest.mark.parametrize(
    "before",
    [
        "struct Turn { __device__ Turn() { __syncthreads(); } };",
        "struct Turn { __device__ Turn() { meets(); } };",
        "__device__ int operator+(Turn, Turn) { meets(); return 0; }",
        "struct Index { int i; __device__ Index() : i(threadIdx.x) {} };",
        "struct Counter { int i; __device__ Counter(int& n) : i(n++) {} };",
        "struct Sum { int i; __device__ void operator+=(int& n) { i += n++; } };",
        "struct Token { int i; __device__ operator int() { return i++; } };",
        "__device__ int operator<<(Two& two, int n) { return two.a += n; }",
    ],
)
def test_code_that_is_called_without_a_name_may_be_of_one_thread(before: str) -> None:
    assert not is_taken(TAKEN["one barrier"], before)


def test_a_class_that_does_not_wait_is_no_hindrance() -> None:
    assert is_taken(TAKEN["one barrier"], "struct Pair { int a, b; int sum() { return a + b; } };")


def test_operators_that_change_what_they_assign_to_are_no_hindrance() -> None:
    before = (
        "__device__ Two& operator+=(Two& a, const Two& b) { a.a += b.a; return a; }"
        "struct Vector { int v; __device__ int& operator[](int) { return v; }"
        " __device__ int operator-(const Vector& b) const { return v - b.v; } };"
    )
    assert is_taken(TAKEN["one barrier"], before)


@pytest.mark.parametrize("name", ["min", "max"])
def test_a_name_of_cuda_may_be_the_files_own(name: str) -> None:
    """The file's own function may wait, or give each thread another result."""
    call = SHARED + f"__syncthreads(); x[t] = {name}(s[t], 3);"
    head = SHARED + f"for (int i = 0; i < {name}(n, 3); ++i) {{ __syncthreads(); x[t] = s[t]; }}"
    waits = f"__device__ int {name}(int a, int b) {{ meets(); return a; }}"
    differs = f"__device__ int {name}(int a, int b) {{ return a + threadIdx.x; }}"
    in_class = f"struct Own {{ int {name}; __device__ void f(int {name}) {{}} }};"
    assert not is_taken(call, waits)
    assert not is_taken(head, differs)
    assert is_taken(call, differs)
    assert is_taken(call, in_class) and is_taken(head, in_class)
    assert not is_taken(call, f"extern __device__ int {name}(int, int);")


POLLS = {
    "while (x[0] == 0);": True,
    "while (x[0] == 0) { }": True,
    "do { } while (x[0] == 0);": True,
    "{ n = 1; } while (x[0] == 0);": True,
    "do { n = 1; } while (x[0] == 0);": False,
    "while (x[n++] == 0);": False,
    "while (x[0] == 0) { n = 1; }": False,
}


@pytest.mark.parametrize("loop", POLLS)
def test_a_loop_that_only_asks_lets_others_run(loop: str) -> None:
    text = translate(FILE.format(body=loop, before="", x="volatile int*"))
    assert ("while (::cudacpu::note_poll(), x[0] == 0)" in text) == POLLS[loop]
    on_host = f'# 1 "host.cu"\nvoid wait(volatile int* x, int n) {{ {loop} }}'
    assert "note_poll" not in translate(on_host)


@pytest.mark.parametrize("program", ["lockstep", "lockstep_tiles", "turns_in_loops"])
def test_all_kernels_of_the_program_that_is_run(program: str) -> None:
    """The program compares results; the test makes sure that all kernels run in lock-step."""
    source = ROOT / "tests" / "cpudevice" / "run" / f"{program}.cu"
    command = ["g++", "-E", "-P", "-xc++", "-"]
    # Headers of CUDA are none of the kernels'.
    own = "".join(line for line in source.open() if not line.startswith("#include"))
    done = subprocess.run(command, input=own, text=True, capture_output=True, check=True)
    text = translate(f'# 1 "{source}"\n{done.stdout}', lockstep=True)
    assert text.count(IN_LOCKSTEP) == done.stdout.count("__global__") > 0


def test_a_file_that_is_compiled_again_without_lockstep_says_so(tmp_path: Path) -> None:
    """The test of each program expects no message, so that no program is compiled twice."""
    source = tmp_path / "twice.cu"
    source.write_text(
        "struct Copied { int i; __device__ Copied(int i) : i(i) {}"
        " __device__ Copied(const Copied& other) : i(other.i) {} };\n"
        "__global__ void kernel(int* x) { __shared__ int s[32]; Copied mine{x[threadIdx.x]};\n"
        "  s[threadIdx.x] = mine.i; __syncthreads(); x[threadIdx.x] = mine.i + s[0]; }\n"
    )
    done = cudacc("-c", source, "-o", tmp_path / "twice.o")
    assert done.returncode == 0
    assert "twice.cu: note: this file's kernels run without lock-step" in done.stderr
    assert "error: " in done.stderr


def test_arrays_that_are_too_large_for_lockstep_are_no_mistake(tmp_path: Path) -> None:
    source = tmp_path / "large.cu"
    source.write_text(
        "__global__ void kernel(int* x) { int mine[4000]; __shared__ int s[32];\n"
        "  for (int i = 0; i < 4000; ++i) mine[i] = x[i]; __syncthreads();\n"
        "  s[threadIdx.x] = mine[x[threadIdx.x]]; __syncthreads(); x[threadIdx.x] = s[0]; }\n"
    )
    done = cudacc("-c", source, "-o", tmp_path / "large.o")
    assert done.returncode == 0
    assert done.stderr == ""


ENDLESS = """__global__ void endless(int* x, int n) {
  long a = n, b = a + 1, c = b + 1, d = c + 1, e = d + 1, f = e + 1, g = f + 1;
  for (int i = 0; i != x[300]; i ^= 1)
    x[i] = a + b + c + d + e + f + g;
}
int main() {
  for (int k = 0; k < 64; ++k) {
    int* x;
    cudaMallocManaged(&x, 2048);
    x[300] = -1;
    endless<<<1, 256>>>(x, k);
    cudaDeviceReset();
  }
}
"""


def test_a_launch_is_stopped_in_the_loop(tmp_path: Path) -> None:
    """Keeping and restoring the variables takes about as long as the rounds of a turn.

    The report may name these lines at most twice, since compilers move instructions.
    """
    source = tmp_path / "endless.cu"
    source.write_text(ENDLESS)
    assert cudacc(source, "-o", tmp_path / "endless").stderr == ""
    stopped = run(tmp_path / "endless", CUDACPU_TIMEOUT="0.02").stderr
    in_loop = sum(stopped.count(f"endless.cu:{line}: stopped") for line in (3, 4))
    assert stopped.count("endless.cu:") == 64 and in_loop >= 62, stopped


def tokens_read(rows: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Counts the looks at tokens while a table of `rows` rows is translated."""
    looks = 0
    text = Tokens.text

    def counted(self: Tokens, position: int) -> str:
        nonlocal looks
        looks += 1
        return text(self, position)

    table = "const unsigned table[][2] = {" + "{1, 2}, " * rows + "};\n"
    with monkeypatch.context() as patch:
        patch.setattr(Tokens, "text", counted)
        translated = translate(f'# 1 "table.cu"\n{table}__global__ void k(int* x) {{ *x = 1; }}\n')
    assert translated.count("{1, 2}") == rows
    return looks


def test_a_table_costs_as_much_as_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = (tokens_read(rows, monkeypatch) for rows in (100, 1000))
    assert many < 11 * few
