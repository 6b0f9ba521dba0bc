"""The JSON5 configuration: what beats what, every fault with its place, and JSON5 as its specification has it."""

import json
import os
import tempfile
import unittest

from _terminal import run, shown

# https://spec.json5.org: texts and what becomes of the option that they set.
LEGAL = [
    ("{max_widgets:1}", "1"), ('{"max_widgets":1,}', "1"), ("{'max-widgets': 0x1F}", "31"), ("{max_widgets: +5}", "5"),
    ("{max_widgets: 5.}", "5"), ("{max_widgets: 50e1}", "500"), ("{max_widgets: '7'}", "7"),
    ("// c\n{/* * / */max_widgets:/**/9 // d\n}//", "9"), ("\ufeff{\u00a0max_widgets\u2028:\u3000 4\u2029}", "4"),
    ("{max\\u005fwidgets: 3}", "3"), ("{max_widgets: '\\x38\\u0030'}", "80"), ("{max_widgets: '1\\\n2'}", "12"),
    ("{\"max_widgets\": \"\\61\"}", None), ("{max_widgets: .5}", None), ("{max_widgets: NaN}", None),
    ("{max_widgets: -Infinity}", None),
]

# Texts that are none, the place that is named, and a word of the reason.
ILLEGAL = [
    ("", (1, 1), "missing"), ("{", (1, 1), "does not end"), ("{a}", (1, 3), "colon"), ("[1]", (1, 1), "object"),
    ("{max_widgets: 1} x", (1, 18), "follows"), ("{max_widgets: 1\n queue: 'a'}", (2, 2), "comma"),
    ("{queue: 'a}", (1, 9), "does not end"), ("{queue: 'a\nb'}", (1, 9), "line"), ("{queue: a}", (1, 9), "quotes"),
    ("{max_widgets: 01}", (1, 15), "0"), ("{max_widgets: 0x}", (1, 15), "digits"), ("{max_widgets: 1e}", (1, 15), "exp"),
    ("{max_widgets: .}", (1, 15), "digits"), ("{max_widgets: 1, max_widgets: 2}", (1, 18), "twice"),
    ("{max_widgets: 1, 'max-widgets': 2}", (1, 18), "twice"), ("{,}", (1, 2), "name"), ("/* {}", (1, 1), "comment"),
    ("{queue: '\\u12'}", (1, 10), "4 hex"), ("{queue: '\\ud800'}", (1, 10), "surrogate"), ("{1a: 1}", (1, 2), "name"),
    ("[" * 100, (1, 65), "deep"), ("{queue: {}}", (1, 9), "string"), ("{strict: 1}", (1, 10), "true or false"),
    ("{prefetch: true}", (1, 12), "string or a number"), ("{prefech: 1}", (1, 2), "did you mean prefetch?"),
    ("{\n  // c\n  lgo_level: 'info'}", (3, 3), "did you mean log_level?"), ("{help: true}", (1, 2), "no option"),
    ("{queue_type: 'stream'}", (1, 14), "quorum or classic"), ("{prefetch: 1.5}", (1, 12), "whole number"),
    ("{template: 'guage'}", (1, 12), "did you mean gauge?"), ("{amqp_url: ['amqp://a', 'http://b']}", (1, 12), "brokers"),
]


class ConfigurationTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "c.json5")

    def write(self, text):
        with open(self.path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return self.path

    def limit(self, *arguments, env=None):
        """How many widgets an account may have: what the program took for --max-widgets."""
        body = {"name": "N", "content": {"template": "status"}}
        lines = [json.dumps({"type": "widget.create", "slug": f"w{n}", "body": body}) for n in range(600)]
        done = run("apply", *arguments, text="\n".join(lines) + "\n", env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        return str(sum(json.loads(line)["outcome"] == "accepted" for line in done.stdout.splitlines()))

    def test_an_option_beats_the_environment_which_beats_the_file(self):
        file = self.write("{max_widgets: 3}")
        self.assertEqual(self.limit("--config", file), "3")
        self.assertEqual(self.limit(env={"WIDGETD_CONFIG": file}), "3")
        self.assertEqual(self.limit("--config", file, env={"WIDGETD_MAX_WIDGETS": "2"}), "2")
        self.assertEqual(self.limit("--config", file, "--max-widgets", "1", env={"WIDGETD_MAX_WIDGETS": "2"}), "1")
        self.assertEqual(self.limit(), "50")

    def test_a_switch_is_on_or_off_in_the_file(self):
        for text, status in (("{strict: true}", 1), ("{strict: false}", 0), ("{}", 0)):
            self.assertEqual(run("apply", "--config", self.write(text), text="{}\n").returncode, status, text)

    def test_json5_is_read_as_its_specification_has_it(self):
        for text, value in LEGAL:
            with self.subTest(text):
                if value:
                    self.assertEqual(self.limit("--config", self.write(text)), value)
                else:
                    done = run("apply", "--config", self.write(text))
                    self.assertEqual(done.returncode, 2)
                    self.assertRegex(done.stderr, r"max_widgets \(.*c\.json5:1:|none of JSON5")

    def test_each_fault_is_named_with_its_place(self):
        for text, (line, column), words in ILLEGAL:
            with self.subTest(text):
                done = run("check", "--config", self.write(text))
                self.assertEqual(done.returncode, 1, done.stderr)
                fault = done.stdout.splitlines()[0]
                self.assertTrue(fault.startswith(f"{self.path}:{line}:{column}: "), fault)
                self.assertIn(words, fault)

    def test_a_file_with_a_fault_starts_no_other_command(self):
        for command in ("run", "apply", "list"):
            done = run(command, "--config", self.write("{\n  prefech: 1}"))
            self.assertEqual(done.returncode, 2)
            self.assertEqual(len(done.stderr.splitlines()), 1)
            self.assertIn("c.json5:2:3: prefech is no option; did you mean prefetch?", done.stderr)
        missing = run("list", "--config", self.path + "x")
        self.assertEqual(missing.returncode, 2)
        self.assertIn("cannot be read: No such file", missing.stderr)

    def test_all_faults_are_told_at_once_in_their_order(self):
        done = run("check", "--config", self.write("{log_level: 'loud',\n prefetch: 0,\n admin: 'x',\n}"))
        places = [line.split(": ")[0] for line in done.stdout.splitlines()]
        self.assertEqual(places, [f"{self.path}:{place}" for place in ("1:13", "2:12", "3:9")])

    def test_names_that_would_lead_outcomes_back_in_are_told(self):
        done = run("check", "--config", self.write("{queue: 'a', fanout_queue: 'a'}"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("--queue and --fanout-queue are both", done.stdout)

    def test_a_password_is_never_shown(self):
        file = self.write("{amqp_url: 'amqp://user:hidden@host:port'}")
        for done in (run("check", "--config", file), run("run", "--config", file)):
            self.assertNotIn("hidden", done.stdout + done.stderr)
        terminal, status = shown("check", "--config", file)
        self.assertEqual(status, 1)
        self.assertNotIn(b"hidden", terminal.raw)

    def test_a_mistyped_variable_is_named(self):
        done = run("check", env={"WIDGETD_PREFECH": "5", "WIDGETD_SOMETHING_ELSE": "x"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("WIDGETD_PREFECH is no variable of widgetd; did you mean WIDGETD_PREFETCH?", done.stdout)
        self.assertNotIn("SOMETHING", done.stdout)

    def test_a_message_names_where_the_value_stands(self):
        for arguments, env, words in (
            (["--max-body", "x"], {}, "--max-body must be"), ([], {"WIDGETD_MAX_BODY": "x"}, "WIDGETD_MAX_BODY must be"),
            (["--config", self.write("{max_body: 'x'}")], {}, "max_body (%s:1:12) must be" % self.path),
        ):
            done = run("apply", *arguments, env=env)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
