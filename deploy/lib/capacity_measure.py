"""Measures one, two and four workers over a RabbitMQ and a Redis beside the bare relay, for deploy/capacity."""

import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid

from capacity_plan import table

try:
    import pika
except ImportError:
    sys.exit("error: Python's pika is not there: apt-get install python3-pika, or pip install pika")

PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / ".build" / "release"
TICK = os.sysconf("SC_CLK_TCK")
SHARDS = 4
WIDGETS = 2_000
OUTCOMES = ["widgets.fanout", "widgets.rejections"]


def needed(name):
    value = os.environ.get(name)
    if not value:
        print(f'error: {name} is not set: eval "$(deploy/broker env)" after deploy/broker start', file=sys.stderr)
        sys.exit(3)
    return value


class Part:
    """A process whose CPU time counts."""

    def __init__(self, process):
        self.process = process

    def microseconds(self):
        fields = pathlib.Path(f"/proc/{self.process}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * 1_000_000 // TICK


class Redis:
    """A server of the measurement's own, which writes what it has answered to its log once a second."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="widgetd-capacity-")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.server = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes"]
            + ["--dir", self.folder],
            stdout=subprocess.DEVNULL,
        )
        while self.ask("PING") != "PONG":
            time.sleep(0.05)

    def ask(self, *words):
        done = subprocess.run(["redis-cli", "-p", str(self.port), *words], capture_output=True, text=True)
        return done.stdout.strip()

    def figures(self):
        """Calls by command, and bytes in and out."""
        text = self.ask("INFO", "everything")
        calls = {name: int(count) for name, count in re.findall(r"cmdstat_(\w+):calls=(\d+)", text)}
        octets = [int(re.search(rf"total_net_{way}_bytes:(\d+)", text)[1]) for way in ("input", "output")]
        return calls, sum(octets)

    def end(self):
        self.server.terminate()
        self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Bench:
    def __init__(self, count):
        self.count = count
        self.url = needed("WIDGETD_TEST_AMQP_URL")
        self.broker = Part(int((pathlib.Path(needed("WIDGETD_TEST_BROKER_DIR")) / "node.pid").read_text()))
        self.broker = Part(self.emulator(self.broker.process))
        self.channel = pika.BlockingConnection(pika.URLParameters(self.url + "?heartbeat=0")).channel()
        self.redis = Redis()
        self.processes = []
        self.log = open(pathlib.Path(self.redis.folder) / "workers", "w+b")

    @staticmethod
    def emulator(process):
        """The Erlang process among a process and its descendants."""
        if "beam.smp" in pathlib.Path(f"/proc/{process}/cmdline").read_text():
            return process
        children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
        return next(filter(None, map(Bench.emulator, children)), None)

    # Queues

    def depth(self, queue):
        return self.channel.queue_declare(queue, passive=True).method.message_count

    def topology(self, kind, queues):
        for queue in ["widgets.updates", *(f"widgets.updates.{n}" for n in range(SHARDS)), *OUTCOMES]:
            self.channel.queue_delete(queue)
        self.channel.exchange_delete("widgets.updates.shards")
        self.channel.exchange_declare("widgets.updates", "topic", durable=True)
        source, key = "widgets.updates", "#"
        if len(queues) > 1:
            self.channel.exchange_declare("widgets.updates.shards", "x-consistent-hash", durable=True)
            self.channel.exchange_bind("widgets.updates.shards", source, key)
            source, key = "widgets.updates.shards", "1"
        arguments = {"x-queue-type": kind}
        for queue in queues:
            self.channel.queue_declare(queue, durable=True, arguments={**arguments, "x-single-active-consumer": True})
            self.channel.queue_bind(queue, source, key)
        # As a worker makes them.
        if kind == "classic":
            arguments["x-queue-mode"] = "lazy"
        for queue, exchange in zip(OUTCOMES, ("widgets.accepted", "widgets.rejected")):
            self.channel.exchange_declare(exchange, "topic", durable=True)
            self.channel.queue_declare(queue, durable=True, arguments=arguments)
            self.channel.queue_bind(queue, exchange, "#")

    def update(self, number):
        """The key and body of an update of a rollout."""
        value = random.random()
        body = {"content": {"value": round(value, 3), "subtitle": f"Step {number % 41} of 40 · canary in eu-west-1"}}
        if number % 2:
            rows = [{"label": "Pods", "value": f"{number % 41}/40"}, {"label": "Errors", "value": "0.2%"}]
            body["content"] |= {"template": "progress", "label": "Rollout of billing", "stat_rows": rows}
        return f"default.rollout-{random.randrange(WIDGETS):06d}", json.dumps(body).encode()

    def fill(self, persistent, exchange="widgets.updates", key=None):
        for number in range(self.count):
            address, body = self.update(number)
            properties = pika.BasicProperties(
                message_id=str(uuid.uuid4()), content_type="application/json", delivery_mode=2 if persistent else 1
            )
            self.channel.basic_publish(exchange, key or address, body, properties)

    def create_widgets(self):
        """In the store, by `apply`."""
        self.redis.ask("FLUSHALL")
        content = {"template": "progress", "value": 0, "label": "Rollout", "icon": "arrow.up.circle"}
        lines = [
            json.dumps(
                {"account": "default", "slug": f"rollout-{number:06d}", "type": "widget.create"}
                | {"body": {"name": "Rollout", "content": content}}
            )
            for number in range(WIDGETS)
        ]
        store = ["--store", f"redis://127.0.0.1:{self.redis.port}", "--max-widgets", "0", "--quiet"]
        subprocess.run(
            [PROGRAMS / "widgetd", "apply", *store],
            input="\n".join(lines).encode(), stderr=subprocess.DEVNULL, check=True,
        )

    # Measurements

    def empty(self, queues, programs):
        """Lets programs empty queues. From the first look at which they move something to the last message's delivery.

        Returns messages a second and CPU a message of the programs, the broker and Redis, µs.
        """
        parts = [[], [self.broker], [Part(self.redis.server.pid)]]
        processes = [subprocess.Popen(program, stdout=self.log, stderr=self.log) for program in programs]
        self.processes = processes
        parts[0] = [Part(process.pid) for process in processes]
        first = None
        while True:
            left, now = sum(map(self.depth, queues)), time.monotonic()
            spent = [sum(part.microseconds() for part in group) for group in parts]
            if first is None and left < self.count:
                first = (now, left, spent)
            if left == 0:
                break
            time.sleep(0.02 if first is None else 0.05)
        if not first[1]:
            sys.exit(f"error: all {self.count} messages were gone between two looks: give a larger --count")
        moved = first[1]
        figures = [moved / (now - first[0])] + [(end - begin) / moved for begin, end in zip(first[2], spent)]
        return figures, processes

    def relay(self, kind, persistent):
        for queue in ("bench.in", "bench.out"):
            self.channel.queue_delete(queue)
            self.channel.queue_declare(queue, durable=True, arguments={"x-queue-type": kind})
        self.channel.exchange_declare("bench.direct", "direct")
        self.channel.queue_bind("bench.out", "bench.direct", "bench.out")
        self.fill(persistent, exchange="", key="bench.in")
        words = [PROGRAMS / "widgetd-bench", "relay", self.url, "bench.in", "bench.direct", "bench.out"]
        words += [str(self.count)] + ([] if persistent else ["transient"])
        figures, processes = self.empty(["bench.in"], [words])
        for process in processes:
            process.wait()
        return figures

    def workers(self, count, kind, persistent):
        shards = 0 if count == 0 else SHARDS
        queues = [f"widgets.updates.{number}" for number in range(shards)] or ["widgets.updates"]
        self.topology(kind, queues)
        self.create_widgets()
        self.fill(persistent)
        before, octets = self.redis.figures()
        programs = []
        for number in range(max(1, count)):
            words = [PROGRAMS / "widgetd", "run", "--amqp-url", self.url, "--admin", "off", "--default-throttle", "0"]
            words += ["--max-widgets", "0", "--queue-type", kind, "--store", f"redis://127.0.0.1:{self.redis.port}"]
            if shards:
                part = ",".join(str(shard) for shard in range(shards) if shard % count == number)
                words += ["--shards", str(shards), "--consume", part]
            programs.append(words)
        start = self.log.seek(0, os.SEEK_END)
        figures, processes = self.empty(queues, programs)
        for process in processes:
            process.send_signal(signal.SIGTERM)
        if any(process.wait() for process in processes):
            sys.exit("error: a worker ended with a fault: " + pathlib.Path(self.log.name).read_text()[-500:])
        self.log.seek(start)
        batches = sum(map(int, re.findall(r"batches=(\d+)", self.log.read().decode())))
        after, all_octets = self.redis.figures()
        calls = {name: after.get(name, 0) - before.get(name, 0) for name in ("evalsha", "mget", "hmget")}
        # A lookup is a pipeline: one MGET of ids, and for widgets that are not cached another one and an HMGET.
        trips = calls["evalsha"] + calls["mget"] - calls["hmget"]
        return figures, (trips / max(1, batches), self.count / max(1, batches), (all_octets - octets) / self.count)

    def end(self):
        for process in self.processes:
            process.kill()
        self.redis.end()


HEADS = ["workers", "messages/s", "of the relay's", "of one's", "CPU a message, µs: workers", "broker", "Redis"]
HEADS += ["round trips a batch", "messages a batch", "bytes to and from Redis a message"]


def row(who, found, costs, rates):
    """Medians of what was found, rates as ratios, too."""
    rate, *cpu = (statistics.median(column) for column in zip(*found))
    cells = [who, f"{rate:,.0f}"] + [f"{rate / rates[other]:.2f}" for other in ("relay", "1")]
    cells += [f"{each:.1f}" for each in cpu]
    if not costs:
        return cells[:-1] + ["–"] * 4
    trips, batch, octets = (statistics.median(column) for column in zip(*costs))
    return cells + [f"{trips:.2f}", f"{batch:.0f}", f"{octets:,.0f}"]


def measure(count, runs):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # So that what was started is ended then, too.
    bench = Bench(count)
    print(f"{count} messages, {WIDGETS} widgets, {SHARDS} shards, medians of {runs} runs by turns", flush=True)
    try:
        for kind, persistent in (("classic", True), ("quorum", True), ("classic", False)):
            found = {"relay": [], "1, no shards": [], "1": [], "2": [], "4": []}
            costs = {who: [] for who in found}
            for _ in range(runs):
                for who, each in found.items():
                    if who == "relay":
                        each.append(bench.relay(kind, persistent))
                    else:
                        figures, cost = bench.workers(0 if "," in who else int(who), kind, persistent)
                        each.append(figures)
                        costs[who].append(cost)
            rates = {who: statistics.median(figures[0] for figures in each) for who, each in found.items()}
            rows = [row(who, found[who], costs[who], rates) for who in found]
            print(f"\n{kind}, {'persistent' if persistent else 'transient'}:\n\n{table(HEADS, rows)}", flush=True)
    finally:
        bench.end()
