"""compile_commands.json: every source file is listed, and clang understands CUDA files."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from grader.build.compile_commands import (
    command,
    compile_commands,
    source_files,
    write_compile_commands,
)
from grader.course.load import assignment_names, load_assignment
from grader.course.resolve import directory, rungs

ROOT = Path(__file__).parents[3]
ASSIGNMENTS = [load_assignment(ROOT, name) for name in assignment_names(ROOT)]
PARTS = [(assignment, part) for assignment in ASSIGNMENTS for part in assignment.parts]


def test_every_source_file_has_an_entry():
    entries = json.loads(compile_commands(ROOT))
    files = [entry["file"] for entry in entries]
    assert len(set(files)) == len(files)
    assert {f"{assignment.name}/{part.name}.cu" for assignment, part in PARTS} <= set(files)
    for entry in entries:
        assert Path(entry["directory"]).is_absolute()
        assert (ROOT / entry["file"]).is_file()
        assert not entry["file"].startswith(("build", "/"))


def test_it_is_written_only_when_it_changes(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "a.cu").write_text("")
    assert write_compile_commands(tmp_path)
    assert not write_compile_commands(tmp_path)
    (tmp_path / "a" / "b.cu").write_text("")
    assert write_compile_commands(tmp_path)
    assert len(source_files(tmp_path)) == 2


@pytest.mark.skipif(shutil.which("clang++") is None, reason="clang++ is not installed")
@pytest.mark.parametrize("assignment, part", PARTS, ids=lambda x: x.name)
@pytest.mark.slow
def test_clang_understands_a_rung_of_every_part(assignment, part):
    rung = rungs(ROOT, assignment, part)[0]
    file = directory(ROOT, assignment, part, "ladder") / f"{rung}.cu"
    words = [*command(file.relative_to(ROOT), None), "-fsyntax-only"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:2000]
