"""Gathers what a report shows besides the results, from build/ and by profiling the graded files.

Profiles cost nothing on the CPU device: the check has made and cached the profiles.
"""

import io
import json
from pathlib import Path

from cpudevice.model.gpu import Gpu, known_models, load_gpu
from grader.base.device import Device, can_profile, choose_device, nvcc_version
from grader.base.errors import GraderError
from grader.base.progress import Screen
from grader.base.text import digits, time_text
from grader.check.history import Attempt, read_history
from grader.course.declare import Assignment, Part
from grader.course.load import load_assignments
from grader.course.plan import make_plan
from grader.course.results import RESULTS
from grader.course.thresholds import load_thresholds
from grader.explain.explain import Explained, explain
from grader.report.material import Bar, Ladder, Material, PartMaterial, Picture
from grader.report.work_log import work_log
from grader.run.case import picture_file, seed_of

MAX_SIDE = 640  # pixels; larger images are reduced
# Verdicts without a judged output: pictures would come from an earlier check.
NO_PICTURE = {"build_error", "forbidden", "skipped", "timeout", "crash", "cuda_error"}


def collect(root: Path, results: dict, screen: Screen) -> Material:
    names = [entry["name"] for entry in results["assignments"]]
    assignments = {one.name: one for one in load_assignments(root, names)}
    gpu, model = modelled_gpu(results)
    device = Device(results["device"]["kind"], results["device"]["name"])
    parts = {}
    for number, entry in enumerate(results["assignments"]):
        screen.step(f"{entry['name']} · report", number, len(names))
        assignment = assignments[entry["name"]]
        for part_entry in entry["parts"]:
            part = assignment.part(part_entry["name"])
            first = costliest(part_entry)
            explained, note = explain_graded(root, assignment, part, part_entry, model, screen)
            parts[assignment.name, part.name] = PartMaterial(
                ladders=ladders(root, assignment, part, part_entry, device, gpu, first),
                explained=explained,
                pictures=pictures(root, assignment, part, part_entry),
                note=note,
            )
    history = in_teaching_order(read_history(root), load_assignments(root, []))
    return Material(parts, history, environment(device, parts), work_log(root))


def in_teaching_order(history: list[Attempt], assignments: list[Assignment]) -> list[Attempt]:
    """Sorts attempts by part; attempts at the same part stay in the order of time."""
    parts = [
        (assignment.name, part.name) for assignment in assignments for part in assignment.parts
    ]
    known = [one for one in history if (one.assignment, one.part) in parts]
    return sorted(known, key=lambda one: parts.index((one.assignment, one.part)))


def modelled_gpu(results: dict) -> tuple[Gpu, str]:
    """The GPU of the modelled times, or the default GPU, and the name for MODEL=."""
    title = results["device"].get("model", "")
    for model in known_models():
        if load_gpu(model).slice().name == title:
            return load_gpu(model), model
    return load_gpu(), ""


# ---- where the time goes ----------------------------------------------------------------------


def explain_graded(
    root: Path, assignment: Assignment, part: Part, entry: dict, model: str, screen: Screen
) -> tuple[Explained | None, str]:
    """Explains the case that lost most points; or returns None and a reason, if known."""
    case = costliest(entry)
    if not case or not can_profile():
        return None, ""
    file = root / entry["file"]
    graded_at = entry.get("graded_at") or (root / RESULTS).stat().st_mtime
    if not file.is_file() or file.stat().st_mtime > graded_at:
        changed = (
            f"{entry['file']} has changed since it was graded: `make check` explains it again."
        )
        return None, changed
    plan = make_plan(root, [assignment], choose_device("cpu"), str(file), part.name, "", model)
    try:
        # The same seed, and so the same input, as for the points.
        return explain(plan, case, seed_of(file), screen)[0], ""
    except GraderError as error:
        return None, f"It could not be explained: {error}"


def costliest(entry: dict) -> str:
    """The case for speed that lost most points; of several the last, which is the largest."""
    timed = [case for case in reversed(entry["cases"]) if case["time_ms"] is not None]
    lost = {case["name"]: case["max_score"] - case["score"] for case in timed}
    return max(lost, key=lost.__getitem__, default="")


# ---- times beside the rungs' ------------------------------------------------------------------


