"""`make check` from end to end on mock assignments: verdicts, bad programs, JSON, statuses."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from grader_mock.house import House, source

CASE_KEYS = {"name", "verdict", "score", "max_score", "time_ms", "reference_ms", "peer_ms"}
CASE_KEYS |= {"modelled", "seed", "detail", "formula", "scale", "timing"}
PART_KEYS = {"name", "file", "score", "max_score", "stars", "withheld", "cases"}


BY_SIZE = """
from grader.course.declare import Assignment, Case, Part

LARGE = Case("large", cpu="--n 5000", gpu="--n 20000 --repeats 5")
ASSIGNMENT = Assignment(name="twice", parts=[Part(
    name="twice", target="02_better",
    contract="void twice(int n, unsigned* result);",
    correctness=[Case("one", "--n 1")],
    speed=[LARGE],
    sweep=[Case("small", "--n 10"), Case("middle", cpu="--n 20"), LARGE,
           Case("huge", gpu="--n 30000 --repeats 3")],
)])
"""


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def test_everything_right_on_the_cpu_device(house):
    done = house.grader("check")
    assert done.status == 0, done.errors
    results = done.results
    assert set(results) == {"device", "isolation", "finished", "score", "max_score", "assignments"}
    assert results["device"]["kind"] == "cpu"
    assert results["isolation"] == "process limits"
    assert (results["score"], results["max_score"]) == (200, 200)
    assert "H200" in results["device"]["model"]
    for assignment in results["assignments"]:
        assert set(assignment) == {"name", "score", "max_score", "parts"}
        for part in assignment["parts"]:
            assert set(part) == PART_KEYS
            assert all(set(case) == CASE_KEYS for case in part["cases"])
            assert {case["verdict"] for case in part["cases"]} == {"ok"}
            # Times are modelled, and called so; without speed points no times appear.
            for case in part["cases"]:
                assert (
                    case["modelled"] == (case["time_ms"] is not None) == (case["name"] == "large")
                )
    assert "times are modelled: NVIDIA H200" in done.shown
    assert (house.root / "compile_commands.json").is_file()


def test_piped_output_is_plain_and_narrow(house):
    house.behave("crash")
    for columns in ("80", "100"):
        shown = house.grader("check", COLUMNS=columns, gpu=True).shown
        assert "\x1b" not in shown
        assert max(map(len, shown.splitlines())) <= int(columns)


def test_speed_on_a_gpu(house):
    house.behave("fine", 8.0)
    part = house.grader("check", "twice", gpu=True).first
    large = part["cases"][-1]
    assert large["verdict"] == "ok"
    assert large["reference_ms"] < large["time_ms"]
    assert large["peer_ms"] < large["time_ms"]
    assert 0 < large["score"] < large["max_score"] == 60
    assert large["scale"] == {"full": 1.2, "none": 10}
    assert part["stars"] == []


@pytest.mark.parametrize(
    ("own_ms", "solution_ms", "stars", "shown"),
    [
        (
            1.5,
            4.0,
            ["target", "library", "solution"],
            "★★★ all points for speed, faster than every",
        ),
        (1.5, 1.0, ["target", "library"], "★★ all points for speed, faster than every library\n"),
        (2.0, 4.0, ["target"], "★ all points for speed\n"),  # as fast as the faster library
    ],
)
@pytest.mark.slow
def test_what_comes_after_the_target_is_a_star(house, own_ms, solution_ms, stars, shown):
    house.write("twice/solution.cu", source("twice", time_ms=solution_ms))
    house.behave("fine", own_ms)
    done = house.grader("check", "twice", gpu=True)
    assert done.first["stars"] == stars
    assert (done.results["score"], done.results["max_score"]) == (100, 100)
    assert shown in done.shown + "\n"


def test_a_case_that_is_only_timed_decides_no_star(house):
    """Nor does the case need all cases of the part."""
    grade = house.root / "twice" / "grading" / "grade.py"
    shown = 'speed=[Case("shown", gpu="--n 500 --repeats 5", points=0), '
    grade.write_text(grade.read_text().replace("speed=[", shown))
    house.behave("fine", 1.0)
    done = house.grader("check", "twice", gpu=True)
    extra, large = done.first["cases"][-2:]
    assert extra["time_ms"] and extra["max_score"] == 0 == len(extra["formula"])
    assert large["max_score"] == 60
    assert "target" in done.first["stars"]


def test_no_time_is_taken_of_a_wrong_answer(house):
    """The case is judged with the timing, because no other case is wrong."""
    house.behave("wrong_in_large")
    done = house.grader("check", "twice", gpu=True)
    large = done.first["cases"][-1]
    assert (large["verdict"], large["time_ms"], large["score"]) == ("wrong", None, 0)
    assert "index 5: got" in done.shown
    # Exactly the named repeat of the named round.
    replay = f"build/gpu/twice/twice --n 20000 --repeats 3 --seed {large['seed']}( --judge [12])?\n"
    assert re.search(replay, done.shown)


def test_the_replay_works_from_where_the_user_stands(house):
    house.behave("races")
    done = house.grader("check", "twice", CUDA_LADDER_FROM=str(house.root / "twice"))
    assert "    ../build/sanitize/twice/twice --n" in done.shown


def test_untouched_output_scores_nothing(house):
    house.behave("untouched")
    done = house.grader("check", "twice")
    assert done.verdicts() == ["ok", "wrong", "wrong", "wrong", "wrong"]
    assert done.results["score"] == 0


def test_a_case_too_large_for_the_gpu_is_shrunk(house):
    grade = house.root / "twice" / "grading" / "grade.py"
    grade.write_text(grade.read_text().replace("4 * options", "(1 << 18) * options"))
    done = house.grader("check", "twice", gpu=True)
    assert done.verdicts()[-1] == "ok"
    assert "shrunk to --n 1250 to fit" in done.shown


# What bad programs do, the verdict, and the words of the sentence.
BAD = {
    "short": ("wrong", "bytes"),
    "wrong_size": ("crash", "wrong size"),
    "exit0": ("crash", "exit status 0"),
    "crash": ("crash", "segmentation fault"),
    "abort": ("crash", "ran out of memory"),
    "memory_hog": ("crash", "ran out of memory"),
    "writes_everywhere": ("crash", ""),
    "fork": ("crash", "exit status 3"),
    "garbage": ("crash", "something else"),
    "deep": ("crash", "something else"),
    "endless_line": ("crash", "something else"),
    "nan": ("crash", "invalid times"),
    "negative": ("crash", "invalid times"),
    "too_many_times": ("crash", "invalid times"),
    "longer_than_it_took": ("crash", "longer than the run"),
    "closes": ("crash", "closed the pipe"),
    "cuda_error": ("cuda_error", "illegal memory access"),
    "report_among_print": ("cuda_error", "thread (1,2,3)"),
}


@pytest.mark.parametrize("behave", BAD)
def test_bad_programs_get_their_verdict(house, behave):
    verdict, words = BAD[behave]
    house.behave(behave)
    done = house.grader("check", "twice", "--case", "many")
    assert done.status == 0, done.errors
    assert done.verdicts() == [verdict]
    assert words in done.first["cases"][0]["detail"]
    assert done.results["score"] == 0
    assert not (house.root / "here.txt").exists()


# What the sanitize build leaves, and the outcome.
def test_a_finding_is_the_verdict_and_earns_nothing(house):
    house.behave("races_once")
    done = house.grader("check", "twice")
    assert done.verdicts() == ["ok", "ok", "race", "ok", "ok"]
    case = done.first["cases"][2]
    assert case["detail"] == "mock.cu:3: thread 1 writes what thread 2 reads\ufffd"
    assert case["score"] == 0
    # The file's own seed: the same each time, and unknown to the author.
    assert re.search(r"build/sanitize/twice/twice --n 7 --seed \d{4,}\n", done.shown)


def test_a_leak_is_no_verdict(house):
    house.behave("leaks")
    assert set(house.grader("check", "twice").verdicts()) == {"ok"}
    assert "never freed" in house.grader("sanitize", "twice").shown


def test_findings_that_make_no_sense(house):
    house.behave("talks_nonsense")
    done = house.grader("check", "twice", "--case", "seven")
    assert done.verdicts() == ["crash"]
    assert "the findings cannot be read" in done.first["cases"][0]["detail"]


UNSEEN = {
    "hangs_by_hand": ("timeout", "did not finish under sanitize: no answer within"),
    "crashes_by_hand": ("crash", "did not finish under sanitize: the program accessed host memory"),
    "quits_by_hand": ("crash", "did not finish under sanitize: the program ended by itself"),
    "hides_findings": ("crash", "did not finish under sanitize: the findings cannot be"),
    "leaves_unasked": ("crash", "did not finish under sanitize: the program ended before"),
    "wrong_by_hand": ("wrong", "under sanitize: index 5: got"),
}


@pytest.mark.parametrize("behave", UNSEEN)
@pytest.mark.slow
def test_a_program_that_shows_less_of_itself_under_sanitize(house, behave):
    verdict, words = UNSEEN[behave]
    house.behave(behave)
    done = house.grader("check", "twice", "--case", "seven", "--seed", "3")
    assert done.verdicts() == [verdict]
    assert done.first["cases"][0]["detail"].startswith(words)
    assert done.results["score"] == 0


def test_sanitize_shows_each_cause_once(house):
    house.behave("races")
    done = house.grader("sanitize", "twice")
    assert done.status == 0, done.errors
    assert done.shown.count("thread 1 writes what thread 2 reads") == 1
    assert "1 finding in 4 cases" in done.shown
    house.behave("fine")
    assert "nothing found in 4 cases" in house.grader("sanitize", "twice").shown


def test_what_was_found_is_kept(house):
    house.behave("races")
    assert "race" in house.grader("check", "twice").verdicts()
    kept = list((house.root / "build" / "cache" / "findings").iterdir())
    assert len(kept) == 4
    for file in kept:
        run = json.loads(file.read_text())
        file.write_text(json.dumps(run | {"findings": []}))
    assert set(house.grader("check", "twice").verdicts()) == {"ok"}


def mark_processes(marker):
    """The ids of the processes whose command line holds the marker."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if marker.encode() in file.read():
                    found.append(int(pid))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("behave", ["hang", "flood", "fork"])
