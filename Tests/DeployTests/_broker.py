"""A RabbitMQ of its own, with definitions of deploy/rabbitmq that it has loaded as it started."""

import base64
import json
import os
import shutil
import tempfile
import urllib.request
from pathlib import Path

import pika

from _program import DEADLINE, DEPLOY, free_port, run

DEFINITIONS = DEPLOY / "rabbitmq" / "definitions"
IS_POSSIBLE = bool(shutil.which("epmd")) and Path("/usr/lib/rabbitmq/bin/rabbitmq-server").exists()
ABSENCE = "there is no rabbitmq-server here; deploy/test installs it"


class Broker:
    def __init__(self, *definitions):
        self.folder = Path(tempfile.mkdtemp(prefix="widgetd-deploy-"))
        node = self.folder / "broker"
        self.environment = {"WIDGETD_TEST_BROKER_DIR": str(node)}
        self.definitions = self.folder / "definitions"
        self.definitions.mkdir()
        for name in definitions:
            shutil.copy(DEFINITIONS / name, self.definitions)
        self._give_passwords()
        node.mkdir()
        self.metrics = f"127.0.0.1:{free_port()}"
        (node / "additional.conf").write_text(
            f"load_definitions = {self.definitions}\nprometheus.tcp.ip = 127.0.0.1\n"
            f"prometheus.tcp.port = {self.metrics.split(':')[1]}\n")
        try:
            self._command("start", "rabbitmq_management", "rabbitmq_consistent_hash_exchange",
                          "rabbitmq_prometheus")
        except BaseException:
            self.close()
            raise
        self.port = int(self._command("url").rsplit(":", 1)[1].split("/")[0])
        self.api = self._command("api").replace("guest:guest@", "")

    def _give_passwords(self):
        users = json.loads((DEFINITIONS / "10-access.json").read_text())["users"]
        given = [{"name": u["name"], "tags": u["tags"], "password": f"{u['name']}-secret"} for u in users]
        self.passwords = self.definitions / "90-passwords.json"
        self.passwords.write_text(json.dumps({"users": given}))

    def _command(self, *words, text=None):
        # Longer than deploy/broker waits for a node.
        return run(DEPLOY / "broker", *words, env=self.environment, text=text, timeout=120).stdout.strip()

    def ctl(self, *words, text=None):
        return self._command("ctl", *words, text=text)

    def ask(self, path):
        """What the management API says, asked as the monitor."""
        request = urllib.request.Request(f"{self.api}/{path}")
        login = base64.b64encode(b"widgets-monitor:widgets-monitor-secret").decode()
        request.add_header("Authorization", f"Basic {login}")
        with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
            return json.loads(answer.read())

    def url(self, user):
        return f"amqp://{user}:{user}-secret@127.0.0.1:{self.port}/widgets"

    def connect(self, user):
        return pika.BlockingConnection(pika.URLParameters(self.url(user)))

    def close(self):
        if os.path.exists(self.folder / "broker" / "settings"):
            self._command("remove")
        shutil.rmtree(self.folder, ignore_errors=True)
