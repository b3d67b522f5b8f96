"""What a copy takes right after device memory was freed: runs freed_memory.cu on a GPU.

python3 docs/figures/freed_memory.py, then python3 docs/figures/tables.py
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from harness.figures.page_tables import store  # noqa: E402
from harness.figures.programs import NATIVE, compile_programs, run_json  # noqa: E402


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "freed_memory"
        words = [*NATIVE["gpu"], "docs/figures/freed_memory.cu"]
        compile_programs("gpu", "docs", {program: words})
        store(HERE / "measured.json", "freed_memory", run_json(program))


if __name__ == "__main__":
    main()
