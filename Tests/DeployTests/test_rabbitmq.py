"""The definitions of deploy/rabbitmq in a real broker: it loads them, the worker runs as exactly the user that they
hold, and each user is refused what is not its own."""

import json
import re
import shlex
import signal
import subprocess
import tempfile
import unittest
import urllib.request
import uuid
from pathlib import Path
from urllib.parse import urlencode

import pika
import yaml
from pika.exceptions import ChannelClosedByBroker

from _broker import ABSENCE, DEFINITIONS, IS_POSSIBLE, Broker
from _program import BINARY, DEADLINE, DEPLOY, free_port, poll, run

CREATE = json.dumps({"name": "Pages", "content": {"template": "progress", "value": 0.5}})


def setUpModule():
    global broker
    if not IS_POSSIBLE:
        raise unittest.SkipTest(ABSENCE)
    broker = Broker("10-access.json", "20-outcomes.json", "30-updates-one-queue.json")
    unittest.addModuleCleanup(broker.close)


class Worker:
    """A worker as the user of the definitions."""

    def __init__(self, test, *options, store="memory:"):
        self.folder = tempfile.TemporaryDirectory()
        self.log = Path(self.folder.name, "log")
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [BINARY, "run", "--store", store, "--admin", "127.0.0.1:0", "--default-throttle", "0", *options],
                env={"WIDGETD_AMQP_URL": broker.url("widgetd")}, stdout=log, stderr=log)
        test.addCleanup(self.close)
        port = poll(lambda: re.search(r"admin address listens port=(\d+)", self.log.read_text()), self.log.read_text)[1]
        poll(lambda: run(BINARY, "check", "--health", "ready", "--admin", f"127.0.0.1:{port}", check=False)
             .returncode == 0, self.log.read_text)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=DEADLINE)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


class BrokerTests(unittest.TestCase):
    """What the tests do at the broker."""

    def channel(self, user):
        connection = broker.connect(user)
        self.addCleanup(lambda: connection.is_open and connection.close())
        return connection.channel()

    def refused(self, user, action):
        with self.assertRaises(ChannelClosedByBroker) as caught:
            action(self.channel(user))
        self.assertEqual(caught.exception.reply_code, 403, caught.exception)

    def send(self, channel, key, body=CREATE, **properties):
        channel.confirm_delivery()
        channel.basic_publish("widgets.updates", key, body, pika.BasicProperties(**properties), mandatory=True)

    def receipt_of(self, key, body=CREATE):
        channel = self.channel("acme")
        queue = channel.queue_declare("", exclusive=True).method.queue
        self.send(channel, key, body, type="widget.create", reply_to=queue)
        method, _, body = next(channel.consume(queue, auto_ack=True, inactivity_timeout=DEADLINE))
        self.assertIsNotNone(method, f"no receipt for {key}")
        return json.loads(body)


