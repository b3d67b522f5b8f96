"""`make grade-class ENGINE=slurm` on a real Slurm of a single node, started for the tests."""

import signal
import time

import pytest
from grader_mock.school import School
from grader_mock.slurm import Cluster, slurm_missing

from instructor.batch.engines.slurm import make_bundles


@pytest.fixture
def school(tmp_path):
    return School(tmp_path)


def test_bundles_fit_into_an_array():
    slugs = [str(i) for i in range(10_000)]
    bundles = make_bundles(slugs, None, 1000)
    assert len(bundles) == 1000
    assert [slug for bundle in bundles for slug in bundle] == slugs
    assert len(make_bundles(slugs, 2, 1000)) == 1000  # the rest waits for the next wave
    assert make_bundles(["a"], None, 1000) == [["a"]]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    if reason := slurm_missing():
        pytest.skip(reason)
    with Cluster(tmp_path_factory.mktemp("slurm")) as started:
        yield started


def slurm(school, cluster, **options):
    options = {"engine": "slurm", "slurm_options": "--export=ALL", "bundle": 2} | options
    return school.grade(environment=cluster.environment, **options)


def test_slurm_and_this_machine_agree(school, cluster):
    school.several(3)
    (school.submissions / "empty").mkdir()
    done = slurm(school, cluster)
    assert done.status == 0, done.errors
    other = school.out.with_name("other")
    school.grade(out=other)
    assert school.rows(out=other) == school.rows()
    assert set(school.events("end").values()) == {1}
    assert "everything is graded already" in slurm(school, cluster).errors


def test_a_class_on_slurm_waits_for_the_job_it_was_killed_in(school, cluster):
    school.several(3)
    process = school.start(
        environment=cluster.environment, engine="slurm", slurm_options="--export=ALL", bundle=1
    )
    deadline = time.monotonic() + 60
    while not school.results() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait(20)
    done = slurm(school, cluster)
    assert done.status == 0, done.errors
    assert set(school.events("end").values()) == {1}


def test_a_queue_with_limits_is_served_in_waves(school, cluster):
    """MaxArraySize is 3, so an array has 2 tasks at most."""
    school.several(3)
    done = slurm(school, cluster, bundle=1)
    assert done.status == 0, done.errors
    assert all(row["status"] == "graded" for row in school.rows())
    assert set(school.events("end").values()) == {1}


def test_a_node_that_dies_costs_time_and_nothing_else(school, cluster):
    """The daemon, the step and the task are killed at once; the node comes back a little later."""
    school.several(3)
    process = school.start(
        environment=cluster.environment, engine="slurm", slurm_options="--export=ALL", bundle=3
    )
    deadline = time.monotonic() + 60
    while not school.results() and time.monotonic() < deadline:
        time.sleep(0.05)
    cluster.kill_node(str(school.out))
    finished = len(school.results())
    assert 1 <= finished < 3
    time.sleep(1)
    assert len(school.results()) == finished
    cluster.start_node()
    # Slurm lets two minutes pass before an ended job starts again; the test does not.
    job = (school.out / "state" / "job.txt").read_text().strip()
    while "BeginTime" not in cluster.ask("squeue", "--noheader", "--format=%r", "--jobs", job):
        assert process.poll() is None
        time.sleep(0.1)
    cluster.ask("scontrol", "update", f"JobId={job}", "StartTime=now")
    assert process.wait(120) == 0, school.out.with_suffix(".log").read_text()
    assert all(row["status"] == "graded" for row in school.rows())
    assert set(school.events("end").values()) == {1}