def ladders(
    root: Path,
    assignment: Assignment,
    part: Part,
    entry: dict,
    device: Device,
    gpu: Gpu,
    first: str,
) -> list[Ladder]:
    """A ladder per timed speed case for which times of rungs are known, `first` on top."""
    rungs, source, comparable = rung_times(root, assignment.name, part, device, gpu)
    found = []
    for case in entry["cases"]:
        times = rungs.get(case["name"], {})
        if case["time_ms"] is None or part.target not in times:
            continue
        if comparable:
            found.append(Ladder(case["name"], f"rungs {source}", in_time(part, case, times)))
        elif case["reference_ms"]:
            words = f"multiples of the target's time; rungs {source}, your file modelled"
            found.append(Ladder(case["name"], words, in_multiples(part, case, times)))
    return sorted(found, key=lambda ladder: ladder.case != first)


def in_time(part: Part, case: dict, times: dict[str, float]) -> list[Bar]:
    bars = [Bar(name, kind(part, name), ms, time_text(ms)) for name, ms in sorted(times.items())]
    more = (("fastest library", "peer", case["peer_ms"]), ("your file", "yours", case["time_ms"]))
    return bars + [Bar(name, kind, ms, time_text(ms)) for name, kind, ms in more if ms]


def in_multiples(part: Part, case: dict, times: dict[str, float]) -> list[Bar]:
    """Scales to multiples of the target: measured and modelled times agree in ratios only."""
    ratios = {name: ms / times[part.target] for name, ms in sorted(times.items())}
    bars = [Bar(name, kind(part, name), ratio, times_text(ratio)) for name, ratio in ratios.items()]
    own = case["time_ms"] / case["reference_ms"]
    return [*bars, Bar("your file", "yours", own, times_text(own))]


def kind(part: Part, rung: str) -> str:
    return "target" if rung == part.target else "rung"


def times_text(ratio: float) -> str:
    return f"{digits(ratio)}×"


def rung_times(
    root: Path, assignment: str, part: Part, device: Device, gpu: Gpu
) -> tuple[dict[str, dict[str, float]], str, bool]:
    """{case: {rung: ms}} from `make ladder` on the same device, or from stored thresholds.

    Also returns the source of the times, and whether the student's times are comparable.
    """
    path = root / "build" / "ladder" / f"{assignment}.json"
    try:
        stored = json.loads(path.read_text())
        where = stored["gpu"] if device.measures else stored["model"]
        if stored["device"] == device.kind and where in (device.name, gpu.name):
            cases = stored["parts"][part.name]["cases"]
            word = "measured" if device.measures else "modelled"
            return cases, f"{word} by make ladder-{assignment}", True
    except (OSError, ValueError, KeyError, TypeError):
        pass  # never run, or by an older version
    name = device.name if device.measures else gpu.name
    cases = load_thresholds(root, assignment, name).rungs(part.name)
    return cases, f"measured on an {name}", device.measures


# ---- pictures and the machine -----------------------------------------------------------------


def pictures(
    root: Path, assignment: Assignment, part: Part, entry: dict
) -> dict[str, list[Picture]]:
    """The pictures of the first and the last wrong case, and of the last right case."""
    if not part.pictures:
        return {}
    seen = [case for case in entry["cases"] if case["verdict"] not in NO_PICTURE]
    wrong = [case["name"] for case in seen if case["verdict"] == "wrong"]
    right = [case["name"] for case in seen if case["verdict"] == "ok"]
    found = {}
    for name in dict.fromkeys(wrong[:1] + wrong[-1:] + right[-1:]):
        file = picture_file(root, assignment.name, part.name, name)
        titles = {"": "yours", "-reference": "the right one", "-difference": "the difference"}
        files = {title: file.with_stem(file.stem + end) for end, title in titles.items()}
        if all(path.is_file() for path in files.values()):
            found[name] = [Picture(title, png(path)) for title, path in files.items()]
    return found


def png(path: Path) -> bytes:
    """The file, or a reduced copy of a large image."""
    from PIL import Image  # comes with matplotlib

    with Image.open(path) as image:
        if max(image.size) <= MAX_SIDE:
            return path.read_bytes()
        image.thumbnail((MAX_SIDE, MAX_SIDE))
        small = io.BytesIO()
        image.save(small, "PNG")
        return small.getvalue()


def environment(
    device: Device, parts: dict[tuple[str, str], PartMaterial]
) -> list[tuple[str, str]]:
    """Facts about the machine that are not in the results."""
    compilers = {one.explained.profile.compiler for one in parts.values() if one.explained}
    lines = [("compiler", ", ".join(sorted(compilers)))] if compilers else []
    if device.measures and (version := nvcc_version()):
        lines.append(("nvcc", version))
    return lines
