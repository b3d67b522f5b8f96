"""`make gradescope`: build/gradescope.zip, to be uploaded as an assignment's autograder.

Gradescope unpacks the zip to /autograder/source, runs setup.sh when the image is made, and
run_autograder for each submission. Source: Gradescope documentation, "Autograder Specifications".
"""

import io
import json
import zipfile
from pathlib import Path

from cpudevice.model.profile import FIELDS
from grader.base.errors import UsageError
from grader.base.files import write_whole
from grader.course.declare import Assignment
from instructor.batch.course import course_files
from instructor.batch.enclose import HOME
from instructor.gradescope.run import OPTIONS

WHEN = (2000, 1, 1, 0, 0, 0)  # the same course makes the same bytes

SETUP = """#!/usr/bin/env bash
# Makes the image: installs what grading needs, builds the course, and proves that it grades.
set -e
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends make
cd "${AUTOGRADER:-/autograder}/source/course"
grader/setup.sh
PYTHONPATH=. "$(cat build/setup/python)" -m instructor.gradescope.run prepare
"""
RUN = """#!/usr/bin/env bash
# Grades /autograder/submission and leaves /autograder/results/results.json.
cd "${AUTOGRADER:-/autograder}/source/course" || exit 2
PYTHONPATH=. exec "$(cat build/setup/python)" -m instructor.gradescope.run grade
"""


def make_package(
    root: Path, assignments: list[Assignment], device: str, model: str
) -> tuple[Path, int]:
    """Writes the zip; returns its path and the number of its files."""
    if device not in ("", "cpu"):
        raise UsageError("Gradescope's containers have no GPU: DEVICE is cpu there.")
    options = {"only": [one.name for one in assignments], "device": "cpu", "model": model}
    files = {
        "setup.sh": SETUP.encode(),
        "run_autograder": RUN.encode(),
        f"course/{OPTIONS}": json.dumps(options).encode(),
    }
    for path in course_files(root, assignments, "cpu"):
        files[f"course/{path}"] = (root / path).read_bytes()
    # The code of the running grader, which need not be inside the course.
    cpudevice = HOME / "cpudevice"
    folders = [HOME / "grader", HOME / "instructor", cpudevice / "compiler", cpudevice / "model"]
    own = [path for folder in folders for path in folder.rglob("*")]
    for path in sorted([*own, FIELDS]):
        if path.is_file() and "__pycache__" not in path.parts:
            files[f"course/{path.relative_to(HOME)}"] = path.read_bytes()
    executable = {"setup.sh", "run_autograder", "course/grader/setup.sh", "course/cpudevice/cudacc"}
    target = root / "build" / "gradescope.zip"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(name, WHEN)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (0o100755 if name in executable else 0o100644) << 16
            package.writestr(info, data)
    write_whole(target, packed.getvalue())
    return target, len(files)
