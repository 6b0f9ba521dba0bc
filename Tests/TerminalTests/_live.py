"""A running worker with a topology of its own, and what the commands that talk to it need to know."""

import os
import subprocess
import sys
import time
import unittest
import uuid
from pathlib import Path
from urllib.parse import urlsplit

from _terminal import BINARY, DEADLINE, Terminal, run, shown

sys.path.append(str(Path(__file__).resolve().parents[1] / "AdminTests"))
from _worker import Worker  # noqa: E402 the other folder has to be on the path first

URL = os.environ.get("WIDGETD_TEST_AMQP_URL")
CTL = os.environ.get("WIDGETD_TEST_BROKERCTL")


class LiveTests(unittest.TestCase):
    """Tests beside one worker: nobody waits for a throttle window unless a widget asks for one."""

    @classmethod
    def setUpClass(cls):
        cls.worker = Worker()
        cls.addClassCleanup(cls.worker.close)
        cls.worker.wait_until_ready()
        cls.names = {
            "WIDGETD_AMQP_URL": URL, "WIDGETD_UPDATES_EXCHANGE": cls.worker.updates,
            "WIDGETD_QUEUE": cls.worker.updates, "WIDGETD_ACCEPTED_EXCHANGE": cls.worker.accepted,
            "WIDGETD_REJECTED_EXCHANGE": cls.worker.rejected, "WIDGETD_ACCOUNT": "acme",
        }
        cls.channel = cls.worker.channel

    def setUp(self):
        self.slug = f"w-{uuid.uuid4().hex[:8]}"

    def run_(self, *arguments, env=None, **options):
        return run(*arguments, env={**self.names, **(env or {})}, **options)

    def shown_(self, *arguments, env=None, **options):
        """The lines on the screen and the exit status."""
        terminal, status = shown(*arguments, env={**self.names, **(env or {})}, **options)
        return terminal.lines, status

    def terminal(self, *arguments, env=None, **options):
        """Under way; `with` ends it."""
        return Terminal(BINARY, *arguments, env={**self.names, **(env or {})}, **options)

    def create(self, *fields, slug=None):
        done = self.run_("send", slug or self.slug, "--create", "--name", "Pages", *fields)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def widget(self, slug=None):
        """The stored widget, as the admin address tells it."""
        return self.worker.json(f"/api/widgets/acme/{slug or self.slug}")

    def wait_for(self, condition, what="it has not come so far"):
        end = time.monotonic() + DEADLINE
        while not (value := condition()):
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.02)
        return value

    def user(self, configure, write, read):
        """The address of the broker for a new user with these permissions."""
        name = f"live-{uuid.uuid4().hex[:8]}"
        for command in (["add_user", name, "secret"], ["set_permissions", name, configure, write, read]):
            subprocess.run([CTL, "-q", *command], check=True, capture_output=True)
        self.addCleanup(subprocess.run, [CTL, "-q", "delete_user", name], check=True, capture_output=True)
        parts = urlsplit(URL)
        return f"amqp://{name}:secret@{parts.hostname}:{parts.port}{parts.path}"


def needs_broker(tests):
    return unittest.skipUnless(
        URL and CTL, "WIDGETD_TEST_AMQP_URL and _BROKERCTL name no broker; deploy/test sets them")(tests)
