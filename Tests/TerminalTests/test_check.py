"""`check` offline: every fault with its file, line and column, a caret under it where a person reads."""

import json
import os
import tempfile
import unittest

from _terminal import run, shown

BODY = """{
  "name": "Pages",
  "contents": {},
  "content": {
    "template": "progress",
    "value": 42,
\t"lable": "x",
    "tap_action": {"headers": {"Authorization": "hidden"}},
    "stat_rows": [{"label": "東京", "value": 5}]
  }
}
"""

LINES = """\
{"type":"widget.create","slug":"a","body":{"name":"A","content":{"template":"progress","value":0.5}}}

{"slug":"a","body":{"content":{"value":2}}}
{"slug":"unknown","body":{"content":{"vlue":2,"unit":5}},"mesage_id":"x"}
{"slug":"unknown","body":{"content":null}}
{"slug":"a","body":{"content":
{"type":"widget.nope","slug":"a","body":{}}
{"slug":"a","body":{},"at":"noon"}
{"slug":"a","raw":"{\\"content\\":"}
{"slug":"a b","body":{}}
{"type":"widget.delete","slug":"unknown","body":{"name":"x"}}
[]
"""


class CheckTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def check(self, *arguments, **options):
        return run("check", *arguments, cwd=self.folder.name, **options)

    def places(self, name, text, *arguments):
        """Line, column and message of each fault of a file."""
        done = self.check(self.write(name, text), *arguments)
        faults = [line.split(":", 3) for line in done.stdout.splitlines() if line.startswith(name)]
        self.assertEqual(done.returncode, 1 if faults else 0, done.stdout + done.stderr)
        return [(int(line), int(column), message.strip()) for _, line, column, message in faults]

    def assert_places(self, places, expected):
        self.assertEqual([place[:2] for place in places], [place[:2] for place in expected], places)
        for (_, _, message), (_, _, words) in zip(places, expected):
            self.assertIn(words, message)

    def test_each_fault_of_a_body_has_its_line_and_column(self):
        self.assert_places(self.places("pages.json", BODY), [
            (3, 3, "/contents is no member of a widget; did you mean content?"),
            (6, 14, "/content/value must be between 0 and 1 (got 42; a percentage? send 0.42)"),
            (7, 2, "/content/lable is no member of the content; did you mean label?"),
            (8, 19, "/content/tap_action/url is missing"),
            (9, 44, "/content/stat_rows/0/value must be a string"),
        ])

    def test_lines_are_decided_one_after_the_other(self):
        self.assert_places(self.places("updates.ndjson", LINES), [
            (3, 40, "/content/value must be between 0 and 1"),
            (4, 38, "/content/vlue is no member of the content; did you mean value?"),
            (4, 54, "/content/unit must be a string"),
            (4, 58, "mesage_id is no member of a line; did you mean message_id?"),
            (5, 37, "/content"),
            (6, 30, "not JSON by RFC 8259"),
            (7, 9, "type must be one of"),
            (8, 28, "at must be an RFC 3339 date-time"),
            (9, 19, "the body is not JSON"),
            (10, 9, "/slug must match"),
            (11, 50, "/name is no member of a deletion"),
            (12, 1, "must be a JSON object"),
        ])

    def test_a_body_without_a_template_is_a_patch_unless_told(self):
        patch = '{"content": {"value": 0.5}}\n'
        self.assertEqual(self.places("patch.json", patch), [])
        create = self.places("patch.json", patch, "--type", "widget.create")
        self.assertEqual([place[2] for place in create], ["/name is missing", "/content/template is missing"])
        self.assertEqual(self.places("patch.json", '{"content": {"template": "value"}}', "--type", "widget.patch"), [])

    def test_good_input_is_silent_but_for_a_word(self):
        good = '{"name": "N", "content": {"template": "progress", "value": 0.5}}'
        done = self.check(self.write("a.json", good), "-", text=good)
        self.assertEqual(done.returncode, 0)
        self.assertIn("2 messages in 2 files, 0 faults", done.stdout)

    def test_dates_are_held_against_the_clock_that_is_given(self):
        body = '{"name": "N", "content": {"template": "countdown", "end_date": "2027-05-10T16:13:00Z"}}'
        self.assertEqual(self.places("cert.json", body, "--now", "2026-11-30T12:00:00Z"), [])
        self.assert_places(self.places("cert.json", body, "--now", "2020-01-01T00:00:00Z"), [(1, 64, "366 days")])

    def test_a_caret_line_stands_under_the_member_in_a_terminal(self):
        name = self.write("pages.json", BODY)
        for columns in (100, 44):
            terminal, status = shown("check", name, columns=columns, cwd=self.folder.name)
            self.assertEqual(status, 1)
            display = terminal.screen.display
            row = next(row for row, line in enumerate(display) if line.strip() == '"value": 42,')
            place = display[row].index("42")
            self.assertEqual(display[row + 1].rstrip(), " " * place + "^~")
            self.assertEqual(terminal.colours(row + 1)[place], "red")
            # Wide characters before it are counted as they are seen.
            row = next(row for row, line in enumerate(display) if "5}]" in line)
            cells = terminal.screen.buffer
            place = next(column for column in range(columns) if cells[row + 1][column].data == "^")
            self.assertEqual(cells[row][place].data, "5")

    def test_a_caret_stays_in_the_window_of_a_long_line(self):
        url = "https://example.com/" + "a" * 300
        text = '{"content": {"tap_action": {"url": "%s"}, "value": true, "long": "%s"}}' % (url, "b" * 300)
        terminal, _ = shown("check", self.write("long.json", text), columns=60, rows=60, cwd=self.folder.name)
        display = terminal.screen.display
        row = next(row for row, line in enumerate(display) if line.strip().startswith("^~~~") and "^" in line)
        place = display[row].index("^")
        self.assertIn("true", display[row - 1][place:place + 4])

    def test_what_cannot_be_read_is_wrong_usage(self):
        done = self.check("nowhere.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nowhere.json cannot be read: No such file", done.stderr)

    def test_it_agrees_with_apply_on_what_is_wrong(self):
        for value in ("42", "-1", '"0.5"', "null", "0.5", "1e400"):
            line = '{"type":"widget.create","slug":"a","body":{"name":"A","content":{"template":"progress","value":%s}}}'
            outcome = json.loads(run("apply", text=line % value + "\n").stdout)
            faults = self.places("a.ndjson", line % value)
            self.assertEqual(outcome["outcome"] == "rejected", bool(faults), value)
            self.assertEqual(len(outcome.get("errors", [])), len(faults), value)


if __name__ == "__main__":
    unittest.main()
