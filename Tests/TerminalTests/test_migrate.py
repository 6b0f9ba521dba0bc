"""`migrate`: what a worker left in a file, in Redis; and the commands that look into a store, there."""

import contextlib
import fcntl
import json
import os
import sqlite3
import struct
import subprocess
import tempfile
import unittest

from _redis import Redis
from _terminal import run


def line(kind, slug, body=None, **more):
    return json.dumps(
        {"type": f"widget.{kind}", "account": "acme", "slug": slug, **({} if body is None else {"body": body}), **more})


CREATE = {"name": "Pages", "content": {"template": "progress", "value": 0.6}}
LINES = [
    line("create", "pages", CREATE, message_id="r-1"),
    line("patch", "pages", {"content": {"value": 0.7}}, message_id="r-2"),
    line("create", "gone", CREATE), line("delete", "gone"), line("create", "other", CREATE, sequence=9),
    line("patch", "pages", {"content": {"value": 7}}, message_id="r-3"),
]


class MigrateTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "w.db")
        self.file = f"sqlite:{self.path}"
        self.apply(self.file, LINES)
        self.port = self.enterContext(Redis()).port
        self.server = f"redis://127.0.0.1:{self.port}"

    def apply(self, store, lines):
        done = run("apply", "--store", store, text="\n".join(lines) + "\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(outcome) for outcome in done.stdout.splitlines()]

    def migrate(self, *more, status=0):
        done = run("migrate", "--from", self.file, "--to", self.server, *more)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return done.stdout + done.stderr

    def test_everything_goes_on_in_redis_where_it_stood(self):
        words = self.migrate()
        self.assertIn("2 widgets, and 1 deleted one with its revision", words)
        self.assertIn("3 message ids remembered", words)
        for command in (["list"], ["list", "--json"], ["get", "acme/pages", "--json"]):
            texts = [run(*command, "--store", store).stdout for store in (self.file, self.server)]
            self.assertEqual(*texts)
            self.assertIn("pages", texts[0])
        again = self.apply(self.server, LINES[:2] + [LINES[5], LINES[2], line("patch", "other", {}, sequence=9)])
        self.assertTrue(again[0]["duplicate"] and again[1]["duplicate"] and again[2]["duplicate"])
        self.assertEqual([outcome.get("revision") for outcome in again[:2]], [1, 2])
        self.assertEqual(again[3]["revision"], 3)
        self.assertEqual(again[4]["code"], "widget.sequence_stale")

    def test_it_is_made_again_only_when_told_to_and_leaves_what_is_newer(self):
        self.migrate()
        self.assertIn("has widgets already", self.migrate(status=2))
        self.apply(self.server, [line("patch", "pages", {"content": {"value": 0.9}})])
        self.assertIn("1 widget left as found, newer there", self.migrate("--overwrite"))
        got = json.loads(run("get", "acme/pages", "--json", "--store", self.server).stdout)
        self.assertEqual((got["revision"], got["content"]["value"]), (3, 0.9))

    def test_fan_outs_that_wait_go_along(self):
        with contextlib.closing(sqlite3.connect(self.path)) as database, database:
            database.execute("INSERT INTO pending VALUES ('acme', 'pages', 1, 15000, 4, 2, '1.6', NULL, NULL)")
        self.assertIn("1 fan-out waiting", self.migrate())
        self.assertIn("acme/pages", run("list", "--pending", "--store", self.server).stdout)

    def test_what_is_to_be_published_and_to_be_recognised_goes_along_in_its_order(self):
        # As OutcomeBatch has it: length, destination, revision, timestamp, eleven absent texts, body behind its length.
        outcomes = [struct.pack("<IBqq", 47 + len(body), 0, 7, 0) + b"\xff" * 22 + struct.pack("<I", len(body)) + body
                    for body in (b'{"first":1}', b'{"second":2}')]
        with contextlib.closing(sqlite3.connect(self.path)) as database, database:
            for number, outcome in enumerate(outcomes):
                database.execute("INSERT INTO outbox VALUES (?, ?)", (90 + number, outcome))
                database.execute("INSERT INTO deliveries VALUES (?, ?)", (90 + number, bytes([number]) * 16))
        words = self.migrate("--queue", "updates")
        self.assertIn("2 outcomes still to be published", words)
        self.assertEqual(self.redis("HVALS", "{widgetd}:outbox"), b"".join(outcomes) + b"\n")
        deliveries = self.redis("ZRANGE", "{widgetd}:queue:updates:deliveries", "0", "-1")
        self.assertEqual(deliveries[16:], bytes(16) + bytes([1]) * 16 + b"\n")

    def redis(self, *command):
        return subprocess.run(
            ["redis-cli", "--raw", "-p", str(self.port), *command], capture_output=True, check=True).stdout

    def test_a_worker_that_still_runs_is_told_of_and_so_is_a_wrong_address(self):
        with open(self.path + "-lock", "a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertIn("another", self.migrate(status=3))
        for words, wanted in [
            (["--to", "sqlite:x"], "must be redis://"),
            (["--from", "memory:", "--to", self.server], "must be sqlite:PATH"),
            (["--to", "redis://u:hush@h:x"], "a port"), ([], "migrate wants --to"),
        ]:
            done = run("migrate", *words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(wanted, done.stderr)
            self.assertNotIn("hush", done.stderr)
        done = run("migrate", "--from", "sqlite:/nowhere/w.db", "--to", self.server)
        self.assertEqual(done.returncode, 3, done.stderr)
        done = run("migrate", "--from", self.file, "--to", "redis://127.0.0.1:1")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("Connection refused", done.stderr)


if __name__ == "__main__":
    unittest.main()