@pytest.mark.slow
def test_nothing_is_left_behind(house, behave, monkeypatch):
    monkeypatch.setenv("CUDA_LADDER_TEST", str(house.root))
    # Quick starts, without a wait for the allowance for loading.
    house.behave(behave)
    done = house.grader("check", "twice", "--case", "one")
    assert done.verdicts() == ["crash" if behave == "fork" else "timeout"]
    assert mark_processes(str(house.root)) == []
    left = [p for p in mark_processes("os.setsid(); os.fork()") if owner_is(p, house.root)]
    assert left == []


def owner_is(pid, root):
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return str(root).encode() in file.read()
    except OSError:
        return False


@pytest.mark.slow
def test_a_flood_is_capped_and_harmless_to_the_terminal(house):
    house.behave("flood")
    done = house.grader("check", "twice", "--case", "one")
    assert len(done.shown) < 5000
    assert "all work and no play" in done.shown
    assert "… (the first 2000 bytes)" in done.shown
    assert "\x1b" not in done.shown
    assert "\x07" not in done.shown


@pytest.mark.slow
def test_a_hang_at_load_is_a_timeout(house):
    house.behave("hang")
    done = house.grader("check", "twice", "--case", "one")
    assert done.verdicts() == ["timeout"]
    assert "no answer within" in done.shown


