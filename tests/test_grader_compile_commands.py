"""compile_commands.json: every source file is in it, and clang understands the student's."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from grader.compile_commands import command, compile_commands, source_files, write_compile_commands
from grader.load import assignment_names, load_assignment

ROOT = Path(__file__).parents[1]
STUDENT_FILES = [
    Path(name, f"{part.name}.cu")
    for name in assignment_names(ROOT)
    for part in load_assignment(ROOT, name).parts
]


def test_every_source_file_has_an_entry():
    entries = json.loads(compile_commands(ROOT))
    files = [entry["file"] for entry in entries]
    assert len(set(files)) == len(files)
    assert {str(file) for file in STUDENT_FILES} <= set(files)
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
@pytest.mark.parametrize("file", STUDENT_FILES, ids=str)
def test_clang_understands_the_students_files(file):
    # A rung in its place: what the student is working on may not compile.
    rung = next((ROOT / file.parts[0] / "ladder").rglob("01_*.cu")).relative_to(ROOT)
    words = [*command(rung, None), "-fsyntax-only"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:2000]
