"""`list` and `get` beside a running worker: the fan-outs that wait for the end of a throttle window."""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
import uuid

import pika

from _terminal import BINARY, DEADLINE, environment, run, shown

URL = os.environ.get("WIDGETD_TEST_AMQP_URL")


@unittest.skipUnless(URL, "WIDGETD_TEST_AMQP_URL names no broker; deploy/test sets it")
class PendingTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.store = ("--store", f"sqlite:{self.folder.name}/w.db")
        prefix = f"pending-{uuid.uuid4().hex[:8]}"
        self.updates, accepted, rejected = (f"{prefix}.{name}" for name in ("updates", "accepted", "rejected"))
        self.queues = (self.updates, accepted, rejected)
        self.connection = pika.BlockingConnection(pika.URLParameters(f"{URL}?heartbeat=0"))
        self.channel = self.connection.channel()
        self.addCleanup(self.connection.close)
        log = open(os.path.join(self.folder.name, "log"), "wb")
        self.addCleanup(log.close)
        self.worker = subprocess.Popen(
            [BINARY, "run", *self.store, "--queue-type", "classic", "--updates-exchange", self.updates, "--queue",
             self.updates, "--accepted-exchange", accepted, "--fanout-queue", accepted, "--rejected-exchange", rejected,
             "--rejections-queue", rejected], stderr=log, env=environment({"WIDGETD_AMQP_URL": URL}))
        self.addCleanup(self.end)

    def end(self):
        self.worker.send_signal(signal.SIGTERM)
        self.assertEqual(self.worker.wait(timeout=DEADLINE), 0)
        for name in self.queues:
            self.channel.queue_delete(name)
            self.channel.exchange_delete(name)

    def send(self, slug, kind, body):
        self.channel.basic_publish(
            self.updates, f"acme.{slug}", json.dumps(body), pika.BasicProperties(type=kind), mandatory=True)

    def widgets(self, *options):
        done = run("list", "--json", *options, *self.store)
        return {widget["slug"]: widget for widget in json.loads(done.stdout)} if done.returncode == 0 else {}

    def wait_for(self, condition):
        end = time.monotonic() + DEADLINE
        while not condition():
            self.assertLess(time.monotonic(), end, "the worker has not come so far")
            time.sleep(0.02)

    def test_what_waits_is_listed_with_what_it_will_tell(self):
        def is_consuming():
            try:
                channel = self.connection.channel()
                count = channel.queue_declare(self.updates, passive=True).method.consumer_count
                channel.close()
                return count > 0
            except pika.exceptions.ChannelClosedByBroker:
                return False

        self.wait_for(is_consuming)
        for slug in ("waiting", "quiet"):
            content = {"template": "progress", "value": 0.1}
            self.send(slug, "widget.create", {"name": "N", "push_throttle": 3600, "content": content})
        self.send("waiting", "widget.patch", {"content": {"value": 0.2}})
        self.send("waiting", "widget.patch", {"content": {"label": "L"}})
        self.wait_for(lambda: self.widgets().get("waiting", {}).get("revision") == 3 and "quiet" in self.widgets())
        self.assertEqual(list(self.widgets("--pending")), ["waiting"])
        self.assertEqual(self.widgets()["quiet"]["changed"], [])
        self.assertEqual(
            sorted(self.widgets("--pending")["waiting"]["changed"]), ["/content/label", "/content/value"])
        terminal, _ = shown("list", "--pending", *self.store)
        self.assertRegex(terminal.lines[1], r"acme/waiting .*push in 59 min$")
        terminal, _ = shown("get", "acme/waiting", *self.store)
        self.assertRegex(terminal.lines[-1], r"^pending +push in 59 min, 2 updates /content/\w+ /content/\w+$")


if __name__ == "__main__":
    unittest.main()