@pytest.mark.slow
def test_a_program_that_never_ends_is_given_up(house):
    house.behave("hang")
    done = house.grader("check", "twice")
    assert set(done.verdicts()) == {"timeout"}
    assert [case["detail"][:9] for case in done.first["cases"]] == ["no answer"] * 3 + [
        "not tried"
    ] * 2


def test_one_crash_loses_only_its_case(house):
    house.behave("crash_once")
    done = house.grader("check", "twice")
    assert done.verdicts() == ["ok", "ok", "crash", "ok", "ok"]
    # And the points for speed, paid when all cases are right.
    assert (done.results["score"], done.results["max_score"]) == (pytest.approx(26.67), 100)
    assert "speed is paid when all cases are right: 4 of 5 are" in done.shown


def test_an_output_changed_after_it_was_handed_over_stays_as_it_was(house):
    house.behave("changes")
    assert house.grader("check", "twice", "--case", "many").verdicts() == ["ok"]


def test_a_build_error_is_the_compilers_first_with_the_students_line(house):
    house.write("twice/twice.cu", "int a;\n\nerror  int b\n")
    done = house.grader("check", "twice")
    assert done.status == 0
    assert set(done.verdicts()) == {"build_error"}
    assert "twice/twice.cu:3: error  int b" in done.shown
    assert "Traceback" not in done.shown + done.errors


