"""`send` in a terminal, beside a running worker."""

import json
import tempfile
import unittest
import uuid
from datetime import datetime, timedelta, timezone

from _live import URL, LiveTests, needs_broker
from _terminal import run


@needs_broker
class AcceptedTests(LiveTests):
    def test_a_patch_is_drawn_as_the_device_shows_the_merged_widget(self):
        self.create("template=progress", "value=0.2", "label=Pages")
        lines, status = self.shown_("send", self.slug, "value=0.6", "subtitle=6 of 10 acked")
        self.assertEqual(status, 0, lines)
        self.assertEqual(lines[0], f"acme/{self.slug} accepted as revision 2, changed subtitle, value")
        self.assertEqual([line.strip("│ ") for line in lines[2:5]], ["Pages", "60%", "6 of 10 acked"])
        bar = lines[5].strip("│ ")
        self.assertEqual(round(bar.count("█") / len(bar), 1), 0.6)

    def test_values_are_typed_by_the_contract(self):
        self.create(
            "template=value", "value=6.50", "label=6", "stale_after=900", "push_throttle=5",
            "url_action.url=https://example.com", "url_action.foreground=true", "url_action.headers.X-A.b=1",
            "stat_rows.0.label=Open", "stat_rows.0.value=4", "stat_rows.1.label=Done", "stat_rows.1.value=5",
            "points=[1, 2]", "unit:=\"h\"")
        stored = self.worker.get(f"/api/widgets/acme/{self.slug}")[2]
        self.assertIn('"value":6.50', stored)
        widget = json.loads(stored)
        self.assertEqual((widget["stale_after"], widget["push_throttle"], widget["name"]), (900, 5, "Pages"))
        content = widget["content"]
        self.assertEqual((content["label"], content["unit"], content["points"]), ("6", "h", [1, 2]))
        self.assertEqual(
            content["url_action"], {"url": "https://example.com", "foreground": True, "headers": {"X-A.b": "[redacted]"}})
        self.assertEqual(
            content["stat_rows"], [{"label": "Open", "value": "4"}, {"label": "Done", "value": "5"}])

    def test_fields_are_cleared_by_nothing_by_null_and_by_name(self):
        self.create("template=progress", "value=0.2", "label=L", "subtitle=S", "trend=up", "unit=h", "stale_after=900")
        done = self.run_("send", self.slug, "label=", "trend=null", "subtitle=null", "stale_after:=null", "--clear", "unit")
        self.assertEqual(done.returncode, 0, done.stdout)
        widget = self.widget()
        # Any text will do for a subtitle, so "null" is one.
        self.assertEqual(widget["content"], {"template": "progress", "value": 0.2, "subtitle": "null"})
        self.assertNotIn("stale_after", widget)

    def test_a_body_from_standard_input_and_a_deletion(self):
        done = self.run_(
            "send", self.slug, "--create", "--json", "-",
            text='{"name": "N", "content": {"template": "status", "label": "Up"}}')
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stdout.splitlines()[1:], ["Up"])
        done = self.run_("send", f"acme/{self.slug}", "--delete")
        self.assertEqual((done.returncode, done.stdout), (0, f"acme/{self.slug} deleted as revision 2\n"))

    def test_a_push_that_the_throttle_holds_back_is_said_to_wait(self):
        self.create("template=progress", "value=0.2", "push_throttle=3600")
        lines, status = self.shown_("send", self.slug, "value=0.6")
        self.assertEqual(status, 0)
        self.assertEqual(lines[1:], ["devices are told at the end of the widget's throttle window"])

    def test_a_countdown_ticks_once(self):
        end = datetime.now(timezone.utc) + timedelta(hours=5)
        with self.terminal(
            "send", self.slug, "--create", "--name", "N", "template=countdown", f"end_date={end:%Y-%m-%dT%H:%M:%SZ}") as terminal:
            self.assertEqual(terminal.finish(), 0)
        drawn = terminal.raw.decode().split("\x1b[J")
        self.assertEqual(len(drawn), 2)
        clocks = [[word for line in text.splitlines() for word in line.split() if word.count(":") == 2]
                  for text in drawn]
        self.assertNotEqual(clocks[0], clocks[1])
        self.assertEqual(len([line for line in terminal.lines if line.startswith("╭")]), 1)

    def test_a_repeat_is_told_as_one(self):
        fields = ("send", self.slug, "--create", "--name", "N", "template=status", "--message-id", self.slug)
        self.assertEqual(self.run_(*fields).returncode, 0)
        self.assertIn("a repeat", self.run_(*fields).stdout)
        self.assertEqual(self.widget()["revision"], 1)

    def test_hostile_content_does_not_reach_the_terminal(self):
        with self.terminal(
            "send", self.slug, "--create", "--name", "N", "template=status",
            "label=a\x1b]0;owned\x07\u202eb\u200fc日本") as terminal:
            self.assertEqual(terminal.finish(), 0)
        text = terminal.raw.decode()
        for mark in ("\x1b]", "\x07", "\u202e", "\u200f"):
            self.assertNotIn(mark, text)
        # The frame is straight, though the last two characters of the label take two columns each.
        row = next(row for row, line in enumerate(terminal.screen.display) if "日本" in line)
        end = terminal.screen.display[row - 1].index("╮")
        self.assertEqual(terminal.screen.buffer[row][end].data, "│", terminal.lines)

    def test_colour_is_for_terminals_and_not_under_no_color(self):
        self.create("template=progress", "value=0.2")
        self.assertNotIn("\x1b", self.run_("send", self.slug).stdout)
        for env, has_colour in (({}, True), ({"NO_COLOR": "1"}, False)):
            with self.terminal("send", self.slug, "value=0.3", env=env) as terminal:
                terminal.finish()
                self.assertEqual(b"\x1b[32m" in terminal.raw, has_colour)


