"""The Debian package in a machine of its own: installed, its service started under systemd with everything that the
unit forbids in force, upgraded, and taken away again."""

import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import pika

import _broker
import _machine
from _broker import Broker
from _machine import Machine
from _program import BINARY, DEPLOY, free_port, poll, run

CREATE = json.dumps({"name": "Pages", "content": {"template": "progress", "value": 0.5}})


def build(folder):
    return Path(run(DEPLOY / "debian" / "build", "--binary", BINARY, folder,
                    env={"DEBFULLNAME": "widgetd", "DEBEMAIL": "widgetd@lists.debian.org"}).stdout.splitlines()[-1])


def setUpModule():
    global package
    if (absence := _machine.absence()) is not None:
        raise unittest.SkipTest(absence)
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    package = build(folder.name)
    _machine.unpack(package)


class PackageTests(unittest.TestCase):
    def test_lintian_has_nothing_against_it(self):
        done = run("lintian", "--allow-root", "--fail-on", "error,warning", package, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_the_same_program_gives_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(build(folder).read_bytes(), package.read_bytes())

    def test_swift_is_in_the_program_and_no_dependency(self):
        depends = run("dpkg-deb", "--field", package, "Depends").stdout
        self.assertIn("librabbitmq4", depends)
        self.assertNotIn("swift", depends)
        self.assertNotIn("swift", run("objdump", "-p", BINARY).stdout.lower())


class Installed(unittest.TestCase):
    """A machine with the package in it."""

    def setUp(self):
        self.machine = Machine()
        self.addCleanup(self.machine.close)
        self.sh = lambda script, **options: self.machine.run("sh", "-euc", script, **options).stdout
        shutil.copy(package, self.machine.given / "widgetd.deb")
        self.sh("dpkg --install /tmp/given/widgetd.deb")

    def configure(self, url, *options):
        """Gives the service its broker, and a port that is free on this machine."""
        self.admin = f"127.0.0.1:{free_port()}"
        self.sh(f"umask 077; echo '{url}' > /etc/widgetd/amqp-url;"
                f"sed -i 's/127.0.0.1:9090/{self.admin}/' /etc/widgetd/widgetd.json5")
        if options:
            self.sh("mkdir /etc/systemd/system/widgetd.service.d; printf '%b' '[Service]\\n"
                    + "\\n".join(options) + "\\n' > /etc/systemd/system/widgetd.service.d/test.conf;"
                    "systemctl daemon-reload")

    def is_ready(self):
        return self.machine.run("widgetd", "check", "--health", "ready", "--admin", self.admin, check=False)

    def wait_until_ready(self):
        poll(lambda: self.is_ready().returncode == 0,
             lambda: self.is_ready().stdout + self.machine.journal("widgetd"))

    def pid(self):
        return self.machine.show("widgetd", "MainPID")


class ServiceTests(Installed):
    def test_it_waits_for_its_configuration(self):
        self.assertEqual(self.sh("runuser -u widgetd -- widgetd --version").split()[0], "widgetd")
        self.assertEqual(self.machine.show("widgetd", "ConditionResult"), "no")
        self.assertEqual(self.machine.show("widgetd", "UnitFileState"), "enabled")
        self.assertEqual(self.sh("stat -c '%U %a' /var/lib/widgetd"), "widgetd 700\n")
        self.assertEqual(self.sh("widgetd check --config /etc/widgetd/widgetd.json5 >/dev/null; echo $?"), "0\n")
        self.assertIn(":/usr/sbin/nologin", self.sh("getent passwd widgetd"))

    def test_systemd_accepts_the_unit_and_finds_the_exposure_that_the_page_tells(self):
        # There is no man in so small a system.
        told = self.machine.run("systemd-analyze", "verify", "--man=no", "widgetd.service")
        self.assertEqual(told.stdout + told.stderr, "")
        figure = r"exposure\s+level[^:]*:\s+(\d+\.\d+)"
        found = re.search(figure, self.sh("systemd-analyze security --no-pager widgetd.service"))[1]
        self.assertEqual(re.search(figure, (DEPLOY / "README.md").read_text())[1], found)

    def test_users_and_folders_are_as_systemd_wants_them_described(self):
        for command in ("systemd-sysusers --dry-run widgetd.conf", "systemd-tmpfiles --create widgetd.conf"):
            told = self.machine.run(*command.split())
            self.assertEqual(told.stderr, "", command)

    def test_a_wrong_configuration_is_told_and_not_tried_again(self):
        self.configure("amqp://broker")
        self.sh("sed -i 's/log_format/log_fromat/' /etc/widgetd/widgetd.json5")
        self.machine.run("systemctl", "start", "widgetd", check=False)
        self.assertEqual(self.machine.show("widgetd", "Result"), "exit-code")
        self.assertEqual(self.machine.show("widgetd", "NRestarts"), "0")
        self.assertIn("did you mean log_format", self.machine.journal("widgetd"))

    def test_a_worker_that_hangs_is_started_again(self):
        self.configure("amqp://127.0.0.1:1", "WatchdogSec=1s", "RestartSec=0")
        self.sh("systemctl start widgetd")
        first = self.pid()
        self.sh(f"kill -STOP {first}")
        poll(lambda: self.pid() not in ("0", first), self.machine.journal("widgetd"))
        self.assertIn("Watchdog timeout", self.machine.journal("widgetd"))

    def test_removing_it_leaves_the_widgets_and_purging_it_the_secrets(self):
        self.configure("amqp://127.0.0.1:1")
        self.sh("systemctl start widgetd; test -e /var/lib/widgetd/widgetd.db; dpkg --remove widgetd")
        self.assertEqual(self.sh("ls /usr/bin/widgetd 2>/dev/null || true; pgrep widgetd 2>/dev/null || true"), "")
        self.assertEqual(self.machine.show("widgetd", "LoadState"), "masked")
        self.sh("dpkg --purge widgetd; test -e /var/lib/widgetd/widgetd.db; test ! -e /etc/widgetd/widgetd.json5")
        self.assertEqual(self.sh("ls /etc/widgetd"), "amqp-url\n")
        self.assertEqual(self.machine.show("widgetd", "LoadState"), "not-found")


@unittest.skipUnless(_broker.IS_POSSIBLE, _broker.ABSENCE)
class WorkingServiceTests(Installed):
    @classmethod
    def setUpClass(cls):
        cls.broker = Broker("10-access.json", "20-outcomes.json", "30-updates-one-queue.json")
        cls.addClassCleanup(cls.broker.close)

    def send(self, slug):
        """Sends a widget, and returns what came of it."""
        with self.broker.connect("acme") as connection:
            channel = connection.channel()
            queue = channel.queue_declare("", exclusive=True).method.queue
            channel.basic_publish("widgets.updates", f"acme.{slug}", CREATE, pika.BasicProperties(
                type="widget.create", reply_to=queue), mandatory=True)
            method, _, body = next(channel.consume(queue, auto_ack=True, inactivity_timeout=30))
            self.assertIsNotNone(method, self.machine.journal("widgetd"))
            return json.loads(body)

    def test_it_works_with_all_that_it_is_forbidden(self):
        self.configure(self.broker.url("widgetd"))
        self.sh("systemctl start widgetd")
        self.wait_until_ready()
        self.assertEqual(self.send("pages")["revision"], 1)
        self.assertEqual(self.machine.show("widgetd", "StatusText"), "ready")
        status = dict(line.split(":\t", 1) for line in self.sh(f"cat /proc/{self.pid()}/status").splitlines()
                      if ":\t" in line)
        self.assertEqual((status["NoNewPrivs"], status["Seccomp"], int(status["CapEff"], 16)), ("1", "2", 0))
        self.assertEqual(self.sh("stat -c '%U %a' /var/lib/widgetd/widgetd.db"), "widgetd 600\n")
        # The password is in nobody's sight.
        self.assertNotIn("widgetd-secret", self.sh(
            f"cat /proc/{self.pid()}/environ /proc/{self.pid()}/cmdline") + self.machine.journal("widgetd"))
        before = self.pid()
        self.sh("systemctl reload widgetd")
        poll(lambda: "renewing the broker's connections" in self.machine.journal("widgetd"), "not reloaded")
        self.assertEqual(self.send("reloaded")["revision"], 1)
        self.assertEqual(self.pid(), before)
        self.sh("systemctl stop widgetd")
        self.assertEqual(self.machine.show("widgetd", "Result"), "success")
        self.assertRegex(self.machine.journal("widgetd"), '"message":"stopped".*"finished":"?true')

    def test_an_upgrade_goes_on_with_the_widgets_that_are_there(self):
        self.configure(self.broker.url("widgetd"))
        self.sh("systemctl start widgetd")
        self.wait_until_ready()
        revision = self.send("upgraded")["revision"]
        first = self.pid()
        self.sh("dpkg --install --force-confold /tmp/given/widgetd.deb")
        self.assertNotIn(self.pid(), ("0", first))
        self.wait_until_ready()
        self.assertEqual(self.send("upgraded")["revision"], revision + 1)


if __name__ == "__main__":
    unittest.main(verbosity=1)