def test_forbidden_is_not_even_built(house):
    house.write("twice/twice.cu", "//\n// flags: $(shell touch owned)\n#include <cub/cub.cuh>\n")
    done = house.grader("check", "twice")
    assert set(done.verdicts()) == {"forbidden"}
    assert not (house.root / "owned").exists()
    assert not (house.root / "build/cpu/twice/twice").exists()


def test_a_missing_file_is_a_verdict(house):
    (house.root / "twice" / "twice.cu").unlink()
    done = house.grader("check", "twice")
    assert done.status == 0
    assert set(done.verdicts()) == {"build_error"}
    assert "make reset-twice" in done.shown


def test_one_bad_file_does_not_keep_the_others_from_being_graded(house):
    house.write("pair/left.cu", "error\n")
    done = house.grader("check")
    assert set(done.verdicts(0)) == {"build_error"}
    assert set(done.verdicts(1)) == {"ok"}
    assert done.results["score"] == 150


def test_with_leaves_other_parts_skipped_and_out_of_the_maximum(house):
    done = house.grader("check", "pair", "--with", "ladder/right/01_naive.cu")
    assert set(done.verdicts(0)) == {"skipped"}
    assert set(done.verdicts(1)) == {"ok"}
    assert (done.results["score"], done.results["max_score"]) == (50, 50)


def test_with_solution_grades_all(house):
    house.behave("wrong")
    done = house.grader("check", "--with", "solution")
    assert done.results["score"] == done.results["max_score"] == 200


def test_seed_and_case_narrow_and_fix(house):
    done = house.grader("check", "twice", "--case", "many", "--seed", "7")
    assert [(c["name"], c["seed"]) for c in done.first["cases"]] == [("many", 7)]
    assert done.results["max_score"] == pytest.approx(13.33)


# A wrong file is often faster.
FAULTS = ["crash_once", "wrong_in_large", "races_once", "wrong_by_hand", "hangs_in_large"]


@pytest.mark.parametrize("gpu", [False, True], ids=["cpu", "gpu"])
@pytest.mark.parametrize("behave", FAULTS)
@pytest.mark.slow
def test_a_wrong_file_earns_less_than_the_slowest_right_one(house, behave, gpu):
    if gpu and behave in ("races_once", "wrong_by_hand"):
        pytest.skip("sanitize is a mode of the CPU device")
    house.behave("fine", 40.0)
    slow = house.grader("check", "twice", gpu=gpu)
    assert slow.results["score"] == 40 and slow.first["withheld"] == 0
    house.behave(behave, 1.0)
    wrong = house.grader("check", "twice", gpu=gpu)
    assert wrong.results["score"] <= slow.results["score"]
    assert wrong.results["max_score"] == slow.results["max_score"] == 100
    assert wrong.first["withheld"] == 60 and wrong.first["stars"] == []
    assert sum(case["score"] for case in wrong.first["cases"][4:]) == 0


