"""`watch` in a terminal and in a pipe, beside a running worker."""

import json
import os
import queue
import signal
import subprocess
import termios
import threading
import unittest
import uuid

from _live import CTL, URL, LiveTests, needs_broker
from _terminal import BINARY, DEADLINE, environment, run

ALTERNATE, USUAL = b"\x1b[?1049h", b"\x1b[?1049l"


class Lines:
    """A program's output, line by line as it comes."""

    def __init__(self, arguments, env):
        self.process = subprocess.Popen(
            [BINARY, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment(env))
        self.output, self.errors = queue.Queue(), queue.Queue()
        self.readers = [
            threading.Thread(target=lambda s, l: [l.put(line) for line in s], args=pair)
            for pair in ((self.process.stdout, self.output), (self.process.stderr, self.errors))]
        for reader in self.readers:
            reader.start()

    def event(self):
        return json.loads(self.output.get(timeout=DEADLINE))

    def close(self):
        self.process.kill()
        self.process.wait()
        for reader in self.readers:
            reader.join()
        self.process.stdout.close()
        self.process.stderr.close()


@needs_broker
class LiveViewTests(LiveTests):
    def watch(self, *arguments, **options):
        terminal = self.terminal("watch", *arguments, **options)
        self.assertTrue(terminal.wait_for(lambda: any("q ends" in line for line in terminal.lines)), terminal.raw)
        return terminal

    def line(self, terminal, *words):
        """The line of the screen that holds all these words."""
        found = []

        def is_shown():
            found[:] = [line for line in terminal.lines if all(word in line for word in words)]
            return bool(found)

        self.assertTrue(terminal.wait_for(is_shown), (words, terminal.lines))
        return found[0]

    def test_widgets_and_rejections_are_drawn_as_they_come(self):
        with self.watch("--account", "acme", "--slug", self.slug) as terminal:
            self.create("template=progress", "value=0.5", "subtitle=half")
            line = self.line(terminal, f"acme/{self.slug}", "50%", "half")
            self.assertRegex(line, r"█{6}░{6} .* 1 +\d+ s ago$")
            self.run_("send", self.slug, "value=7")
            self.line(terminal, "widget.content_invalid", f"acme/{self.slug}", "value must be between 0 and 1")
            self.line(terminal, "1 widget, 1 accepted, 1 rejected")
            self.run_("send", self.slug, "template=countdown", "end_date=2027-01-01T00:00:00Z")
            before = self.line(terminal, f"acme/{self.slug}", ":").split()[1]
            self.assertTrue(
                terminal.wait_for(lambda: self.line(terminal, f"acme/{self.slug}").split()[1] != before), "no tick")
            self.run_("send", self.slug, "--delete")
            self.line(terminal, f"acme/{self.slug}", "deleted")

    def test_other_accounts_and_slugs_are_not_shown(self):
        with self.watch("--account", "acme", "--slug", self.slug) as terminal:
            self.create("template=status", "label=other", slug=self.slug + "-b")
            self.run_("send", f"umbrella/{self.slug}", "--create", "--name", "N", "template=status", "label=third")
            self.create("template=status", "label=mine")
            self.line(terminal, "mine")
            self.assertEqual([line for line in terminal.lines if "other" in line or "third" in line], [])

    def test_it_fits_the_terminal_whenever_that_is_resized(self):
        with self.watch("--slug", self.slug, columns=120, rows=20) as terminal:
            self.create("template=progress", "value=0.5", f"label={'long ' * 20}", f"subtitle={'wide日本' * 20}")
            self.line(terminal, self.slug, "50%")
            for columns, rows in ((40, 8), (100, 30), (20, 3)):
                terminal.resize(columns, rows)
                start = len(terminal.raw)
                self.assertTrue(terminal.wait_for(lambda: b"\x1b[2J" in terminal.raw[start:]))
                self.line(terminal, "widgetd watch"[:columns])
                self.assertEqual(terminal.screen.display[0].split()[:2], ["widgetd", "watch"])
                self.assertLessEqual(len(terminal.lines), rows)

    def test_the_terminal_is_as_it_was_after_each_end(self):
        ends = (
            lambda terminal: terminal.type("q"), lambda terminal: terminal.type("\x03"),
            lambda terminal: terminal.process.send_signal(signal.SIGTERM),
            lambda terminal: terminal.process.send_signal(signal.SIGHUP),
        )
        for end in ends:
            with self.watch("--slug", self.slug) as terminal:
                self.assertIn(ALTERNATE, terminal.raw)
                self.assertFalse(termios.tcgetattr(terminal.master)[3] & termios.ECHO)
                end(terminal)
                self.assertEqual(terminal.finish(), 0)
                self.assertTrue(terminal.raw.endswith(b"\x1b[?25h" + USUAL), terminal.raw[-40:])
                self.assertTrue(termios.tcgetattr(terminal.master)[3] & termios.ECHO)

    def test_a_stopped_watch_gives_the_terminal_back_and_takes_it_again(self):
        with self.watch("--slug", self.slug) as terminal:
            terminal.type("\x1a")
            self.assertTrue(terminal.wait_for(lambda: USUAL in terminal.raw))
            pid, status = os.waitpid(terminal.process.pid, os.WUNTRACED)
            self.assertTrue(os.WIFSTOPPED(status))
            start = len(terminal.raw)
            os.kill(pid, signal.SIGCONT)
            self.assertTrue(terminal.wait_for(lambda: b"q ends" in terminal.raw[start:]))
            self.assertIn(ALTERNATE, terminal.raw[start:])

    def test_hostile_content_does_not_reach_the_terminal(self):
        label = "a\x1b]0;owned\x07\u202eb\u200f"
        with self.watch("--slug", self.slug) as terminal:
            self.create("template=status", f"label={label}")
            self.run_("send", self.slug, f"severity={label}")
            self.line(terminal, "REJECTED")
            self.line(terminal, "content_invalid")
        with self.terminal("watch", "--json", "--slug", self.slug, env={"NO_COLOR": "1"}) as printed:
            # The queue is there once a line has come.
            def is_followed():
                self.run_("send", self.slug, f"label={label}{uuid.uuid4()}")
                printed.read()
                return printed.raw

            self.wait_for(is_followed)
            self.assertTrue(printed.wait_for(lambda: b"\\u202e" in printed.raw), printed.raw)
        for terminal in (terminal, printed):
            for mark in ("\x1b]", "\x07", "\u202e", "\u200f"):
                self.assertNotIn(mark, terminal.raw.decode())

    def test_no_color(self):
        for env, has_colour in (({}, True), ({"NO_COLOR": "1"}, False)):
            with self.watch("--slug", self.slug, env=env) as terminal:
                self.assertEqual(b"\x1b[2m" in terminal.raw, has_colour)


@needs_broker
class LinesTests(LiveTests):
    def lines(self, *arguments, **changes):
        lines = Lines(["watch", *arguments], {**self.names, "WIDGETD_ACCOUNT": "", **changes})
        self.addCleanup(lines.close)
        return lines

    def started(self, *arguments, **changes):
        """A watch that is known to follow already, and the name of its connection."""
        name = f"watch-{uuid.uuid4().hex[:8]}"
        mark = "&" if "?" in URL else "?"
        lines = self.lines(
            *arguments, WIDGETD_AMQP_URL=f"{URL}{mark}connection_name={name}", WIDGETD_ACCOUNT="acme", **changes)
        self.wait_for(lambda: self.queues(name), "the watch has no queue")
        return lines, name

    def queues(self, name):
        """The queues of a connection that are consumed: whether they are exclusive, and go by themselves."""
        def table(*arguments):
            done = subprocess.run([CTL, "-q", *arguments], check=True, capture_output=True, text=True)
            return [line.split("\t") for line in done.stdout.splitlines()]

        self.pids = [row[0] for row in table("list_connections", "pid", "client_properties") if name in row[1]]
        return [
            (exclusive, auto_delete)
            for owner, exclusive, auto_delete, consumers in table(
                "list_queues", "owner_pid", "exclusive", "auto_delete", "consumers")
            if owner in self.pids and consumers != "0"]

    def test_a_line_of_json_for_each_event_and_nothing_is_disturbed(self):
        def kept():
            return {name: self.channel.queue_declare(name, passive=True).method.message_count
                    for name in (self.worker.accepted, self.worker.rejected)}

        before = kept()
        lines, name = self.started("--json", "--slug", self.slug)
        self.assertEqual(self.queues(name), [("true", "true")])
        self.create("template=progress", "value=0.50")
        self.run_("send", self.slug, "value=7")
        self.run_("send", self.slug, "--delete")
        created, rejected, deleted = (lines.event() for _ in range(3))
        self.assertEqual((created["outcome"], created["account"], created["revision"]), ("accepted", "acme", 1))
        self.assertEqual(created["widget"]["content"], {"template": "progress", "value": 0.5})
        self.assertEqual((rejected["outcome"], rejected["code"]), ("rejected", "widget.content_invalid"))
        self.assertTrue(deleted["widget"]["deleted"])
        self.wait_for(lambda: sum(kept().values()) == sum(before.values()) + 3, "the durable queues have fewer")
        self.assertTrue(lines.errors.empty())

    def test_a_code_follows_its_rejections_alone(self):
        lines, _ = self.started("--json", "--slug", self.slug, "--code", "widget.not_found")
        self.run_("send", self.slug, "value=1")
        self.create("template=progress", "value=0.5")
        self.run_("send", self.slug, "value=7")
        self.run_("send", self.slug, "--delete")
        self.run_("send", self.slug, "value=2")
        self.assertEqual([lines.event()["code"] for _ in range(2)], ["widget.not_found"] * 2)
        self.assertTrue(lines.output.empty())

    def test_without_a_terminal_it_says_so_and_writes_json(self):
        lines, _ = self.started("--slug", self.slug)
        self.assertIn("standard output is no terminal", lines.errors.get(timeout=DEADLINE))
        self.create("template=status")
        self.assertEqual(lines.event()["outcome"], "accepted")

    def test_it_comes_back_when_the_broker_has_gone(self):
        lines, name = self.started("--json", "--slug", self.slug)
        (pid,) = self.pids
        subprocess.run([CTL, "-q", "close_connection", pid, "for a test"], check=True, capture_output=True)
        self.assertIn("the broker is gone, trying again", lines.errors.get(timeout=DEADLINE))
        self.assertIn("the broker is back", lines.errors.get(timeout=DEADLINE))
        self.create("template=status")
        self.assertEqual(lines.event()["revision"], 1)

    def test_a_reader_who_leaves_ends_it(self):
        # The pipeline's status is that of its last program that failed.
        command = ["bash", "-c", 'set -o pipefail; "$0" watch --json --slug "$1" | head -n 1', BINARY, self.slug]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(self.names)) as process:
            def has_ended():
                self.create("template=status", f"label={uuid.uuid4()}")
                return process.poll() is not None

            self.wait_for(has_ended, "the watch goes on")
            self.assertEqual(process.returncode, 3)
            self.assertEqual(json.loads(process.stdout.read())["outcome"], "accepted")


@needs_broker
class UnavailableTests(LiveTests):
    def test_each_fault_is_one_sentence(self):
        missing = f"none-{uuid.uuid4().hex[:8]}"
        for changes, words in (
            ({"WIDGETD_AMQP_URL": "amqp://127.0.0.1:1"}, "does a broker listen there?"),
            ({"WIDGETD_AMQP_URL": URL.replace(":guest@", ":secret@")}, "check user, password"),
            ({"WIDGETD_AMQP_URL": self.user("^$", "^$", "^$")}, "give the user this permission"),
            ({"WIDGETD_REJECTED_EXCHANGE": missing}, f"no exchange '{missing}'"),
        ):
            done = self.run_("watch", "--json", env=changes)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1)
            self.assertNotIn("secret", done.stderr)

    def test_wrong_usage(self):
        for arguments, words in (
            (["acme"], "--slug follows one widget"), (["--code", "widget.not_foun"], "did you mean widget.not_found?"),
            (["--slug", "a b"], "--slug must match"),
        ):
            done = run("watch", *arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
