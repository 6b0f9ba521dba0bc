"""`run` over Redis, against a real broker: WIDGETD_TEST_AMQP_URL says where it is."""

import json
import os
import subprocess
import tempfile
import time
import unittest
import uuid

import pika

from _redis import Redis
from _terminal import BINARY, environment, run

URL = os.environ.get("WIDGETD_TEST_AMQP_URL")
PATIENCE = 60


@unittest.skipUnless(URL, "WIDGETD_TEST_AMQP_URL names no broker; deploy/test sets it")
class RunTests(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.redis = self.enterContext(Redis("--appendonly", "yes", "--appendfsync", "always"))
        self.store = f"redis://127.0.0.1:{self.redis.port}"
        prefix = f"redis-{uuid.uuid4().hex[:8]}"
        self.names = {
            option: f"{prefix}.{name}" for option, name in (
                ("updates-exchange", "updates"), ("queue", "updates"), ("accepted-exchange", "accepted"),
                ("fanout-queue", "fanout"), ("rejected-exchange", "rejected"), ("rejections-queue", "rejections"))}
        self.connection = pika.BlockingConnection(pika.URLParameters(f"{URL}?heartbeat=0"))
        self.channel = self.connection.channel()
        self.addCleanup(self.connection.close)
        self.addCleanup(self.delete)

    def delete(self):
        for option, name in self.names.items():
            if option.endswith("exchange"):
                self.channel.exchange_delete(name)
            else:
                self.channel.queue_delete(name)

    def start(self):
        log = open(os.path.join(self.folder, "log"), "a")
        self.addCleanup(log.close)
        options = [f"--{option}={name}" for option, name in self.names.items()]
        worker = subprocess.Popen(
            [BINARY, "run", "--admin", "127.0.0.1:0", "--default-throttle", "0", "--queue-type", "classic", *options],
            stderr=log, env=environment({"WIDGETD_AMQP_URL": URL, "WIDGETD_STORE": self.store}))
        self.addCleanup(self.end, worker)
        return worker

    def end(self, worker):
        worker.kill()
        worker.wait()

    def log(self):
        with open(os.path.join(self.folder, "log")) as file:
            return file.read()

    def eventually(self, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end, self.log())
            time.sleep(0.02)

    def publish(self, kind, body):
        self.channel.basic_publish(
            self.names["updates-exchange"], "acme.pages", json.dumps(body), pika.BasicProperties(type=f"widget.{kind}"))

    def depth(self, queue):
        return self.channel.queue_declare(self.names[queue], passive=True).method.message_count

    def test_a_server_that_is_killed_and_started_stops_the_worker_for_as_long_and_rejects_nothing(self):
        worker = self.start()
        self.eventually(lambda: "info ready" in self.log())
        self.assertIn("on disk before each answer", self.log())
        self.publish("create", {"name": "Pages", "content": {"template": "value", "value": 0}})
        for number in range(1, 101):
            self.publish("patch", {"content": {"value": number}})
        self.eventually(lambda: self.depth("fanout-queue") == 101)
        self.redis.kill()
        for number in range(101, 201):
            self.publish("patch", {"content": {"value": number}})
        self.eventually(lambda: "takes no connection" in self.log())
        self.assertEqual(self.depth("fanout-queue"), 101)
        self.redis.start()
        self.eventually(lambda: self.depth("fanout-queue") == 201)
        self.assertEqual(self.depth("rejections-queue"), 0)
        worker.terminate()
        self.assertEqual(worker.wait(PATIENCE), 0, self.log())
        self.assertEqual(self.revision(), 201)

    def test_a_worker_that_is_killed_is_followed_by_a_standby_and_nothing_is_decided_twice(self):
        first = self.start()
        self.eventually(lambda: "info ready" in self.log())
        self.start()
        self.publish("create", {"name": "Pages", "content": {"template": "value", "value": 0}})
        for number in range(1, 2_001):
            self.publish("patch", {"content": {"value": number}})
        self.eventually(lambda: self.depth("fanout-queue") > 100)
        first.kill()
        first.wait()
        self.eventually(lambda: self.revision() == 2_001 and self.depth("queue") == 0)
        # What was published and not settled goes out once more, under its old id.
        ids = set()
        while (found := self.channel.basic_get(self.names["fanout-queue"], auto_ack=True))[0] is not None:
            ids.add(found[1].message_id)
        self.assertEqual(ids, {f"acme/pages@{revision}" for revision in range(1, 2_002)})
        self.assertEqual(self.depth("rejections-queue"), 0)

    def revision(self):
        got = run("get", "acme/pages", "--json", "--store", self.store)
        return json.loads(got.stdout)["revision"]


if __name__ == "__main__":
    unittest.main()
