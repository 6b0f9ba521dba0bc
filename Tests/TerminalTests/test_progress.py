"""The progress bar of `apply`: a fraction where the end is known, in a terminal alone, gone at the end."""

import json
import os
import re
import subprocess
import tempfile
import unittest

from _terminal import BINARY, Terminal, run

LINE = json.dumps({"type": "widget.create", "slug": "a", "body": {"name": "N", "content": {"template": "status"}}})
COUNT = 80_000


class ProgressTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = os.path.join(cls.folder.name, "updates.ndjson")
        with open(cls.path, "w", encoding="utf-8") as file:
            file.write((LINE + "\n") * COUNT)

    def watch(self, *command, **options):
        """What stood on the bar's line, one after the other, and what is left in the end."""
        with Terminal(*command, **options) as terminal:
            status = terminal.finish()
            drawn = [re.sub(r"\x1b\[[0-9;]*[mK]", "", line) for line in terminal.raw.decode().split("\r")]
            return [line for line in drawn if "messages" in line or "%" in line], terminal, status

    def test_a_file_has_a_bar_that_grows_to_its_end(self):
        drawn, terminal, status = self.watch(BINARY, "apply", "--quiet", self.path)
        self.assertEqual(status, 0)
        bars = [line for line in drawn if "%" in line]
        fractions = [int(re.search(r"(\d+) %", line)[1]) for line in bars]
        self.assertGreater(len(fractions), 1)
        self.assertEqual(fractions, sorted(fractions))
        for line, percentage in zip(bars, fractions):
            count = int(re.search(r"(\d+) messages", line)[1])
            self.assertAlmostEqual(count / COUNT * 100, percentage, delta=1.5)
            self.assertAlmostEqual(line.count("█") / 30 * 100, percentage, delta=4)
        self.assertRegex(terminal.lines[0], rf"^{COUNT} messages in")
        self.assertNotIn("█", "".join(terminal.lines))

    def test_standard_input_from_a_file_has_one_too(self):
        with open(self.path, "rb") as file:
            drawn, _, _ = self.watch(BINARY, "apply", "--quiet", stdin=file)
        self.assertTrue(any("%" in line for line in drawn))

    def test_a_pipe_has_a_count_and_no_made_up_end(self):
        drawn, _, status = self.watch("/bin/sh", "-c", f"cat '{self.path}' | '{BINARY}' apply --quiet")
        self.assertEqual(status, 0)
        self.assertTrue(any("a second" in line for line in drawn))
        self.assertFalse(any("%" in line or "█" in line for line in drawn))

    def test_a_narrow_terminal_keeps_bar_and_percentage_on_one_line(self):
        drawn, terminal, _ = self.watch(BINARY, "apply", "--quiet", self.path, columns=24)
        bars = [line for line in drawn if "%" in line]
        self.assertTrue(bars and all("█" in line or "░" in line for line in bars))
        self.assertTrue(all(len(line) < 24 for line in bars), bars)
        self.assertNotIn("%", "".join(terminal.lines))

    def test_outcomes_on_the_screen_are_not_torn_by_a_bar(self):
        with open(self.path, "rb") as file:
            short = b"".join(file.readline() for _ in range(3000))
        path = os.path.join(self.folder.name, "short.ndjson")
        with open(path, "wb") as file:
            file.write(short)
        _, terminal, _ = self.watch(BINARY, "apply", path)
        self.assertNotIn("░".encode(), terminal.raw)

    def test_nothing_is_drawn_where_nobody_looks(self):
        for env in ({}, {"TERM": "xterm"}):
            done = run("apply", "--quiet", self.path, env=env)
            self.assertEqual(len(done.stderr.splitlines()), 1)
            self.assertNotIn("\r", done.stderr)
        _, dumb, _ = self.watch(BINARY, "apply", "--quiet", self.path, env={"TERM": "dumb"})
        self.assertNotIn(b"%", dumb.raw)
        _, plain, _ = self.watch(BINARY, "apply", "--quiet", self.path, env={"NO_COLOR": "1"})
        self.assertIn("█".encode(), plain.raw)
        self.assertNotIn(b"m\x1b", plain.raw)
        self.assertNotIn(b"\x1b[32m", plain.raw)

    def test_output_to_a_file_keeps_the_bar_on_the_screen(self):
        with open(os.path.join(self.folder.name, "out"), "wb") as file:
            drawn, _, status = self.watch(BINARY, "apply", self.path, stdout=file)
        self.assertEqual(status, 0)
        self.assertTrue(any("%" in line for line in drawn))
        lines = subprocess.run(["wc", "-l", file.name], capture_output=True, text=True, check=True).stdout
        self.assertEqual(int(lines.split()[0]), COUNT)


if __name__ == "__main__":
    unittest.main()