class DefinitionsTests(BrokerTests):
    def taken(self, user, queue):
        """The next message of the queue."""
        channel = self.channel(user)
        return poll(lambda: channel.basic_get(queue, auto_ack=True)[2], f"nothing in {queue}")

    def test_a_user_without_a_password_is_let_in_by_nobody(self):
        name = f"blank-{uuid.uuid4().hex[:8]}"
        users = [{"name": name, "password_hash": "", "tags": []}]
        self.assertEqual(json.loads((DEFINITIONS / "10-access.json").read_text())["users"][0]["password_hash"], "")
        broker.ctl("import_definitions", text=json.dumps({"users": users}))
        parameters = pika.URLParameters(f"amqp://{name}:@127.0.0.1:{broker.port}/widgets")
        with self.assertRaises(pika.exceptions.AMQPError):
            pika.BlockingConnection(parameters)

    def test_the_worker_finds_all_that_it_wants(self):
        env = {"WIDGETD_AMQP_URL": broker.url("widgetd")}
        found = run(BINARY, "check", "--online", "--topology", "check", "--store", "memory:", env=env).stdout
        self.assertIn("may read and write what is needed", found)
        self.assertNotIn("fault", found)

    def test_the_worker_works_as_its_user_and_may_create_nothing(self):
        worker = Worker(self, "--topology", "check")
        self.assertEqual(self.receipt_of("acme.pages")["outcome"], "accepted")
        self.assertEqual(json.loads(self.taken("widgets-devices", "widgets.fanout"))["slug"], "pages")
        self.assertEqual(self.receipt_of("acme.faulty", "{}")["outcome"], "rejected")
        self.assertEqual(json.loads(self.taken("widgets-operator", "widgets.rejections"))["slug"], "faulty")
        self.assertEqual(worker.stop(), 0, worker.log.read_text())
        self.refused("widgetd", lambda c: c.queue_declare(f"own-{uuid.uuid4().hex}"))
        self.refused("widgetd", lambda c: c.exchange_declare("widgets.more"))
        self.refused("widgetd", lambda c: self.send(c, "acme.pages"))
        self.refused("widgetd", lambda c: c.basic_get("widgets.fanout"))

    def test_the_permissions_for_topology_create_let_it_create_all(self):
        page = (DEPLOY / "rabbitmq" / "README.md").read_text()
        words = shlex.split(next(line for line in page.splitlines() if "set_permissions" in line))[1:]
        before = json.loads((DEFINITIONS / "10-access.json").read_text())["permissions"][0]
        self.addCleanup(broker.ctl, *words[:4], before["configure"], before["write"], before["read"])
        broker.ctl(*words)
        for name in ("updates", "fanout", "rejections"):
            broker.ctl("delete_queue", "-p", "widgets", f"widgets.{name}")
        worker = Worker(self)
        self.assertEqual(self.receipt_of("acme.created")["outcome"], "accepted")
        self.assertEqual(json.loads(self.taken("widgets-devices", "widgets.fanout"))["slug"], "created")
        self.assertEqual(worker.stop(), 0, worker.log.read_text())

    def test_a_back_end_reaches_its_own_account_alone(self):
        self.refused("acme", lambda c: self.send(c, "other.pages"))
        for queue in ("widgets.updates", "widgets.fanout", "widgets.rejections"):
            self.refused("acme", lambda c, queue=queue: c.basic_get(queue))
        for exchange in ("widgets.accepted", "widgets.rejected"):
            self.refused("acme", lambda c, exchange=exchange: c.basic_publish(exchange, "acme.pages.value", b"{}")
                         or c.queue_declare("widgets.fanout", passive=True))
            self.refused("acme", lambda c, exchange=exchange: c.queue_bind(
                c.queue_declare("", exclusive=True).method.queue, exchange, "#"))
        self.refused("acme", lambda c: c.queue_bind("widgets.updates", "widgets.accepted", "#"))
        self.refused("acme", lambda c: c.queue_unbind("widgets.updates", "widgets.updates", "#"))
        self.refused("acme", lambda c: c.queue_purge("widgets.updates"))
        self.refused("acme", lambda c: c.queue_delete("widgets.updates"))

    def test_readers_of_accepted_content_read_that_alone(self):
        self.refused("widgets-devices", lambda c: c.basic_get("widgets.updates"))
        self.refused("widgets-devices", lambda c: c.basic_get("widgets.rejections"))
        self.refused("widgets-devices", lambda c: self.send(c, "acme.pages"))

    def test_an_operator_sends_watches_and_redrives(self):
        worker = Worker(self, "--topology", "check")
        env = {"WIDGETD_AMQP_URL": broker.url("widgets-operator"), "WIDGETD_DEFAULT_ACCOUNT": "acme"}
        watch = subprocess.Popen([BINARY, "watch", "--json"], env=env, stdout=subprocess.PIPE, text=True)
        self.addCleanup(watch.stdout.close)
        self.addCleanup(watch.wait)
        self.addCleanup(watch.kill)
        poll(lambda: any(b["source"] == "widgets.rejected" and b["destination"].startswith("amq.gen")
                         for b in broker.ask("bindings/widgets")), "watch has bound no queue")
        sent = run(BINARY, "send", "late", "value=0.5", env=env, check=False)
        self.assertIn("widget.not_found", sent.stdout + sent.stderr)
        self.assertIn("widget.not_found", watch.stdout.readline())
        self.assertEqual(self.receipt_of("acme.late")["outcome"], "accepted")
        redriven = run(BINARY, "redrive", "--code", "widget.not_found", "--slug", "late", env=env)
        self.assertEqual(redriven.returncode, 0, redriven.stderr)
        self.assertEqual(worker.stop(), 0, worker.log.read_text())

    def test_the_monitor_sees_unacknowledged_messages_through_the_api_and_reads_none(self):
        channel = self.channel("widgetd")
        self.send(self.channel("acme"), "acme.held")
        method, _, _ = next(channel.consume("widgets.updates", inactivity_timeout=DEADLINE))
        self.assertIsNotNone(method, "nothing to hold")

        def counts():
            queue = broker.ask("queues/widgets/widgets.updates")
            return queue.get("messages"), queue.get("messages_unacknowledged")

        # What KEDA adds up.
        poll(lambda: counts() == (1, 1), lambda: f"counted are {counts()}")
        self.refused("widgets-monitor", lambda c: c.basic_get("widgets.fanout"))
        channel.basic_ack(method.delivery_tag)
        channel.cancel()


    def test_the_alerts_ask_for_what_the_broker_tells_prometheus(self):
        configuration = yaml.safe_load((DEPLOY / "container" / "prometheus.yml").read_text())
        job = next(job for job in configuration["scrape_configs"] if job["job_name"] == "rabbitmq")
        url = f"http://{broker.metrics}{job['metrics_path']}?{urlencode(job['params'], doseq=True)}"
        named = set(re.findall(r"rabbitmq_detailed_\w+", (DEPLOY / "prometheus" / "alerts.yml").read_text()))
        self.assertTrue(named)

        def told():
            with urllib.request.urlopen(url, timeout=DEADLINE) as answer:
                text = answer.read().decode()
            return set(re.findall(r'^(\w+)\{vhost="widgets",queue="widgets.updates"\} ', text, re.MULTILINE))

        poll(lambda: named <= told(), lambda: f"{named} are asked for, and told are {told()}")


