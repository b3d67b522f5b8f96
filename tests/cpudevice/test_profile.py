"""cudacc --profile against known answers.

Each program of profile/ says in comments what is to be counted: behind a line of code for that line
(`// global_load: requests=1 sectors=4`, `// special: count=2`), before a kernel for the whole of it
(`// kernel copy: warps=2`), and for all that the host did by one name (`// host memset: times=1
bytes=4`). A value may be preceded by < or > in place of =.

The programs of profile/stops/ do what a GPU does not allow. They say what stands on stderr then
(`// stops: file.cu:9: the host reads`), and with which status they end (0 unless `// status:`);
`// environment: NAME=value` is set.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from device_profiles import HERE, ROOT, build_and_profile, check_counts, check_stops

PROGRAMS = sorted((ROOT / "tests" / "cpudevice" / "profile").glob("*.cu"))
STOPPED = sorted((ROOT / "tests" / "cpudevice" / "profile" / "stops").glob("*.cu"))


@pytest.fixture(scope="module", params=PROGRAMS, ids=lambda path: path.stem)
def profiled(request, tmp_path_factory) -> tuple[Path, dict]:
    source: Path = request.param
    return source, build_and_profile(source, tmp_path_factory.mktemp(source.stem))


def test_counts(profiled: tuple[Path, dict]) -> None:
    check_counts(*profiled)


@pytest.mark.parametrize("source", STOPPED, ids=lambda path: path.stem)
def test_stops(source: Path, tmp_path: Path) -> None:
    check_stops(source, HERE, tmp_path)