@needs_broker
class RejectedTests(LiveTests):
    def test_each_fault_has_a_caret_under_what_was_sent(self):
        self.create("template=progress", "value=0.2")
        lines, status = self.shown_("send", self.slug, "value=42", "label=x", 'tap_action={"url": 5}')
        self.assertEqual(status, 1)
        self.assertEqual(lines[0], f"acme/{self.slug} rejected, widget.content_invalid")
        for meant, message in (("42", "value must be between 0 and 1"), ("5", "tap_action.url must be")):
            place = next(index for index, line in enumerate(lines) if message in line)
            text, mark = lines[place + 1:place + 3]
            self.assertEqual(text[mark.index("^"):mark.rindex(mark[-1]) + 1], meant, lines)

    def test_a_fault_in_a_file_has_its_line_and_column(self):
        self.create("template=progress", "value=0.2")
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write('{\n  "content": {"valu": 1}\n}\n')
            file.flush()
            done = self.run_("send", self.slug, "--json", file.name)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{file.name}:2:15: valu is no member", done.stdout)

    def test_an_unknown_widget_and_a_stale_sequence_say_what_to_do(self):
        done = self.run_("send", self.slug, "value=1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("--create --name=NAME template=…", done.stdout)
        self.create("template=status", "--sequence", "7")
        done = self.run_("send", self.slug, "label=x", "--sequence", "7")
        self.assertEqual(done.returncode, 1)
        self.assertIn("--sequence wants a greater one", done.stdout)


class UsageTests(unittest.TestCase):
    def test_what_is_wrong_is_said_before_anything_is_sent(self):
        for arguments, words in (
            (["w", "valu=1"], "valu is no field of a widget; did you mean value?"),
            (["w", "url_action.ur=x"], "ur is no field of url_action; did you mean url?"),
            (["w", "value.x=1"], "value has no fields"),
            (["w", "value=six"], 'value wants a number such as 0.6, and "six" is none'),
            (["w", "flow=1"], "flow wants a JSON object"),
            (["w", "points:=[1,"], "points:= wants JSON"),
            (["w", "stat_rows.1.label=x"], "before element 0 is set"),
            (["w", "stat_rows.9.label=x"], "has elements 0 to 5"),
            (["w", "value=1", "value=2"], "value is set twice"),
            (["w", "url_action={}", "url_action.url=x"], "set twice, or together with what holds it"),
            (["w", "value"], "a field is set by FIELD=VALUE"),
            (["w", "value=1", "--json", "-"], "--json is the whole body"),
            (["w", "value=1", "--delete"], "--delete takes no fields"),
            (["w", "--create", "--delete"], "exclude each other"),
            (["a/b/c"], "[ACCOUNT/]SLUG"), ([], "[ACCOUNT/]SLUG"),
            (["w", "--run"], "--run wants a command"),
        ):
            with self.subTest(arguments):
                done = run("send", *arguments, env={"WIDGETD_AMQP_URL": "amqp://127.0.0.1:1"})
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(words, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1)


@needs_broker
class UnavailableTests(LiveTests):
    def assert_unavailable(self, words, *options, **changes):
        done = self.run_("send", self.slug, "value=1", *options, env=changes)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn(words, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertNotIn("secret", done.stderr)

    def test_a_broker_that_is_not_there_or_does_not_let_in(self):
        self.assert_unavailable("does a broker listen there?", WIDGETD_AMQP_URL="amqp://127.0.0.1:1")
        self.assert_unavailable("check user, password", WIDGETD_AMQP_URL=URL.replace(":guest@", ":secret@"))

    def test_a_permission_that_is_missing(self):
        self.assert_unavailable("give the user this permission", WIDGETD_AMQP_URL=self.user("^$", "^$", "^$"))
        self.assert_unavailable(
            "give the user this permission (to send the update and read its receipt)",
            WIDGETD_AMQP_URL=self.user(r"^amq\.gen.*", r"^amq\.gen.*", ".*"))

    def test_an_exchange_that_is_not_there(self):
        missing = f"none-{uuid.uuid4().hex[:8]}"
        for option in ("WIDGETD_UPDATES_EXCHANGE", "WIDGETD_ACCEPTED_EXCHANGE"):
            self.assert_unavailable(f"no exchange '{missing}'", **{option: missing})
            self.assert_unavailable("`widgetd run` declares what it needs", **{option: missing})

    def test_an_exchange_without_the_workers_queue(self):
        exchange = self.declare("lone")
        self.assert_unavailable(
            "no queue takes updates from the exchange", WIDGETD_UPDATES_EXCHANGE=exchange, WIDGETD_QUEUE="none")

    def declare(self, name):
        exchange = f"{self.worker.rejected}-{name}"
        self.channel.exchange_declare(exchange, "topic")
        self.addCleanup(self.channel.exchange_delete, exchange)
        return exchange

    def test_a_worker_that_does_not_answer(self):
        exchange = self.declare("idle")
        self.channel.queue_declare(exchange)
        self.addCleanup(self.channel.queue_delete, exchange)
        self.channel.queue_bind(exchange, exchange, "#")
        self.assert_unavailable(
            f"no worker has answered within 1 s; the update is in the queue and may yet be applied. The queue {exchange}"
            " has 0 consumers and 1 message waiting.", "--timeout", "1", WIDGETD_UPDATES_EXCHANGE=exchange,
            WIDGETD_QUEUE=exchange)


if __name__ == "__main__":
    unittest.main()
