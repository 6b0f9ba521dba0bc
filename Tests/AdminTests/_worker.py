"""A real worker with an admin address, on a topology of its own at the test broker."""

import http.client
import json
import os
import re
import signal
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

import pika

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("WIDGETD_TEST_BINARY") or str(ROOT / ".build" / "release" / "widgetd")
URL = os.environ.get("WIDGETD_TEST_AMQP_URL")
DEADLINE = 120


def poll(condition, what="the worker has not come so far"):
    """Returns the first true value of the condition."""
    end = time.monotonic() + DEADLINE
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(what)
        time.sleep(0.02)
    return value


class Worker:
    def __init__(self, *options, url=URL, env=None):
        self.folder = tempfile.TemporaryDirectory()
        prefix = f"admin-{uuid.uuid4().hex[:8]}"
        self.updates, self.accepted, self.rejected = (f"{prefix}.{x}" for x in ("updates", "accepted", "rejected"))
        self.connection = pika.BlockingConnection(pika.URLParameters(f"{URL}?heartbeat=0"))
        self.channel = self.connection.channel()
        self.log_path = os.path.join(self.folder.name, "log")
        clean = {name: value for name, value in os.environ.items() if not name.startswith("WIDGETD_")}
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                [BINARY, "run", "--store", f"sqlite:{self.folder.name}/w.db", "--queue-type", "classic",
                 "--default-throttle", "0", "--max-widgets", "0", "--updates-exchange", self.updates, "--queue",
                 self.updates, "--accepted-exchange", self.accepted, "--fanout-queue", self.accepted,
                 "--rejected-exchange", self.rejected, "--rejections-queue", self.rejected, "--admin", "127.0.0.1:0",
                 *options], stderr=log, env={**clean, "WIDGETD_AMQP_URL": url, **(env or {})})
        found = poll(lambda: re.search(r"admin address listens port=(\d+)", self.log()), "no admin address")
        self.port = int(found[1])

    def log(self):
        with open(self.log_path, encoding="utf-8") as log:
            return log.read()

    def get(self, path, method="GET", body=None, **headers):
        """Status, headers and text of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)
        try:
            connection.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()

    def json(self, path, **options):
        return json.loads(self.get(path, **options)[2])

    def wait_until_ready(self):
        poll(lambda: self.get("/readyz")[0] == 200, "not ready")

    def send(self, slug, body, kind=None, **properties):
        self.channel.basic_publish(
            self.updates, f"acme.{slug}", json.dumps(body), pika.BasicProperties(type=kind, **properties))

    def create(self, slug, content, **members):
        self.send(slug, {"name": slug, "content": content, **members}, "widget.create")

    def stop(self):
        """SIGTERM; returns the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=DEADLINE)

    def close(self):
        self.process.kill()
        self.process.wait()
        for name in (self.updates, self.accepted, self.rejected):
            self.channel.queue_delete(name)
            self.channel.exchange_delete(name)
        self.connection.close()
        self.folder.cleanup()
