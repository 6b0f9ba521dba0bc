"""`get`, `list` and `watch` by a running worker's admin address, from where its store cannot be read."""

import json
import os
import re
import tempfile
import unittest

from _live import LiveTests, needs_broker
from _terminal import run
from _worker import Worker


@needs_broker
class AdminSourceTests(LiveTests):
    def setUp(self):
        super().setUp()
        self.at = ("--admin", f"127.0.0.1:{self.worker.port}")
        self.store = ("--store", f"sqlite:{self.worker.folder.name}/w.db")

    def create_waiting(self):
        """A widget with two updates in a throttle window of an hour."""
        self.create("template=progress", "value=0.6", "label=Pages", "push_throttle=3600")
        for field in ("value=0.7", "label=More"):
            self.assertEqual(self.run_("send", self.slug, field).returncode, 0)

    def test_the_worker_tells_what_its_store_would(self):
        self.create_waiting()
        for command in (["get", f"acme/{self.slug}"], ["list", "--account", "acme"], ["list", "--pending"]):
            with self.subTest(command):
                for form in ([], ["--json"]):
                    by_store, by_worker = run(*command, *form, *self.store), run(*command, *form, *self.at)
                    self.assertEqual((by_worker.returncode, by_worker.stderr), (0, ""))
                    # A second may pass between the two.
                    self.assertEqual(*(re.sub(r" *\d+ \w+ ago", "AGE", d.stdout) for d in (by_worker, by_store)))
        lines, status = self.shown_("get", f"acme/{self.slug}", *self.at)
        self.assertEqual(status, 0)
        self.assertRegex(lines[-1], r"^pending +push in 59 min, 2 updates /content/\w+ /content/\w+$")

    def test_more_widgets_than_are_asked_for_at_once(self):
        for number in range(1_003):
            self.worker.create(f"many-{number:04}", {"template": "status"})
        self.wait_for(lambda: self.worker.get("/api/widgets/acme/many-1002")[0] == 200)
        listed = [widget["slug"] for widget in json.loads(run("list", "--json", *self.at).stdout)]
        self.assertEqual([slug for slug in listed if slug.startswith("many-")], [f"many-{n:04}" for n in range(1_003)])

    def test_the_option_that_is_nearer_to_the_call_counts(self):
        self.create("template=status", "label=Here")
        empty = os.path.join(self.worker.folder.name, "empty.db")
        open(empty, "w", encoding="ascii").close()
        name, at = f"acme/{self.slug}", self.at[1]
        for arguments, env, status in (
                ([*self.at], {"WIDGETD_STORE": f"sqlite:{empty}"}, 0),
                (["--store", f"sqlite:{empty}"], {"WIDGETD_ADMIN": at}, 1),
                ([*self.at, "--store", f"sqlite:{empty}"], {}, 1),
                ([], {"WIDGETD_ADMIN": at}, 0),
                (["--admin", "off", *self.store], {}, 0)):
            with self.subTest(arguments=arguments, env=env):
                self.assertEqual(run("get", name, *arguments, env=env).returncode, status)

    def test_what_is_not_there_is_one_clear_sentence(self):
        for arguments, status, words in (
                (["get", "acme/nothing", *self.at], 1, f"no widget acme/nothing at the worker {self.at[1]}"),
                (["list", "--account", "nobody", *self.at], 0, "no widget in account nobody at the worker"),
                (["list", "--admin", "127.0.0.1:1"], 3, "no worker answers at 127.0.0.1:1: Connection refused"),
                (["list", "--admin", "nonsense"], 2, "must be ADDRESS:PORT or off")):
            with self.subTest(arguments):
                done = run(*arguments)
                self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertIn(words, done.stderr)

    def test_watch_begins_with_the_widgets_there_are(self):
        self.create("template=progress", "value=0.6", "label=Pages")
        self.create("template=progress", "value=0.1", slug=f"{self.slug}-other")
        with self.terminal("watch", "--slug", self.slug, *self.at) as terminal:
            shown = lambda text: any(f"acme/{self.slug} " in line and text in line for line in terminal.lines)
            self.assertTrue(terminal.wait_for(lambda: shown("60%")), terminal.lines)
            self.assertTrue(any("1 widget, 0 accepted, 0 rejected" in line for line in terminal.lines), terminal.lines)
            self.worker.send(self.slug, {"content": {"value": 0.7}})
            self.assertTrue(terminal.wait_for(lambda: shown("70%")), terminal.lines)
            self.assertFalse(any(f"{self.slug}-other" in line for line in terminal.lines))
        with self.terminal("watch", "--slug", self.slug) as terminal:
            self.assertTrue(terminal.wait_for(
                lambda: any("widgets show here as they change" in line for line in terminal.lines)), terminal.lines)


@needs_broker
class TokenTests(unittest.TestCase):
    def test_an_open_address_is_asked_with_its_token(self):
        worker = Worker("--admin", "0.0.0.0:0", env={"WIDGETD_ADMIN_TOKEN": "open-sesame"})
        self.addCleanup(worker.close)
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("open-sesame\n")
            file.flush()
            arguments = ("list", "--admin", f"127.0.0.1:{worker.port}", "--json")
            done = run(*arguments, env={"WIDGETD_ADMIN_TOKEN_FILE": file.name})
            self.assertEqual((done.returncode, done.stdout), (0, "[]\n"), done.stderr)
        done = run(*arguments)
        self.assertEqual(done.returncode, 3)
        self.assertIn("WIDGETD_ADMIN_TOKEN_FILE", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
