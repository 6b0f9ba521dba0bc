"""`check --online` against a real broker: WIDGETD_TEST_AMQP_URL says where it is, WIDGETD_TEST_BROKERCTL rules it."""

import os
import socket
import ssl
import subprocess
import tempfile
import unittest
import uuid
import warnings
from urllib.parse import urlsplit

import pika

from _redis import Redis
from _relay import ANY_CIPHER, Relay, certificate
from _terminal import run

URL = os.environ.get("WIDGETD_TEST_AMQP_URL")
CTL = os.environ.get("WIDGETD_TEST_BROKERCTL")


@unittest.skipUnless(URL and CTL, "WIDGETD_TEST_AMQP_URL and _BROKERCTL name no broker; deploy/test sets them")
class OnlineTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.prefix = f"check-{uuid.uuid4().hex[:8]}"
        self.names = {
            option: f"{self.prefix}.{name}" for option, name in (
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

    def declare(self, **queue_types):
        for option, name in self.names.items():
            if option.endswith("exchange"):
                self.channel.exchange_declare(name, "topic", durable=True)
            else:
                arguments = {"x-queue-type": queue_types.get(option.split("-")[0], "quorum")}
                if option == "queue":
                    arguments["x-single-active-consumer"] = True
                self.channel.queue_declare(name, durable=True, arguments=arguments)

    def check(self, *arguments, url=URL, store=None, env=None):
        options = [f"--{option}={name}" for option, name in self.names.items()]
        store = store or f"sqlite:{self.folder.name}/w.db"
        return run("check", "--online", "--store", store, *options, *arguments, env={"WIDGETD_AMQP_URL": url, **(env or {})})

    def lines(self, done, word, subject):
        return [line for line in done.stdout.splitlines() if line.split()[:2] == [word, subject]]

    def user(self, configure, write, read):
        name = f"{self.prefix}-user"
        subprocess.run([CTL, "-q", "add_user", name, "secret"], check=True, capture_output=True)
        self.addCleanup(subprocess.run, [CTL, "-q", "delete_user", name], check=True, capture_output=True)
        subprocess.run([CTL, "-q", "set_permissions", name, configure, write, read], check=True, capture_output=True)
        parts = urlsplit(URL)
        return f"amqp://{name}:secret@{parts.hostname}:{parts.port}{parts.path}"

    def test_all_is_well_and_nothing_is_changed(self):
        self.declare()
        self.channel.basic_publish("", self.names["queue"], b"{}")
        done = self.check()
        self.assertEqual(done.returncode, 0, done.stdout)
        for subject, words in (
            ("broker", "lets us in"), ("topology", "6 of 6"), ("permissions", "may read and write"),
            ("store", "not there yet, its folder is writable"),
        ):
            self.assertIn(words, self.lines(done, "ok", subject)[0])
        self.assertEqual(os.listdir(self.folder.name), [])
        method, _, _ = next(self.channel.consume(self.names["queue"], auto_ack=True, inactivity_timeout=20))
        self.assertFalse(method.redelivered)
        self.assertNotIn("guest:guest", done.stdout)

    def test_what_is_missing_is_a_fault_only_where_run_does_not_declare_it(self):
        created = self.check()
        self.assertEqual(created.returncode, 0)
        self.assertEqual(len(self.lines(created, "note", "topology")), 7)
        checked = self.check("--topology", "check")
        self.assertEqual(checked.returncode, 1)
        self.assertEqual(len(self.lines(checked, "fault", "topology")), 6)
        self.assertIn("create it, or run with --topology create", checked.stdout)
        with self.assertRaises(pika.exceptions.ChannelClosedByBroker):
            self.connection.channel().queue_declare(self.names["queue"], passive=True)

    def test_a_queue_of_another_kind_is_told_with_both_kinds(self):
        self.declare(fanout="classic")
        done = self.check()
        self.assertEqual(done.returncode, 1)
        faults = self.lines(done, "fault", "topology")
        self.assertEqual(len(faults), 1)
        self.assertIn("received 'quorum' but current is 'classic'", faults[0])

    def test_each_missing_permission_is_told(self):
        self.declare()
        ours = self.prefix + r"\."
        done = self.check("--topology", "check", url=self.user("^$", f"^{ours}accepted$", f"^{ours}accepted$"))
        self.assertEqual(done.returncode, 1)
        faults = "\n".join(self.lines(done, "fault", "permissions"))
        for words in (f"write {self.names['rejected-exchange']}", "write amq.default", f"read {self.names['queue']}"):
            self.assertIn(words, faults)
        self.assertNotIn(self.names["accepted-exchange"], faults)
        self.assertEqual(self.lines(done, "fault", "topology"), [])

    def test_a_user_who_may_not_declare_is_told_to_a_worker_that_would(self):
        self.declare()
        url = self.user("^$", f"^({self.prefix}|amq).*", f"^{self.prefix}.*")
        self.assertEqual(len(self.lines(self.check(url=url), "fault", "topology")), 6)
        self.assertEqual(self.check("--topology", "check", url=url).returncode, 0)

    def test_without_a_broker_the_status_is_3(self):
        parts = urlsplit(URL)
        for url, words in (
            ("amqp://127.0.0.1:1", "does a broker listen there?"),
            (f"amqp://guest:wrong@{parts.hostname}:{parts.port}{parts.path}", "check user, password"),
        ):
            done = self.check(url=url)
            self.assertEqual(done.returncode, 3)
            self.assertIn(words, self.lines(done, "fault", "broker")[0])
            self.assertNotIn("wrong@", done.stdout)

    def test_a_store_that_cannot_be_is_told(self):
        self.declare()
        done = self.check(store=f"sqlite:{self.folder.name}/none/w.db")
        self.assertEqual(done.returncode, 3)
        self.assertIn("none", self.lines(done, "fault", "store")[0])

    def test_the_days_of_the_brokers_certificate(self):
        self.declare()
        parts = urlsplit(URL)
        for days, word in ((90, "ok"), (20, "note")):
            relay = Relay(self.folder.name, (parts.hostname, parts.port), days)
            self.addCleanup(relay.close)
            url = f"amqps://guest:guest@127.0.0.1:{relay.port}{parts.path}?cacertfile={relay.certificate}"
            done = self.check(url=url)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertRegex(self.lines(done, word, "certificate")[0], rf"\b({days}|{days - 1}) days are left")
            self.assertEqual(len(self.lines(done, word, "certificate")), 1)

    def test_the_days_of_our_own_certificate(self):
        self.declare()
        parts = urlsplit(URL)
        relay = Relay(self.folder.name, (parts.hostname, parts.port))
        self.addCleanup(relay.close)
        for days, word, words, status in (
            (90, "ok", "days are left", 0), (20, "note", "days are left", 0), (-1, "fault", "has ended: renew it", 1),
        ):
            own, key = certificate(self.folder.name, days, "DNS:worker")
            done = self.check(
                url=f"amqps://guest:guest@127.0.0.1:{relay.port}{parts.path}?cacertfile={relay.certificate}"
                    f"&certfile={own}&keyfile={key}")
            self.assertEqual(done.returncode, status, done.stdout)
            self.assertIn(words, [line for line in self.lines(done, word, "certificate") if own in line][0])

    def test_a_brokers_certificate_that_has_ended(self):
        parts = urlsplit(URL)
        relay = Relay(self.folder.name, (parts.hostname, parts.port), -1)
        self.addCleanup(relay.close)
        url = f"amqps://guest:guest@127.0.0.1:{relay.port}{parts.path}?cacertfile={relay.certificate}"
        done = self.check(url=url)
        self.assertEqual(done.returncode, 3)
        self.assertRegex(self.lines(done, "fault", "broker")[0], r"expired \(it ended .* GMT\); the broker needs a new one")

    def test_tls_below_1_2_is_refused_even_where_openssl_would_speak_it(self):
        self.declare()
        warnings.simplefilter("ignore", DeprecationWarning)  # Python retires TLS 1.1, too
        configuration = os.path.join(self.folder.name, "openssl.cnf")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write("openssl_conf = a\n[a]\nssl_conf = b\n[b]\nsystem_default = c\n"
                       f"[c]\nMinProtocol = TLSv1\nCipherString = {ANY_CIPHER}\n")
        parts = urlsplit(URL)
        for version, name, status in ((ssl.TLSVersion.TLSv1_1, "TLSv1.1", 3), (ssl.TLSVersion.TLSv1_2, "TLSv1.2", 0)):
            relay = Relay(self.folder.name, (parts.hostname, parts.port), version=version)
            self.addCleanup(relay.close)
            client = ssl.create_default_context(cafile=relay.certificate)
            client.minimum_version = ssl.TLSVersion.TLSv1
            client.set_ciphers(ANY_CIPHER)
            with socket.create_connection(("127.0.0.1", relay.port)) as plain:
                with client.wrap_socket(plain, server_hostname="127.0.0.1") as spoken:
                    self.assertEqual(spoken.version(), name)
            url = f"amqps://guest:guest@127.0.0.1:{relay.port}{parts.path}?cacertfile={relay.certificate}"
            done = self.check(url=url, env={"OPENSSL_CONF": configuration})
            self.assertEqual(done.returncode, status, done.stdout)
            if status:
                self.assertIn("TLS 1.2", self.lines(done, "fault", "broker")[0])

    def test_a_faulty_configuration_comes_first(self):
        done = self.check("--prefetch", "0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the configuration comes first", done.stdout)

    def test_a_server_is_tried_and_tells_what_it_loses(self):
        self.declare()
        with Redis("--appendonly", "yes", "--appendfsync", "always") as server:
            done = self.check(store=f"redis://127.0.0.1:{server.port}")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn(f"at 127.0.0.1:{server.port} lets us do what is needed", self.lines(done, "ok", "store")[0])
            self.assertIn("on disk before each answer", self.lines(done, "note", "store")[0])
        with Redis("--requirepass", "right", "--maxmemory", "50mb", "--maxmemory-policy", "allkeys-lru") as server:
            done = self.check(store=f"redis://:right@127.0.0.1:{server.port}")
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn("set noeviction", self.lines(done, "fault", "store")[0])
            self.assertIn("all is lost when the server ends", self.lines(done, "note", "store")[0])
            done = self.check(store=f"redis://:wrong@127.0.0.1:{server.port}")
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            self.assertIn("give the right user and password", self.lines(done, "fault", "store")[0])
            self.assertNotIn("wrong", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
