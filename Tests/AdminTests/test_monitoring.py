"""The dashboard and the alert rules under deploy/ ask for what a real worker tells, in words that Prometheus reads."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from urllib.parse import urlsplit

from _worker import ROOT, URL, Worker, poll

sys.path.append(str(ROOT / "Tests" / "TerminalTests"))
from _relay import Relay  # noqa: E402

ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yml"
DASHBOARD = json.loads((ROOT / "deploy" / "grafana" / "widgetd.json").read_text(encoding="utf-8"))
EXPRESSIONS = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]


def promtool(*arguments):
    return subprocess.run(["promtool", *arguments], capture_output=True, text=True, timeout=120, check=False)


class MonitoringTests(unittest.TestCase):
    def test_promtool_accepts_the_alert_rules(self):
        done = promtool("check", "rules", str(ALERTS))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_alerts_go_off_when_they_should(self):
        done = promtool("test", "rules", str(Path(__file__).with_name("alerts.yml")))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_expression_of_the_dashboard_is_promql(self):
        # A rule file takes any expression; what Grafana fills in is filled in here.
        filled = [re.sub(r"\$__rate_interval", "5m", expression) for expression in EXPRESSIONS]
        rules = [{"record": f"panel:{index}", "expr": expression} for index, expression in enumerate(filled)]
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, file)
            file.flush()
            done = promtool("check", "rules", file.name)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @unittest.skipUnless(URL, "WIDGETD_TEST_AMQP_URL names no broker; deploy/test sets it")
    def test_every_metric_they_name_is_told_by_a_worker(self):
        parts = urlsplit(URL)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        relay = Relay(folder.name, (parts.hostname, parts.port), days=20)
        self.addCleanup(relay.close)
        worker = Worker(url=f"amqps://guest:guest@127.0.0.1:{relay.port}{parts.path}?cacertfile={relay.certificate}")
        self.addCleanup(worker.close)
        worker.wait_until_ready()
        worker.create("pages", {"template": "value"})
        poll(lambda: "widgetd_received_total 1" in worker.get("/metrics")[2])
        told = set(re.findall(r"^(widgetd_\w+)", worker.get("/metrics")[2], re.MULTILINE))
        named = set(re.findall(r"\bwidgetd_\w+", ALERTS.read_text(encoding="utf-8") + " ".join(EXPRESSIONS)))
        self.assertGreater(len(named), 15)
        self.assertEqual(named - told, set())


if __name__ == "__main__":
    unittest.main(verbosity=1)