def test_a_wrong_part_is_not_timed(house):
    """Without timing, nothing would be said of the large case, which is left out."""
    house.behave("crash_once")
    large = house.grader("check", "twice", gpu=True).first["cases"][-1]
    assert (large["verdict"], large["time_ms"], large["max_score"]) == ("skipped", None, 60)
    assert large["detail"] == "not run: speed is paid when all cases are right"
    large = house.grader("check", "twice").first["cases"][-1]
    assert (large["verdict"], large["time_ms"], large["max_score"]) == ("ok", None, 60)


def test_some_cases_show_times_and_earn_nothing_for_them(house):
    """The other cases were not graded, and may be wrong."""
    house.behave("fine", 2.0)
    done = house.grader("check", "twice", "--case", "large")
    (large,) = done.first["cases"]
    assert (large["score"], large["max_score"]) == (0, 0)
    assert large["time_ms"] and large["formula"].endswith("60 of 60")
    assert "60 points for speed are paid for a check of all cases" in done.shown
    assert done.first["stars"] == [] and done.first["withheld"] == 0


def test_seeds_differ_from_run_to_run(house):
    runs = [house.grader("check", "twice", "--case", "many") for _ in range(2)]
    assert runs[0].first["cases"][0]["seed"] != runs[1].first["cases"][0]["seed"]


def test_a_print_is_shown_as_text(house):
    house.behave("prints")
    done = house.grader("check", "twice")
    assert "hello from the kernel �[2J[bold]not markup[/bold]" in done.shown


# The grader's own failures: status 2 and a sentence.
MISTAKES = [
    (["check", "twic"], "did you mean twice?"),
    (["check", "--part", "lef"], "did you mean left?"),
    (["check", "twice", "--case", "mayn"], "did you mean many?"),
    (["check", "--with", "nowhere.cu"], "no file"),
    (["check", "--seed", "x"], "SEED"),
    (["check", "--model", "h100"], "MODEL is a100, h200, rtx3090, t4"),
    (["check", "--device", "tpu"], "DEVICE is cpu or gpu"),
    (["check", "--device", "gpu"], "no GPU to use here"),
    (["ladder", "nothing"], "no assignment"),
]


@pytest.mark.parametrize(("arguments", "words"), MISTAKES)
def test_mistakes_on_the_command_line(house, arguments, words):
    done = house.grader(*arguments)
    assert done.status == 2
    assert words in done.errors
    assert len(done.errors.splitlines()) == 1


def test_a_reference_that_does_not_build_is_the_graders_failure(house):
    house.write("twice/ladder/02_better.cu", "error\n")
    done = house.grader("check", "twice", gpu=True)
    assert done.status == 2
    assert "build/gpu/twice/ladder/02_better could not be built" in done.errors


def test_a_reference_that_is_wrong_is_the_graders_failure(house):
    house.write("twice/ladder/02_better.cu", "//\n//\n// behave: wrong\n")
    done = house.grader("check", "twice", gpu=True)
    assert done.status == 2
    assert "build/gpu/twice/ladder/02_better failed large: wrong" in done.errors


def test_a_case_that_the_runner_does_not_know_is_the_graders_failure(house):
    house.behave("option_error")
    done = house.grader("check", "twice")
    assert done.status == 2
    assert "unknown option --rowz" in done.errors


def test_a_broken_grade_py_is_named(house):
    house.write("twice/grading/grade.py", "ASSIGNMENT = 1 / 0\n")
    done = house.grader("check")
    assert done.status == 2
    assert "twice/grading/grade.py cannot be used: division by zero" in done.errors


def test_a_fault_of_the_grader_is_one_sentence_and_a_log(house):
    house.write("Makefile", "x: ; @\n")
    (house.root / "build").mkdir()
    (house.root / "build" / "results.json").mkdir()
    code = "import sys; from pathlib import Path; import grader.cli.main as m;"
    code += "from grader.cli.commands import COMMANDS; m.load_assignments = None;"
    code += "sys.exit(m.main(COMMANDS, ['list'], Path(sys.argv[1])))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(house.root)], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "build/grader.log" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" in (house.root / "build" / "grader.log").read_text()


