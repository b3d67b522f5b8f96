"""Submissions on arrival: owners, hostile archives, and which files count."""

import io
import os
import stat
import tarfile
import zipfile

import pytest

from grader.base.errors import UsageError
from instructor.batch.books.gradebook import cell
from instructor.batch.intake import archive
from instructor.batch.intake.archive import Refused, read_submission
from instructor.batch.intake.choose import choose_files, fingerprint
from instructor.batch.intake.submissions import collect, owner
from instructor.batch.record import one_line

PLACES = {"saxpy.cu": "saxpy/saxpy.cu"}


def wanted(path):
    return path.name in PLACES


def zip_of(**files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return stream.getvalue()


def tar_of(*members, mode="w"):
    """Members are (name, bytes) or TarInfo of anything but a file."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode) as made:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                made.addfile(member)
            else:
                info = tarfile.TarInfo(member[0])
                info.size = len(member[1])
                made.addfile(info, io.BytesIO(member[1]))
    return stream.getvalue()


def read(tmp_path, data, name="maria.zip"):
    path = tmp_path / name
    path.write_bytes(data)
    return read_submission(path, wanted)


def only_file(contents):
    assert len(contents.files) == 1
    return next(iter(contents.files.values()))


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_every_kind_of_tar_file_is_read(tmp_path, mode):
    data = tar_of(("a/b/saxpy.cu", b"code"), ("other.txt", b"x"), mode=mode)
    assert only_file(read(tmp_path, data, "m.tar")) == b"code"


def test_a_zip_file_is_known_by_its_contents_not_by_its_name(tmp_path):
    assert only_file(read(tmp_path, zip_of(**{"saxpy.cu": b"code"}), "m.tar.gz")) == b"code"


def test_paths_that_climb_out_are_named_and_not_read(tmp_path):
    bad = [("../saxpy.cu", b"1"), ("/saxpy.cu", b"2"), ("a/../../saxpy.cu", b"3")]
    contents = read(tmp_path, tar_of(*bad, ("ok/saxpy.cu", b"right")))
    assert only_file(contents) == b"right"
    assert sum("out of the archive" in note for note in contents.notes) == 3
    windows = read(tmp_path, zip_of(**{"..\\saxpy.cu": b"1"}))
    assert not windows.files


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE]
)
def test_links_and_devices_in_a_tar_file_are_never_followed(tmp_path, kind):
    info = tarfile.TarInfo("saxpy.cu")
    info.type, info.linkname = kind, "/etc/passwd"
    contents = read(tmp_path, tar_of(info))
    assert not contents.files
    assert "a link or device" in contents.notes[0]


def test_links_in_a_zip_file_and_in_a_folder_are_never_followed(tmp_path):
    info = zipfile.ZipInfo("saxpy.cu")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr(info, "/etc/passwd")
    assert not read(tmp_path, stream.getvalue()).files
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "saxpy.cu").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe")
    (folder / "inner").symlink_to("/etc")
    contents = read_submission(folder, wanted)
    assert not contents.files
    assert len(contents.notes) == 3
    (tmp_path / "link").symlink_to(folder)
    with pytest.raises(Refused, match="is a link"):
        read_submission(tmp_path / "link", wanted)


@pytest.mark.parametrize("liar", [False, True])
def test_a_zip_bomb_is_left_at_the_limit(tmp_path, monkeypatch, liar):
    monkeypatch.setattr(archive, "MAX_TOTAL", 1 << 20)
    data = zip_of(**{"saxpy.cu": b"x", "zeros": bytes(4 << 20)})
    if liar:
        # The directory claims a small student file, against the truth.
        data = zip_of(**{"saxpy.cu": bytes(4 << 20)})
        data = data.replace((4 << 20).to_bytes(4, "little"), (100).to_bytes(4, "little"))
    with pytest.raises(Refused):
        read(tmp_path, data)


@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz"])
def test_a_tar_bomb_is_left_at_the_limit(tmp_path, monkeypatch, mode):
    monkeypatch.setattr(archive, "MAX_TOTAL", 1 << 20)
    with pytest.raises(Refused, match="unpacks to more than 1 MiB"):
        read(tmp_path, tar_of(("zeros", bytes(4 << 20)), mode=mode))


def test_too_many_files_and_too_large_a_file(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_ENTRIES", 10)
    with pytest.raises(Refused, match="more than 10 files"):
        read(tmp_path, zip_of(**{f"{i}": b"" for i in range(20)}))
    with pytest.raises(Refused, match=r"saxpy.cu is larger"):
        read(tmp_path, zip_of(**{"saxpy.cu": bytes(2 << 20)}))


def test_one_archive_in_another_is_read_and_more_are_not(tmp_path):
    inner = zip_of(**{"saxpy.cu": b"code"})
    contents = read(tmp_path, zip_of(**{"upload.zip": inner}))
    assert only_file(contents) == b"code"
    assert contents.notes == ["taken from upload.zip in the archive"]
    with pytest.raises(Refused, match="archives in archives"):
        read(tmp_path, zip_of(**{"a.zip": zip_of(**{"b.zip": zip_of(**{"c.zip": inner})})}))


@pytest.mark.parametrize("cut", [0, 1, 10, 100])
def test_what_is_no_archive_is_refused_with_a_sentence(tmp_path, cut):
    for data in (
        zip_of(**{"saxpy.cu": b"code" * 99}),
        tar_of(("saxpy.cu", b"c" * 99), mode="w:gz"),
    ):
        with pytest.raises(Refused, match="cannot be read as an archive"):
            read(tmp_path, data[:cut])


def test_where_the_course_has_it_counts_most(tmp_path):
    data = zip_of(
        **{
            "old/saxpy.cu": b"1",
            "saxpy.cu": b"2",
            "x/saxpy/saxpy.cu": b"3",
            "wrong/saxpy.cu": b"4",
            "build/reset/saxpy.cu": b"5",
        }
    )
    taken = choose_files(tmp_path, read(tmp_path, data), PLACES)
    assert taken.files == {"saxpy/saxpy.cu": b"3"}
    assert taken.notes == ["several saxpy.cu: x/saxpy/saxpy.cu counts"]


def test_files_of_the_course_are_named_only_when_they_differ(tmp_path):
    (tmp_path / "grader").mkdir()
    (tmp_path / "grader" / "score.py").write_text("as it is")
    (tmp_path / "Makefile").write_text("as it is")
    folder = tmp_path / "maria"
    for name, text in (
        ("grader/score.py", "100"),
        ("Makefile", "as it is"),
        ("saxpy.cu", "code"),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    taken = choose_files(tmp_path, read_submission(folder, lambda path: True), PLACES)
    assert taken.notes == ["changes files of the course, which does not count: grader/score.py"]
    assert taken.files == {"saxpy/saxpy.cu": b"code"}


def test_nothing_to_grade_says_what_was_there(tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    taken = choose_files(tmp_path, read_submission(empty, wanted), PLACES)
    assert taken.refused == "holds no file at all"
    taken = choose_files(tmp_path, read(tmp_path, zip_of(**{"essay.txt": b""})), PLACES)
    assert taken.refused == "holds none of saxpy.cu, but essay.txt"


OWNERS = {
    "maria.zip": "maria",
    "maria": "maria",
    "李明.tar.gz": "李明",
    "doejane_4711_99_submission-1.tar.gz": "doejane_4711",
    "doejane_LATE_4711_100_submission.zip": "doejane_4711",
    "Jane Doe_4711_assignsubmission_file_": "Jane Doe_4711",
    "maria_2026-11-20T18-30-00.zip": "maria",
    "maria-2026-11-20.zip": "maria",
    "2026-11-20": "2026-11-20",
    "Jose\u0301.zip": "José",
    "\x1b[31mred.zip": "[31mred",
    "\udcff.zip": "\\xff",
}


@pytest.mark.parametrize("entry", OWNERS)
def test_whose_a_submission_is(entry):
    assert owner(entry)[0] == OWNERS[entry]


def test_the_latest_of_several_counts_and_is_named(tmp_path):
    for name in ("maria_2026-11-20T09-30.zip", "maria_2026-11-19T23-59.zip", "jonas.zip"):
        (tmp_path / name).write_bytes(b"")
    jonas, maria = collect(tmp_path)
    assert (jonas.student, jonas.notes) == ("jonas", ())
    assert maria.path.endswith("maria_2026-11-20T09-30.zip")
    assert "not maria_2026-11-19T23-59.zip" in maria.notes[0]


def test_without_a_stamp_the_newer_file_counts(tmp_path):
    for when, name in ((100, "maria.zip"), (200, "maria.tar.gz")):
        (tmp_path / name).write_bytes(b"")
        os.utime(tmp_path / name, (when, when))
    assert [entry.path[-13:] for entry in collect(tmp_path)] == ["/maria.tar.gz"]


def test_an_empty_class_is_a_sentence(tmp_path):
    with pytest.raises(UsageError, match="is empty"):
        collect(tmp_path)
    with pytest.raises(UsageError, match="not a folder"):
        collect(tmp_path / "nowhere")


def test_names_become_folders_of_their_own(tmp_path):
    for name in ("a\u2215b", "- -", "x" * 150, "\udcfe", "\udcff"):
        (tmp_path / name).mkdir()
    slugs = [entry.slug for entry in collect(tmp_path)]
    assert len(set(slugs)) == len(slugs) == 5
    assert all("/" not in slug and not slug.startswith(".") and len(slug) < 60 for slug in slugs)


@pytest.mark.parametrize("text", ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", " =1"])
def test_no_cell_is_a_formula(text):
    assert cell(text).startswith("'")
    assert cell("maria") == "maria"


def test_text_of_a_submission_is_one_printable_line():
    assert one_line("a\nb\x00\u202ec\ud800"[:-1]) == "a b c"


def test_comments_and_blanks_hide_no_copy():
    assert fingerprint(b"int  a; // mine") == fingerprint(b"/* his */ int a;\n")
    assert fingerprint(b"int a;") != fingerprint(b"int b;")
