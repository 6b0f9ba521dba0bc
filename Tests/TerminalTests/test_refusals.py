"""Whatever is wrong with the way to the broker is one line: what was wanted, what was found, what to do."""

import os
import tempfile
import unittest
from urllib.parse import urlsplit

from _live import URL, LiveTests, needs_broker
from _relay import Relay, certificate
from _terminal import run

# Addresses that are none.
NO_ADDRESS = [
    ("broker:5672", "starts with amqp:// or amqps://"), ("http://guest:hidden@h", 'found "http://"'),
    ("amqp://guest:hidden@h:70000", "a port that is no number from 1 to 65535"),
    ("amqp://guest:hidden#x@h", "write it as %23"), ("amqp://guest:hid/den@h", "/ as %2f"),
    ("amqp://guest:hid%zz@h", "write a % itself as %25"), ("amqp://guest:hidden@h/a/b", "as %2f"),
    ("amqp://h?certfile=/c&keyfile=/k", "start it with amqps://"), ("amqps://h?certfile=/c", "give both"),
    ("amqps://h?verify=verify_none", "verify_peer is the only choice"), ("amqp://h?colour=red", "known are heartbeat"),
    ("amqps://h?auth_mechanism=external", "give certfile and keyfile"), ("amqp://h?auth_mechanism=gssapi", "plain and ext"),
]


class AddressTests(unittest.TestCase):
    def test_an_address_that_is_none_is_told_what_it_lacks(self):
        for url, words in NO_ADDRESS:
            for command in (("run",), ("redrive", "--account", "acme"), ("send", "pages", "value=1"), ("watch",)):
                with self.subTest(url, command=command[0]):
                    done = run(*command, env={"WIDGETD_AMQP_URL": url})
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                    self.assertIn("WIDGETD_AMQP_URL is no list of brokers: ", done.stderr)
                    self.assertIn(words, done.stderr)
                    self.assertNotRegex(done.stderr, "hidden|hid%zz|hid/den|hid/")


@needs_broker
class RefusalTests(LiveTests):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.parts = urlsplit(URL)

    def relay(self, **changes):
        relay = Relay(self.folder.name, (self.parts.hostname, self.parts.port), **changes)
        self.addCleanup(relay.close)
        return relay

    def address(self, relay, authority=None, **options):
        query = "".join(f"&{name}={value}" for name, value in options.items())
        authority = authority or relay.certificate
        return f"amqps://guest:guest@127.0.0.1:{relay.port}{self.parts.path}?cacertfile={authority}{query}"

    def assert_refused(self, url, *words):
        for command in (("redrive", "--account", "acme"), ("send", self.slug, "value=1")):
            with self.subTest(words, command=command[0]):
                done = self.run_(*command, env={"WIDGETD_AMQP_URL": url})
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                for word in words:
                    self.assertIn(word, done.stderr)

    def test_a_broker_that_is_not_there(self):
        self.assert_refused("amqp://guest:guest@127.0.0.1:1", "does a broker listen there?")
        self.assert_refused("amqp://guest:guest@broker.invalid", "check the host's name")

    def test_a_login_that_is_refused(self):
        place = f"{self.parts.hostname}:{self.parts.port}"
        self.assert_refused(f"amqp://guest:wrong@{place}/%2f", "403 ACCESS_REFUSED", "check user, password")
        self.assert_refused(f"amqp://guest:guest@{place}/none", "530 NOT_ALLOWED", "check the virtual host")

    def test_certificates_that_are_not_good(self):
        relay = self.relay()
        self.assert_refused(
            self.address(relay, server_name_indication="broker.example"),
            "(wanted broker.example, it is for IP Address:127.0.0.1)", "server_name_indication")
        self.assert_refused(self.address(relay, self.relay().certificate), "(issued by /CN=broker)", "cacertfile")
        self.assert_refused(self.address(self.relay(days=-1)), "has expired (it ended ", "the broker needs a new one")

    def test_files_that_cannot_be_used(self):
        relay = self.relay()
        own, _ = certificate(self.folder.name, 2, "DNS:worker")
        missing = os.path.join(self.folder.name, "none")
        self.assert_refused(self.address(relay, missing), f"from {missing}: No such file or directory")
        self.assert_refused(self.address(relay, relay.key), f"from {relay.key}: no certificate")
        self.assert_refused(
            self.address(relay, certfile=own, keyfile=relay.key), f"from {own}", f"{relay.key}: key values mismatch")

    def test_ports_taken_for_one_another(self):
        relay = self.relay()
        plain = f"127.0.0.1:{self.parts.port}"
        self.assert_refused(f"amqps://guest:guest@{plain}?cacertfile={relay.certificate}", "the broker's port for TLS?")

    def test_a_broker_that_lacks_the_plugin_for_certificates(self):
        relay = self.relay()
        own, key = certificate(self.folder.name, 2, "DNS:worker")
        self.assert_refused(
            self.address(relay, certfile=own, keyfile=key, auth_mechanism="external"), "rabbitmq_auth_mechanism_ssl")

    def test_a_permission_that_lacks(self):
        url = self.user(r"^amq\.gen.*", r"^amq\.gen.*", ".*")
        done = self.run_("send", self.slug, "value=1", env={"WIDGETD_AMQP_URL": url})
        self.assertEqual(done.returncode, 3)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("access to exchange", done.stderr)
        self.assertIn("give the user this permission", done.stderr)


if __name__ == "__main__":
    unittest.main()
