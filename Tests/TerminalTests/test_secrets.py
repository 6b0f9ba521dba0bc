"""Secrets in files of their own: those that WIDGETD_…_FILE names and systemd's credentials."""

import os
import tempfile
import unittest

from _terminal import run

NOWHERE = "amqp://user:hidden@127.0.0.1:1/%2f"


class SecretTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, content, name="amqp-url", mode=0o600):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        os.chmod(path, mode)
        return path

    def reach(self, env, *options):
        """Where the program looks for the broker: it says so when nothing listens there."""
        done = run("redrive", "--account", "acme", *options, env=env)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertNotIn("hidden", done.stderr)
        return done

    def assert_reached(self, words, env, *options):
        done = self.reach(env, *options)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(words, done.stderr)

    def test_a_file_holds_the_value_with_or_without_a_line_end(self):
        for end in ("", "\n", "\r\n", "\n\n"):
            with self.subTest(end):
                self.assert_reached("127.0.0.1:1 as user", {"WIDGETD_AMQP_URL_FILE": self.write(NOWHERE + end)})

    def test_a_credential_of_the_options_name_holds_it_too(self):
        self.write(NOWHERE)
        self.assert_reached("127.0.0.1:1 as user", {"CREDENTIALS_DIRECTORY": self.folder.name})

    def test_what_beats_what(self):
        credentials = {"CREDENTIALS_DIRECTORY": self.folder.name}
        self.write(NOWHERE.replace("user", "credential"))
        config = self.write("{amqp_url: 'amqp://config:hidden@127.0.0.1:1'}", "c.json5")
        self.assert_reached("as credential", credentials, "--config", config)
        named = {**credentials, "WIDGETD_AMQP_URL_FILE": self.write(NOWHERE.replace("user", "file"), "other")}
        self.assert_reached("as file", named)
        variable = {**named, "WIDGETD_AMQP_URL": NOWHERE.replace("user", "variable")}
        self.assert_reached("as variable", variable)
        self.assert_reached("as option", variable, "--amqp-url", NOWHERE.replace("user", "option"))

    def test_a_file_that_cannot_be_used_is_told_in_one_line_without_its_content(self):
        missing = os.path.join(self.folder.name, "none")
        for path, words in (
            (missing, "cannot be read: No such file or directory"), (self.folder.name, "cannot be read: Is a directory"),
            (self.write(""), "holds nothing"), (self.write("\n", "b"), "holds nothing"),
            (self.write("hidden\nhidden\n", "c"), "holds 2 lines"), (self.write(b"\xffhidden", "d"), "are no text"),
            (self.write("http://hidden@h", "e"), "is no list of brokers"),
        ):
            with self.subTest(words):
                done = self.reach({"WIDGETD_AMQP_URL_FILE": path})
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(words, done.stderr)
                self.assertIn(path, done.stderr)

    def test_a_file_that_everybody_can_read_is_noted(self):
        for mode, notes in ((0o644, 1), (0o640, 0), (0o600, 0)):
            done = run("check", env={"WIDGETD_AMQP_URL_FILE": self.write(NOWHERE, mode=mode)})
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertEqual(done.stdout.count("every user can read it; chmod 0640 is enough"), notes, done.stdout)
        # Nobody reads it.
        done = run("check", env={"WIDGETD_AMQP_URL_FILE": self.write(NOWHERE, mode=0o644), "WIDGETD_AMQP_URL": NOWHERE})
        self.assertNotIn("every user", done.stdout)

    def test_a_store_is_a_secret_too_since_its_address_may_hold_a_password(self):
        path = self.write(f"sqlite:{self.folder.name}/none/w.db\n", "store")
        done = run("list", env={"CREDENTIALS_DIRECTORY": self.folder.name})
        self.assertIn(f"{self.folder.name}/none/w.db", done.stderr)
        os.remove(path)
        done = run("run", env={"WIDGETD_STORE": "redes://user:hidden@h"})
        self.assertEqual(done.returncode, 2)
        self.assertNotIn("hidden", done.stderr)
        self.assertIn("redes", done.stderr)

    def test_help_and_manual_tell_the_variable_of_the_file(self):
        for words in (("run", "--help"), ("manual",)):
            shown = run(*words).stdout
            for variable in ("WIDGETD_AMQP_URL_FILE", "WIDGETD_STORE_FILE", "WIDGETD_ADMIN_TOKEN_FILE"):
                self.assertIn(variable, shown)
        self.assertIn("credential", run("manual").stdout)


if __name__ == "__main__":
    unittest.main()
