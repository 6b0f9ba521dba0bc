"""The programs of deploy/examples as they stand, against a broker and a worker with the usual names.

WIDGETD_TEST_BROKER makes the broker, WIDGETD_TEST_BINARY is the worker.
"""

import json
import os
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import pika

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "deploy" / "examples"
BROKER = os.environ.get("WIDGETD_TEST_BROKER")
BINARY = os.environ.get("WIDGETD_TEST_BINARY")
DEADLINE = 60
SCREENFUL = 55  # lines

# Debian puts Go packages where the time before modules would have had them.
GO = ["env", "GO111MODULE=off", "GOPATH=/usr/share/gocode", "CGO_ENABLED=0", "go", "run"]
PROGRAMS = {
    "send_update.sh": ["bash"],
    "send_update_http.sh": ["bash"],
    "send_update.py": [os.environ.get("WIDGETD_TEST_PYTHON", "/usr/bin/python3")],
    "send_update.rb": ["/usr/bin/ruby"],
    "send_update.go": GO,
}


@unittest.skipUnless(BROKER and BINARY, "WIDGETD_TEST_BROKER and _BINARY are not set; deploy/test sets them")
class ExampleTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.environment = {
            **os.environ, "WIDGETD_TEST_BROKER_DIR": f"{folder.name}/broker",
            "GOCACHE": str(ROOT / ".build" / "examples-go")}  # Go compiles its own library first
        cls.addClassCleanup(cls.broker, "remove")
        cls.broker("start", "rabbitmq_management")
        url = cls.broker("url")
        cls.environment |= {"WIDGETD_AMQP_URL": url, "RABBITMQ_API": cls.broker("api")}
        cls.worker = subprocess.Popen(
            [BINARY, "run", "--store", "memory:", "--admin", "off"], env=cls.environment, stderr=subprocess.DEVNULL)
        cls.addClassCleanup(cls.worker.wait)
        cls.addClassCleanup(cls.worker.kill)
        cls.connection = pika.BlockingConnection(pika.URLParameters(f"{url}?heartbeat=0"))
        cls.addClassCleanup(cls.connection.close)
        cls.wait_for_worker()
        cls.channel = cls.connection.channel()
        cls.channel.confirm_delivery()

    @classmethod
    def broker(cls, *arguments):
        done = subprocess.run(
            [BROKER, *arguments], env=cls.environment, check=True, stdout=subprocess.PIPE, text=True, timeout=180)
        return done.stdout.strip()

    @classmethod
    def wait_for_worker(cls):
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end and cls.worker.poll() is None:
            channel = cls.connection.channel()
            try:
                if channel.queue_declare("widgets.updates", passive=True).method.consumer_count:
                    return
                channel.close()
            except pika.exceptions.ChannelClosedByBroker:
                pass  # the worker has not declared the queue yet
            cls.connection.sleep(0.1)
        raise AssertionError("the worker does not consume")

    def publish(self, kind, body):
        properties = pika.BasicProperties(type=kind, delivery_mode=2)
        self.channel.basic_publish("widgets.updates", "acme.oncall-pages", json.dumps(body), properties, mandatory=True)

    def receipt(self, name):
        done = subprocess.run(
            [*PROGRAMS[name], EXAMPLES / name], env=self.environment, capture_output=True, text=True, check=False,
            timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def receipts_of(self, name):
        """One is refused, for there is no such widget, and one is accepted."""
        refused = self.receipt(name)
        self.assertEqual((refused["outcome"], refused["code"]), ("rejected", "widget.not_found"))
        self.publish("widget.create", {
            "name": "On-call pages", "content": {"template": "progress", "value": 0.1, "label": "Pages"}})
        accepted = self.receipt(name)
        self.assertEqual((accepted["outcome"], accepted["account"]), ("accepted", "acme"))
        self.assertEqual(accepted["slug"], "oncall-pages")
        self.assertEqual(set(accepted["changed"]), {"/content/value", "/content/subtitle"})
        self.publish("widget.delete", {})

    def test_amqp_tools(self):
        self.receipts_of("send_update.sh")

    def test_curl(self):
        self.receipts_of("send_update_http.sh")

    def test_python(self):
        self.receipts_of("send_update.py")

    def test_ruby(self):
        self.receipts_of("send_update.rb")

    def test_go(self):
        self.receipts_of("send_update.go")

    def test_they_leave_no_queue_behind(self):
        for name in ("send_update.sh", "send_update_http.sh", "send_update.rb"):
            self.receipt(name)
        queues = self.broker("ctl", "list_queues", "name", "--no-table-headers").split()
        self.assertEqual(sorted(queues), ["widgets.fanout", "widgets.rejections", "widgets.updates"])

    def test_each_is_a_screenful_and_all_are_tried(self):
        files = [path for path in EXAMPLES.iterdir() if path.name.startswith("send_update")]
        self.assertEqual({path.name for path in files}, set(PROGRAMS))
        for path in files:
            self.assertLessEqual(len(path.read_text().splitlines()), SCREENFUL, path.name)


if __name__ == "__main__":
    unittest.main()