class ShardsTests(BrokerTests):
    def test_from_one_queue_to_shards_where_each_widget_has_one(self):
        # As on-call.md has it.
        broker.ctl("import_definitions", DEFINITIONS / "30-updates-shards.json")
        broker.ctl("import_definitions", text=json.dumps({
            "users": [{"name": "root", "password": "root-secret", "tags": ["administrator"]}],
            "permissions": [{"user": "root", "vhost": "widgets", "configure": ".*", "write": ".*", "read": ".*"}]}))
        guide = (DEPLOY / "on-call.md").read_text()
        path = re.search(r"BROKER:15672/api(/bindings\S+?)`", guide)[1]
        run("curl", "--fail", "-u", "root:root-secret", "-X", "DELETE", broker.api + path)
        # What the page says of passwords.
        broker.ctl("import_definitions", DEFINITIONS / "10-access.json")
        with self.assertRaises(pika.exceptions.AMQPError):
            broker.connect("acme")
        for user in ("acme", "widgetd"):
            broker.ctl("change_password", user, text=f"{user}-secret\n")
        connection = broker.connect("acme")
        self.addCleanup(connection.close)
        channel = connection.channel()
        channel.confirm_delivery()
        for _ in range(2):
            for number in range(40):
                channel.basic_publish("widgets.updates", f"acme.w{number}", b"{}", mandatory=True)
        reader = broker.connect("widgetd")
        self.addCleanup(lambda: reader.is_open and reader.close())
        channel = reader.channel()
        keys = {shard: [] for shard in range(4)}
        for shard in keys:
            channel.basic_consume(f"widgets.updates.{shard}", auto_ack=True, on_message_callback=(
                lambda _, method, __, ___, shard=shard: keys[shard].append(method.routing_key)))
        poll(lambda: reader.process_data_events() or sum(map(len, keys.values())) == 80, lambda: f"come are {keys}")
        self.assertNotIn([], keys.values())
        self.assertEqual(sum(len(set(found)) for found in keys.values()), 40, "a widget is in two shards")
        reader.close()
        self.work_shards()

    def work_shards(self):
        """Two workers, as the user of the definitions, with one Redis and two shards each."""
        broker.ctl("delete_queue", "-p", "widgets", "widgets.updates")
        port = free_port()
        redis = subprocess.Popen(["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""],
                                 stdout=subprocess.DEVNULL)
        self.addCleanup(redis.wait)
        self.addCleanup(redis.kill)
        workers = [Worker(self, "--topology", "check", "--shards", "4", "--consume", consumed,
                          store=f"redis://127.0.0.1:{port}/0") for consumed in ("0,1", "2,3")]
        for number in range(12):
            self.assertEqual(self.receipt_of(f"acme.s{number}")["outcome"], "accepted")
        self.assertEqual([worker.stop() for worker in workers], [0, 0])
        accepted = [int(re.search(r" accepted=(\d+)", worker.log.read_text())[1]) for worker in workers]
        self.assertEqual(sum(accepted), 12)
        self.assertNotIn(0, accepted)


if __name__ == "__main__":
    unittest.main(verbosity=1)
