"""What a student's object file may call and define, tried on objects of g++."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cpudevice.compiler.headers.folders import include_folders
from grader.build.object_check import ALLOWED as ALLOWED_NAMES
from grader.build.object_check import INTRINSICS, check_dependencies, check_object

ROOT = Path(__file__).parents[3]
ALLOWED = [
    "#include <cmath>\n#include <vector>\n#include <algorithm>\n"
    "float f(std::vector<float>& v) { std::sort(v.begin(), v.end()); return std::sin(v[0]); }",
    "#include <thread>\nvoid f() { std::thread([] {}).join(); }",
    "#include <mutex>\nstatic std::mutex m;\nvoid f() { std::lock_guard<std::mutex> l(m); }",
    "#include <shared_mutex>\nstatic std::shared_mutex m;\nvoid f() { std::shared_lock l(m); }",
    "#include <chrono>\n#include <condition_variable>\nstatic std::condition_variable c;\n"
    "void f(std::unique_lock<std::mutex>& l) { c.wait_for(l, std::chrono::seconds(1)); }",
    '#include <cstdio>\nvoid f() { std::printf("%d\\n", 1); }',
    "#include <cstdlib>\nvoid f() { std::free(std::malloc(3)); std::exit(1); }",
    'extern "C" int cudaMalloc(void**, unsigned long);\nvoid f() { cudaMalloc(nullptr, 1); }',
    "struct Cache { Cache(); ~Cache(); int* p; };\nCache::Cache() : p(new int) {}\n"
    "Cache::~Cache() { delete p; }\nint f() { static Cache c; return *c.p; }",
    'static int memcpy2() { return 1; }\nnamespace { extern "C++" int g() { return memcpy2(); } }\n'
    "int f() { return g(); }",
    "#include <cassert>\nvoid f(int n) { assert(n > 0); }",
]
FORBIDDEN = {
    '#include <cstdlib>\nchar* f() { return std::getenv("CUDACPU_PROFILE"); }': "calls getenv",
    "#include <unistd.h>\nlong f() { return syscall(39); }": "calls syscall",
    "#include <unistd.h>\nvoid f() { (void)!write(5, \"ok\", 2); }": "calls write",
    "#include <sys/mman.h>\nint f(void* p) { return mprotect(p, 1, 7); }": "calls mprotect",
    "#include <dlfcn.h>\nvoid* f() { return dlsym(nullptr, \"main\"); }": "calls dlsym",
    "#include <sys/ptrace.h>\nlong f() { return ptrace(PTRACE_TRACEME, 0, 0, 0); }": "calls ptrace",
    'extern "C" void cudacpu_profile_reset();\nvoid f() { cudacpu_profile_reset(); }':
        "calls cudacpu_profile_reset: the counters are the grader's",
    'extern "C" void cudacpu_profile_pause();\nvoid f() { cudacpu_profile_pause(); }':
        "calls cudacpu_profile_pause: the counters are the grader's",
    "namespace std { void fill_random(); }\nvoid fill_random(float*, long);\n"
    "void f() { fill_random(nullptr, 1); }": "calls fill_random",
    'extern "C" int cudaEventElapsedTime(float* ms, void*, void*) { *ms = 0; return 0; }':
        "defines cudaEventElapsedTime",
    'extern "C" void* memcpy(void* to, const void*, unsigned long) { return to; }':
        "defines memcpy",
    "int main() {}": "defines main",
    "#include <fstream>\nvoid f() { std::ofstream(\"/proc/self/mem\") << 1; }": "calls ",
    "#include <filesystem>\nbool f() { return std::filesystem::exists(\"/etc\"); }": "calls ",
    "#include <thread>\nvoid f() { std::thread([] {}).detach(); }": "calls std::thread::detach",
    "#include <locale>\nvoid f() { std::locale::global(std::locale(\"C\")); }": "calls std::locale",
    "#include <cstdlib>\n#include <new>\nvoid* operator new(std::size_t n) { return malloc(n); }":
        "defines operator new(unsigned long)",
    "#include <chrono>\nnamespace std::chrono { inline namespace _V2 {\n"
    "steady_clock::time_point steady_clock::now() noexcept { return {}; } } }":
        "defines std::chrono",
    "extern \"C\" { static void real() {} static void (*pick())() { return real; }\n"
    "void nanosleep() __attribute__((ifunc(\"pick\"))); }": "defines nanosleep",
    'extern "C" void __cudaPushCallConfiguration() {}': "defines __cudaPushCallConfiguration",
    'extern "C" int cuInit(unsigned);\nint f() { return cuInit(0); }':
        "calls cuInit: of CUDA's libraries, a student's file may call the runtime",
    'extern "C" int curandGenerateSeeds(void*);\nint f() { return curandGenerateSeeds(nullptr); }':
        "calls curandGenerateSeeds: of CUDA's libraries",
    "#include <csetjmp>\njmp_buf b;\nvoid f() { longjmp(b, 1); }": "calls longjmp",
    "#undef _FORTIFY_SOURCE\n#define _FORTIFY_SOURCE 2\n#include <csetjmp>\njmp_buf b;\n"
    "void f() { longjmp(b, 1); }": "calls longjmp",
    "#include <csignal>\nvoid f() { std::signal(14, SIG_IGN); }": "calls signal",
    "#include <fcntl.h>\nint f() { return open(\"/proc/self/maps\", O_RDONLY); }": "calls open",
}  # fmt: skip


def compiled(tmp_path: Path, text: str) -> Path:
    source = tmp_path / "student.cpp"
    source.write_text(text)
    subprocess.run(
        ["g++", "-std=c++17", "-O2", "-w", "-c", source, "-o", tmp_path / "student.o"], check=True
    )
    return tmp_path / "student.o"


@pytest.mark.parametrize("text", ALLOWED)
def test_allowed(tmp_path: Path, text: str) -> None:
    assert check_object(compiled(tmp_path, text)) is None


@pytest.mark.parametrize(("text", "words"), FORBIDDEN.items())
def test_forbidden(tmp_path: Path, text: str, words: str) -> None:
    offence = check_object(compiled(tmp_path, text))
    assert offence and offence.startswith(words) and offence.endswith(".")


@pytest.mark.parametrize("name", ["mbarriers", "barrier_bytes", "async_copies", "atomics"])
def test_what_the_devices_own_headers_call_is_allowed(tmp_path: Path, name: str) -> None:
    source, made = ROOT / f"tests/cpudevice/run/{name}.cu", tmp_path / "program.o"
    command = [ROOT / "cpudevice/cudacc", "--no-check", "-std=c++17", "-c", source, "-o", made]
    subprocess.run(command, check=True, timeout=120)
    listed = subprocess.run(["nm", "-uC", made], check=True, capture_output=True, text=True).stdout
    called = [line.removeprefix(" " * 17 + "U ") for line in listed.splitlines()]
    own = [call for call in called if call.startswith("cudacpu::")]
    assert own and [call for call in own if not ALLOWED_NAMES.fullmatch(call)] == []


def test_the_headers_of_cuda_std_are_no_library_of_algorithms(tmp_path: Path) -> None:
    """The names share code with Thrust's, which a student's file may not include."""
    names = {
        path.relative_to(include)
        for include in include_folders()
        for path in include.glob("cuda/**/*")
        if path.is_file()
    }
    (tmp_path / "student.cu").write_text("".join(f"#include <{name}>\n" for name in names))
    command = [sys.executable, ROOT / "cpudevice/cudacc", "-M", "student.cu"]
    listed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "cuda/std/complex" in listed.stdout
    (tmp_path / "student.d").write_text(listed.stdout)
    assert check_dependencies(tmp_path / "student.d") is None


def test_a_library_that_only_the_compiler_saw(tmp_path: Path) -> None:
    listed = tmp_path / "student.d"
    listed.write_text("student.o: /home/cub/student.cu \\\n /opt/cuda/include/cuda_runtime.h\n")
    assert check_dependencies(listed) is None
    listed.write_text("student.o: student.cu \\\n /opt/cuda/include/cccl/cub/cub.cuh\n")
    assert check_dependencies(listed).startswith("includes cub/cub.cuh")


@pytest.mark.parametrize("size", [0x9, 0xC, 0x14])
def test_a_function_of_any_size_is_seen(tmp_path: Path, size: int) -> None:
    name = "cudaEventElapsedTime"
    text = f".globl {name}\n.type {name}, @function\n{name}: .skip {size}\n.size {name}, {size}\n"
    assert "defines cudaEventElapsedTime" in check_object(assembled(tmp_path, text))


def test_a_name_with_a_blank_is_not_allowed(tmp_path: Path) -> None:
    assert "sin U x" in check_object(assembled(tmp_path, 'call "sin U x"\n'))


def test_a_name_of_another_language_is_a_name(tmp_path: Path) -> None:
    """Demangled as a name of Rust, the name contains the end of a line."""
    text = ".globl _RNvC1au2fa\n_RNvC1au2fa: ret\n"
    assert "defines _RNvC1au2fa" in check_object(assembled(tmp_path, text))


@pytest.mark.parametrize("mode", [[], ["--sanitize"], ["--profile"]], ids=str)
def test_intrinsics_are_allowed_however_they_are_compiled(tmp_path: Path, mode: list[str]) -> None:
    two_arguments = {"__powf": "__powf(x, x)", "__sincosf": "(__sincosf(x, &s, &c), s + c)"}
    calls = " + ".join(two_arguments.get(name, f"{name}(x)") for name in INTRINSICS.split())
    (tmp_path / "student.cu").write_text(
        "#include <cuda_runtime.h>\n__global__ void f_kernel(float* p) {\n  float x = *p, s, c;\n"
        f"  *p = {calls};\n}}\n"
    )
    command = [sys.executable, ROOT / "cpudevice/cudacc", *mode, "-O2", "-c", "student.cu"]
    subprocess.run([*command, "-o", "student.o"], cwd=tmp_path, check=True)
    assert check_object(tmp_path / "student.o") is None


def assembled(tmp_path: Path, text: str) -> Path:
    (tmp_path / "student.s").write_text(text)
    subprocess.run(["as", "student.s", "-o", "student.o"], cwd=tmp_path, check=True)
    return tmp_path / "student.o"
