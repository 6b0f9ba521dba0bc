"""Completion in the shells themselves, the manual page in man, and words that were meant otherwise."""

import os
import shutil
import subprocess
import tempfile
import unittest

from _terminal import BINARY, Terminal, environment, run

SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "source <(widgetd completion bash)"),
    "zsh": (["zsh", "-f", "-i"], "autoload -Uz compinit && compinit -u -D && source <(widgetd completion zsh)"),
    "fish": (["fish", "--no-config", "-i"], "widgetd completion fish | source"),
}
COMMANDS = ["run", "apply", "send", "watch", "get", "list", "check", "schema", "completion", "manual"]


class CompletionTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        os.symlink(BINARY, os.path.join(self.folder.name, "widgetd"))
        with open(os.path.join(self.folder.name, "updates.ndjson"), "w", encoding="utf-8"):
            pass
        self.env = {
            "PATH": f"{self.folder.name}:{os.environ['PATH']}", "HOME": self.folder.name, "PS1": "$ ", "PROMPT": "$ ",
            "EDITOR": "emacs", "VISUAL": "emacs", "XDG_DATA_HOME": self.folder.name, "XDG_CONFIG_HOME": self.folder.name,
        }

    def complete(self, shell, text):
        """Types a command's beginning and Tab, then Return: the words that the shell hands to the command."""
        command, setup = SHELLS[shell]
        seen = os.path.join(self.folder.name, "seen")
        with Terminal(*command, env=self.env, cwd=self.folder.name) as terminal:
            terminal.type(setup + " && echo loa''ded\r")
            self.assertTrue(terminal.wait_for(lambda: b"loaded" in terminal.raw), terminal.lines)
            # What stands behind the completed word is typed once the shell has shown the word.
            start = len(terminal.raw)
            terminal.type(text)
            self.assertTrue(terminal.wait_for(lambda: len(terminal.raw) > start))
            terminal.type("\t")
            terminal.type(" done\x01echo \x05 > seen\r")
            self.assertTrue(terminal.wait_for(lambda: os.path.exists(seen) and os.path.getsize(seen) > 0), terminal.lines)
            with open(seen, encoding="utf-8") as file:
                return file.read().split()

    def assert_completes(self, shell):
        if not shutil.which(shell):
            self.fail(f"{shell} is not installed; deploy/test installs it")
        for text, completed in (
            ("widgetd sche", "schema"), ("widgetd run --topo", "--topology"),
            ("widgetd run --topology cr", "create"), ("widgetd list --template ga", "gauge"),
            ("widgetd apply upd", "updates.ndjson"), ("widgetd check --config upd", "updates.ndjson"),
            ("widgetd completion fi", "fish"), ("widgetd schema content/gau", "content/gauge"),
        ):
            with self.subTest(text):
                words = self.complete(shell, text)
                self.assertEqual(words[-2:], [completed, "done"], words)
                os.remove(os.path.join(self.folder.name, "seen"))

    def test_bash(self):
        self.assert_completes("bash")

    def test_zsh(self):
        self.assert_completes("zsh")

    def test_fish(self):
        self.assert_completes("fish")

    def test_an_unknown_shell_is_named(self):
        done = run("completion", "tcsh")
        self.assertEqual(done.returncode, 2)
        self.assertIn('bash, zsh or fish behind it, and found "tcsh"', done.stderr)


class ManualTests(unittest.TestCase):
    def test_man_shows_every_command_and_option_without_a_warning(self):
        page = run("manual").stdout
        self.assertTrue(page.isascii())
        with tempfile.NamedTemporaryFile("w", suffix=".1") as file:
            file.write(page)
            file.flush()
            man = subprocess.run(
                ["man", "--warnings=w", "-l", file.name], capture_output=True, text=True, check=True,
                env=environment({"MANWIDTH": "100"}))
        self.assertEqual(man.stderr, "")
        for command in COMMANDS:
            self.assertIn(f"widgetd {command}", man.stdout)
            for line in run(command, "--help").stdout.splitlines():
                if line.startswith("  --"):
                    self.assertIn(line.split()[0], man.stdout)
        self.assertIn("'amqp://one.example'", man.stdout)
        self.assertIn("EXIT STATUS", man.stdout)


class HelpTests(unittest.TestCase):
    def test_every_command_has_help_with_an_example(self):
        overview = run("--help").stdout
        for command in COMMANDS:
            self.assertIn(f"  {command} ", overview)
            text = run(command, "--help").stdout
            self.assertIn("examples:\n  ", text)
            self.assertEqual(run("help", command).stdout, text)

    def test_what_was_mistyped_is_named_with_what_was_meant(self):
        for arguments, words in (
            (["lst"], "lst is no command; did you mean list?"), (["chekc"], "did you mean check?"),
            (["frobnicate"], "they are run, apply, send"), (["--stale"], "--stale is no option before a command"),
            (["help", "aply"], "did you mean apply?"), (["list", "--stael"], "did you mean --stale?"),
            (["check", "--onlin=x"], "--online"), (["list", "--acount", "x"], "did you mean --account?"),
            (["schema", "content/guage"], "did you mean content/gauge?"),
        ):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(len(done.stderr.splitlines()), 1)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
