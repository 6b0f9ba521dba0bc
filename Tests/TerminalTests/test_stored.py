"""`get` and `list`: tables in a terminal, JSON for programs, beside a worker that writes."""

import contextlib
import json
import os
import sqlite3
import subprocess
import tempfile
import unittest

from _terminal import BINARY, environment, run, shown


def create(slug, name, content, account="acme", **more):
    body = {"name": name, "content": content, **more.pop("body", {})}
    return json.dumps({"type": "widget.create", "account": account, "slug": slug, "body": body, **more})


WIDGETS = [
    create("oncall-pages", "On-call pages", {"template": "progress", "value": 0.6, "label": "Pages"},
           at="2026-11-30T06:00:00Z", body={"stale_after": 900}),
    create("tokyo", "東京のサービス 🚀", {"template": "value", "value": 41.5, "unit": "kW"}),
    create("forged", "Red\x1b[31m\x1b]0;title\x07 name", {"template": "status", "label": "up\u202edown"}),
    create("temperature", "Temperature", {"template": "gauge", "value": 20, "min_value": 0, "max_value": 80},
           account="beta"),
]


class StoredTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "w.db")
        self.store = ("--store", f"sqlite:{self.path}")

    def apply(self, lines):
        done = run("apply", "--quiet", "--strict", *self.store, text="\n".join(lines) + "\n")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_table_is_aligned_by_what_is_seen(self):
        self.apply(WIDGETS)
        terminal, status = shown("list", *self.store)
        self.assertEqual(status, 0)
        head, *rows = [terminal.screen.buffer[row] for row in range(len(terminal.lines))]
        column = terminal.screen.display[0].index("TEMPLATE")

        def cell(row):
            return "".join(row[place].data for place in range(column, column + 10)).strip()

        self.assertEqual([cell(row) for row in rows], ["status", "progress", "value", "gauge"])
        self.assertIn("60 % ██████░░░░", terminal.lines[2])
        self.assertIn("25 % ██▌░░░░░░░", terminal.lines[4])
        self.assertTrue(head[0].bold)

    def test_a_stale_widget_is_yellow_and_never_under_no_color(self):
        self.apply(WIDGETS)
        terminal, _ = shown("list", "--stale", *self.store)
        place = terminal.screen.display[1].index("stale")
        self.assertEqual(terminal.colours(1)[place], "brown")  # pyte's word for SGR 33
        self.assertEqual(len(terminal.lines), 2)
        plain, _ = shown("list", "--stale", *self.store, env={"NO_COLOR": "1"})
        self.assertEqual(plain.lines, terminal.lines)
        self.assertNotIn(b"\x1b", plain.raw)
        self.assertIn(b"\x1b", shown("list", *self.store, env={"NO_COLOR": ""})[0].raw)
        self.assertNotIn(b"\x1b", shown("list", *self.store, env={"TERM": "dumb"})[0].raw)
        self.assertNotIn("\x1b", run("list", *self.store).stdout)

    def test_a_name_moves_no_cursor_and_turns_no_text(self):
        self.apply(WIDGETS)
        for arguments in (["list"], ["get", "acme/forged"]):
            terminal, _ = shown(*arguments, *self.store)
            self.assertNotIn(b"\x1b[31m", terminal.raw)
            self.assertNotIn(b"\x1b]", terminal.raw)
            self.assertNotIn("\u202e".encode(), terminal.raw)
            self.assertEqual(terminal.screen.title, "")

    def test_a_narrow_terminal_keeps_a_widget_a_line(self):
        self.apply(WIDGETS)
        for columns in (100, 70, 50, 36):
            terminal, _ = shown("list", *self.store, columns=columns)
            self.assertEqual(len(terminal.lines), 1 + len(WIDGETS), "\n".join(terminal.lines))
            self.assertIn("60 %", terminal.lines[2])

    def test_one_widget_shows_its_bar_and_no_secret(self):
        action = {"url": "https://example.com/", "headers": {"Authorization": "Bearer hidden"}}
        self.apply([create("pages", "Pages", {"template": "progress", "value": 0.6, "tap_action": action})])
        terminal, status = shown("get", "acme/pages", *self.store)
        self.assertEqual(status, 0)
        self.assertIn("value       0.6  ████████████░░░░░░░░ 60 %", terminal.lines)
        self.assertNotIn("hidden", "\n".join(terminal.lines))

    def test_json_is_the_body_of_a_fan_out(self):
        self.apply(WIDGETS)
        widget = json.loads(run("get", "acme/tokyo", "--json", *self.store).stdout)
        self.assertEqual(
            [widget[name] for name in ("account", "slug", "revision", "name", "content", "changed")],
            ["acme", "tokyo", 1, "東京のサービス 🚀", {"template": "value", "value": 41.5, "unit": "kW"}, []])
        widgets = json.loads(run("list", "--json", *self.store).stdout)
        self.assertEqual([w["slug"] for w in widgets], ["forged", "oncall-pages", "tokyo", "temperature"])
        self.assertEqual(widget, widgets[2])

    def test_options_choose_widgets(self):
        self.apply(WIDGETS)

        def slugs(*options):
            return [w["slug"] for w in json.loads(run("list", "--json", *options, *self.store).stdout)]

        self.assertEqual(slugs("--stale"), ["oncall-pages"])
        self.assertEqual(slugs("--template", "gauge"), ["temperature"])
        self.assertEqual(slugs("--account", "acme", "--template", "value"), ["tokyo"])
        self.assertEqual(slugs("--account", "nobody"), [])

    def test_more_widgets_than_are_read_at_once(self):
        slugs = sorted(f"w{number}" for number in range(1203))
        self.apply_many(slugs)
        listed = [w["slug"] for w in json.loads(run("list", "--json", "--account", "many", *self.store).stdout)]
        self.assertEqual(listed, slugs)

    def apply_many(self, slugs):
        lines = [create(slug, "N", {"template": "status"}, account="many") for slug in slugs]
        done = run("apply", "--quiet", "--max-widgets", "0", *self.store, text="\n".join(lines) + "\n")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_is_not_there_is_one_clear_sentence(self):
        self.apply(WIDGETS + [json.dumps({"type": "widget.delete", "account": "acme", "slug": "tokyo"})])
        empty = os.path.join(self.folder.name, "empty.db")
        open(empty, "w").close()
        cases = [
            (["get", "acme/nothing", *self.store], 1, "no widget acme/nothing"),
            (["get", "acme/tokyo", *self.store], 1, "deleted"),
            (["get", *self.store], 2, "ACCOUNT/SLUG"),
            (["get", "a/b/c", *self.store], 2, "ACCOUNT/SLUG"),
            (["get", "acme/x", "--store", "memory:"], 2, "sqlite:PATH"),
            (["list", "--template", "guage", *self.store], 2, "did you mean gauge?"),
            (["list", "--store", f"sqlite:{self.folder.name}/none.db"], 3, "none.db"),
            (["list", "--store", f"sqlite:{__file__}"], 3, "database"),
            (["list", "--account", "nobody", *self.store], 0, "no widget in account nobody"),
            (["list", "--store", f"sqlite:{empty}"], 0, "no widget"),
            (["get", "x", "--store", f"sqlite:{empty}"], 1, "no widget default/x"),
        ]
        for arguments, status, words in cases:
            with self.subTest(arguments):
                done = run(*arguments)
                self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertIn(words, done.stderr)
        self.assertFalse(os.path.exists(f"{self.folder.name}/none.db"))
        self.assertEqual(run("list", "--json", "--store", f"sqlite:{empty}").stdout, "[]\n")

    def test_a_file_from_before_there_were_pending_fan_outs_is_read(self):
        self.apply(WIDGETS)
        with contextlib.closing(sqlite3.connect(self.path)) as database:
            database.executescript(
                "DROP TABLE pending; ALTER TABLE widgets DROP COLUMN pushed_at; PRAGMA user_version = 1;")
        self.assertEqual(len(json.loads(run("list", "--json", *self.store).stdout)), len(WIDGETS))
        self.assertEqual(run("list", "--json", "--pending", *self.store).stdout, "[]\n")

    def test_reading_beside_a_writer_disturbs_neither(self):
        writer = subprocess.Popen(
            [BINARY, "apply", "--strict", "--max-widgets", "0", *self.store], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
        self.addCleanup(writer.stdout.close)
        self.addCleanup(writer.stderr.close)
        self.addCleanup(writer.kill)

        def write(count, value):
            for number in range(count):
                content = {"template": "value", "value": value}
                writer.stdin.write(create(f"w{number}", "N", content) + "\n")
            writer.stdin.flush()
            for _ in range(count):
                self.assertIn('"accepted"', writer.stdout.readline())

        for round in range(1, 4):
            write(1000, round)  # as many as `apply` decides at once
            # The outcomes are written once they are stored.
            widgets = json.loads(run("list", "--json", *self.store).stdout)
            self.assertEqual({(w["content"]["value"], w["revision"]) for w in widgets}, {(round, round)})
            self.assertEqual(len(widgets), 1000)
        writer.stdin.close()
        self.assertEqual(writer.wait(timeout=120), 0)


if __name__ == "__main__":
    unittest.main()
