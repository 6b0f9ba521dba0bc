"""`send --run`: a command whose fate a widget shows, and that is not harmed by it."""

import os
import signal
import subprocess
import unittest

from _live import LiveTests, needs_broker
from _terminal import BINARY, environment

TRAP = 'trap "echo told; exit 7" TERM INT; echo up; while :; do sleep 0.02; done'


@needs_broker
class RunTests(LiveTests):
    def content(self):
        return self.widget().get("content", {})

    def test_a_command_is_reported_done(self):
        done = self.run_("send", self.slug, "--run", "--name", "Deployment", "--", "cat", text="passed through")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "passed through", ""))
        widget = self.widget()
        self.assertEqual((widget["name"], widget["revision"]), ("Deployment", 2))
        content = widget["content"]
        self.assertEqual((content["template"], content["label"], content["severity"]), ("status", "Done", "success"))
        self.assertRegex(content["subtitle"], r"^cat, \d+ s$")
        self.assertNotIn("subtitle_timer", content)

    def test_while_it_runs_the_widget_says_since_when(self):
        with self.terminal("send", self.slug, "--run", "--", "sh", "-c", TRAP) as terminal:
            self.wait_for(lambda: self.content().get("label") == "Running")
            self.assertTrue(terminal.wait_for(lambda: b"up" in terminal.raw))
            self.assertIn("date", self.content()["subtitle_timer"])
            self.assertNotIn("value", self.content())
            terminal.process.send_signal(signal.SIGTERM)
            self.assertEqual(terminal.finish(), 7)
        self.assertEqual(self.content()["label"], "Failed with 7")
        self.assertEqual(self.content()["severity"], "critical")

    def test_the_terminals_interrupt_reaches_the_command_once(self):
        with self.terminal("send", self.slug, "--run", "--", "sh", "-c", TRAP) as terminal:
            self.assertTrue(terminal.wait_for(lambda: b"up" in terminal.raw))
            self.wait_for(lambda: self.content().get("label") == "Running")
            terminal.type("\x03")
            self.assertEqual(terminal.finish(), 7)
        self.assertEqual(terminal.raw.count(b"told"), 1)

    def test_a_signal_is_the_commands_end_as_shells_tell_it(self):
        self.assertEqual(self.run_("send", self.slug, "--run", "--", "sh", "-c", "kill -9 $$").returncode, 137)
        self.assertEqual(self.content()["label"], "Ended by signal 9")

    def test_a_command_that_cannot_be_started_is_reported(self):
        folder = os.path.dirname(BINARY)
        for command, status in (("no-such-command", 127), (folder, 126)):
            done = self.run_("send", self.slug, "--run", "--", command)
            self.assertEqual(done.returncode, status)
            self.assertIn(command, done.stderr)
            self.assertEqual(self.content()["label"], "Could not start")

    def test_what_somebody_gave_the_widget_stays(self):
        self.create("template=progress", "value=0.3", "icon=bolt", "url_action.url=https://example.com")
        self.assertEqual(self.run_("send", self.slug, "--run", "--", "true").returncode, 0)
        self.assertEqual(self.widget()["name"], "Pages")
        self.assertEqual((self.content()["icon"], self.content()["template"]), ("bolt", "status"))
        self.assertIn("url_action", self.content())

    def test_without_a_broker_the_command_keeps_its_streams_and_status(self):
        done = self.run_(
            "send", self.slug, "--run", "--", "sh", "-c", "echo out; exit 5", env={"WIDGETD_AMQP_URL": "amqp://127.0.0.1:1"})
        self.assertEqual((done.returncode, done.stdout), (5, "out\n"))
        lines = done.stderr.splitlines()
        self.assertEqual([line.split(":")[1] for line in lines], [
            f' {self.slug} does not show "Running"', f' {self.slug} does not show "Failed with 5"'])

    def test_the_commands_own_options_are_its_own(self):
        done = self.run_("send", self.slug, "--run", "--", "echo", "--help", "--json")
        self.assertEqual(done.stdout, "--help --json\n")

    def test_a_closed_pipe_ends_the_command_as_ever(self):
        # What is ignored stays ignored over an exec: `yes` would complain instead of ending by the signal.
        command = [BINARY, "send", self.slug, "--run", "--", "yes"]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(self.names)) as process:
            process.stdout.readline()
            process.stdout.close()
            self.assertEqual(process.wait(timeout=120), 128 + signal.SIGPIPE)
            self.assertEqual(process.stderr.read(), b"")


if __name__ == "__main__":
    unittest.main()
