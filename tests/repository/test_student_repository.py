"""The files of a student repository for the host: workflow, dev container, notebook."""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from grader_mock.house import House

from grader.report.job_summary import escape

ROOT = Path(__file__).parents[2]
STUDENT = ROOT / "instructor" / "handout" / "student"
WORKFLOW = STUDENT / ".github" / "workflows" / "check.yml"
NOTEBOOK = STUDENT / "notebook.ipynb"


def make_targets():
    """Names, and patterns such as check-%, of the Makefile."""
    return re.findall(r"^([a-z%-]+):.*## ", (ROOT / "Makefile").read_text(), re.M)


def is_target(name):
    return any(re.fullmatch(target.replace("%", ".+"), name) for target in make_targets())


def test_the_workflow_is_yaml_and_its_commands_are_there():
    text = WORKFLOW.read_text()
    commands = re.findall(r"^ +run: (.*)$", text, re.M)
    assert [shlex.split(line)[0] for line in commands] == ["git", "make", "make", "make"]
    for line in commands:
        assert subprocess.run(["bash", "-n", "-c", line]).returncode == 0
        words = [word for word in shlex.split(line) if not word.startswith(("-", ">"))]
        assert words[0] != "make" or is_target(words[1]), line
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    steps = yaml.safe_load(text)["jobs"]["check"]["steps"]
    assert all(("run" in step) != ("uses" in step) for step in steps)


@pytest.mark.slow
def test_the_job_summary_is_a_table_of_the_last_results(tmp_path):
    house = House(tmp_path)
    done = house.grader("job-summary")
    assert (done.status, done.errors.count("\n")) == (2, 1)
    assert "no results yet" in done.errors
    house.behave("wrong")
    assert house.grader("check").status == 0
    path = house.root / "build" / "results.json"
    kept = json.loads(path.read_text())
    kept["assignments"][1]["parts"][0]["cases"][1]["detail"] = "<script>|*x*\n# no"
    path.write_text(json.dumps(kept))
    process = house.start("job-summary", stdout=subprocess.PIPE, text=True)
    shown, _ = process.communicate(timeout=60)
    assert shown.startswith("# ")
    assert "| pair · left | 50 / 50 ★ | 3 of 3 |" in shown
    assert "**wrong**" in shown
    assert "<script>" not in shown


def test_nothing_said_by_a_program_is_markdown():
    assert escape("<b>|x|\n# [a](b)") == r"\<b\>\|x\| \# \[a\](b)"


def test_the_dev_container_is_json_and_names_its_dockerfile():
    folder = STUDENT / ".devcontainer"
    container = json.loads((folder / "devcontainer.json").read_text())
    assert (folder / container["build"]["dockerfile"]).is_file()
    assert is_target(container["postCreateCommand"].removeprefix("make "))
    packages = (folder / "Dockerfile").read_text()
    for name in re.findall(r"lib[\w-]+-dev", (ROOT / "grader" / "setup.sh").read_text()):
        assert name in packages


def test_the_notebook_is_a_notebook():
    book = json.loads(NOTEBOOK.read_text())
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    for cell in book["cells"]:
        keys = {"cell_type", "id", "metadata", "source"}
        if cell["cell_type"] == "code":
            assert (cell["execution_count"], cell["outputs"]) == (None, [])
            keys |= {"execution_count", "outputs"}
        assert set(cell) == keys
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbformat.validate(nbformat.from_dict(book))


STAND_IN = """check-saxpy:
\techo checked
report:
\tmkdir -p build/report && echo '<p>report</p>' > build/report/index.html
"""


def test_the_cells_of_the_notebook_clone_check_and_show(tmp_path, monkeypatch):
    """The cells are run as in a notebook, on a repository whose Makefile answers at once."""
    origin = tmp_path / "origin"
    origin.mkdir()
    (origin / "Makefile").write_text(STAND_IN)
    author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], [*author, "commit", "-qm", "first"]):
        subprocess.run(["git", *words], cwd=origin, check=True)
    monkeypatch.chdir(tmp_path)
    shown = []
    names = {}
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        for line in "".join(cell["source"]).splitlines() if cell["cell_type"] == "code" else []:
            line = re.sub(r"\{(\w+)\}", lambda match: names[match[1]], line)
            if line.startswith("!"):
                target = re.match(r"!make ([\w-]+)", line)
                assert target is None or is_target(target[1])
                subprocess.run(line[1:], shell=True, check=True)
            elif line.startswith("%cd "):
                os.chdir(line.removeprefix("%cd "))
            elif line.startswith("HTML("):
                shown.append(Path(re.search(r'filename="(.*?)"', line)[1]).read_text())
            elif re.match(r"\w+ = ", line):
                name, value = line.split(" = ")
                names[name] = str(origin) if name == "REPOSITORY" else value.strip('"')
    assert shown == ["<p>report</p>\n"]


def test_the_editors_tasks_are_json_and_their_goals_are_there():
    tasks = json.loads((STUDENT / ".vscode" / "tasks.json").read_text())["tasks"]
    goals = re.findall(r"make (?:-s )?([a-z-]+)", " ".join(task["command"] for task in tasks))
    assert {"check-", "sanitize-", "findings"} <= set(goals)
    for goal in goals:
        assert is_target(goal + "saxpy" if goal.endswith("-") else goal), goal
    for task in tasks:
        for matcher in task["problemMatcher"]:
            re.compile(matcher["pattern"]["regexp"])