# Stored times.
def test_stored_times_stand_in_for_the_reference(house):
    (house.root / "twice" / "ladder" / "02_better.cu").unlink()
    cases = {"large": {"01_naive": 40.0, "02_better": 20.0}}
    parts = {"twice": {"target": "02_better", "cases": cases}}
    house.write(
        "twice/grading/thresholds/mock.json", json.dumps({"gpu": "Mock GPU", "parts": parts})
    )
    house.behave("fine", 10.0)
    done = house.grader("check", "twice", gpu=True)
    assert done.first["cases"][-1]["reference_ms"] == 20.0
    assert done.first["cases"][-1]["score"] == 60
    assert "past every stored rung" in done.shown


def test_without_any_reference_speed_is_left_out(house):
    (house.root / "twice" / "ladder" / "02_better.cu").unlink()
    done = house.grader("check", "twice", gpu=True)
    assert done.verdicts()[-1] == "skipped"
    assert done.results["max_score"] == 40


# The other commands.
@pytest.mark.slow
def test_ladder_on_both_devices(house):
    done = house.grader("ladder", "twice")
    assert done.status == 0, done.errors
    assert "times are modelled: NVIDIA H200" in done.shown
    done = house.grader("ladder", gpu=True)
    assert done.status == 0, done.errors
    assert "2.00×" in done.shown
    folder = house.root / "build" / "ladder"
    for name in ("twice.png", "twice.svg", "twice.json", "pair.svg"):
        assert (folder / name).stat().st_size > 100
    stored = json.loads((folder / "twice.json").read_text())
    assert set(stored["parts"]["twice"]["cases"]["large"]) == {"01_naive", "02_better"}


@pytest.mark.slow
def test_ladder_by_size(house):
    """Each device has its own sizes; a size of a timed case is timed once."""
    house.write("twice/grading/grade.py", BY_SIZE)
    folder = house.root / "build" / "ladder"

    def by_size():
        return json.loads((folder / "twice.json").read_text())["parts"]["twice"]["by_size"]

    done = house.grader("ladder", "twice")
    assert done.status == 0, done.errors
    assert "by size" in done.shown
    assert list(by_size()) == ["small", "middle", "large"]
    assert set(by_size()["middle"]) == {"01_naive", "02_better", "solution"}
    assert (folder / "twice-by-size.svg").stat().st_size > 100
    done = house.grader("ladder", "twice", gpu=True)
    assert done.status == 0, done.errors
    assert list(by_size()) == ["small", "large", "huge"]
    stored = json.loads((folder / "twice.json").read_text())["parts"]["twice"]
    assert by_size()["large"]["01_naive"] == stored["cases"]["large"]["01_naive"]
    assert set(stored["times"]["large"]) >= {"01_naive", "02_better", "solution"}


def test_reset_restores_the_starter_and_keeps_the_old_file(house):
    def git(*words):
        identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *words], cwd=house.root, check=True)

    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "starter")
    starter = (house.root / "twice/twice.cu").read_bytes()
    house.write("twice/twice.cu", "my work\n")
    done = house.grader("reset", "twice")
    assert done.status == 0, done.errors
    assert (house.root / "twice/twice.cu").read_bytes() == starter
    kept = list((house.root / "build" / "reset").iterdir())
    assert [file.read_text() for file in kept] == ["my work\n"]
    assert "is the starter already" in house.grader("reset", "twice").shown


def test_ending_the_grader_ends_the_students_program(house):
    house.behave("hang")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = house.start("check", "twice", "--device", "cpu", **quiet)
    deadline = time.monotonic() + 10
    while not runners_of(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    runners = runners_of(process.pid)
    assert runners
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) != 0
    assert not any(os.path.exists(f"/proc/{pid}/exe") and alive(pid) for pid in runners)


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def runners_of(pid):
    return [child for child in mark_processes("runner.py") if parent(child) == pid]


def parent(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        return 0
