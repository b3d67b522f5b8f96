"""Files written atomically."""

import os
from concurrent.futures import ThreadPoolExecutor

from grader.base.files import write_whole


def test_threads_that_write_one_file_leave_one_whole(tmp_path):
    file = tmp_path / "kept.json"
    contents = [letter * 5000 for letter in "abcd"]

    def write(content: str) -> None:
        for _ in range(300):
            write_whole(file, content)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, contents))
    assert file.read_text() in contents
    assert os.listdir(tmp_path) == ["kept.json"]
