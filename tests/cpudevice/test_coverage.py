"""The coverage page names all functions of the runtime API in the headers."""

from __future__ import annotations

import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "cpudevice"))

import coverage_page as page  # noqa: E402


def test_every_function_of_the_runtime_api_is_on_the_page() -> None:
    text = page.PAGE.read_text()
    there, absent = text[: text.index(page.ABSENT)], text[text.index(page.ABSENT) :]
    declared = page.runtime_names()
    assert {"cudaMalloc", "cudaLaunchKernel", "cudaMemcpyToSymbol"} <= declared
    missing = [name for name in declared if f"`{name}`" not in there]
    assert not missing, f"run cpudevice/coverage_page.py: {missing}"
    assert not [name for name in declared if f"`{name}`" in absent]
    for folder in (page.PROGRAMS, page.OF_LIBRARIES):
        programs = page.programs(folder)
        assert len(programs) > 30
        assert all(sentence and f"| `{name}` |" in text for name, sentence in programs)


def test_functions_that_macros_declare_are_named() -> None:
    of_matrices = page.library(*page.LIBRARIES["cuBLASXt"])
    assert {"cublasXt<l>gemm", "cublasXt<l>symm", "cublasXt<l>her2k"} <= set(of_matrices)
    assert not [
        name
        for where in page.LIBRARIES.values()
        for name in page.library(*where)
        if name.endswith("name")
    ]


def test_what_a_toolkit_has_more(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "cuda_runtime_api.h").write_text(
        "extern cudaError_t CUDARTAPI cudaMalloc(void** p, size_t n);\n"
        "// extern cudaError_t CUDARTAPI cudaInAComment(int x);\n"
        "extern cudaError_t CUDARTAPI cudaOfTomorrow_v2(int x);\n"
    )
    assert page.absent_from(tmp_path) == ["cudaOfTomorrow"]
