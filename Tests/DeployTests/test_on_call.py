"""The guide for the person on call: a section for each alert, and what it names is there."""

import re
import unittest

import yaml

from _program import BINARY, DEPLOY, ROOT, run

GUIDE = (DEPLOY / "on-call.md").read_text()
ALERTS = [rule for group in yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())["groups"]
          for rule in group["rules"]]


class GuideTests(unittest.TestCase):
    def test_each_alert_has_a_section_to_which_it_points(self):
        sections = re.findall(r"^### (\w+)$", GUIDE, re.MULTILINE)
        self.assertEqual(sections, [alert["alert"] for alert in ALERTS])
        for alert in ALERTS:
            self.assertEqual(alert["annotations"]["runbook"], f"deploy/on-call.md#{alert['alert'].lower()}")

    def test_the_options_that_it_names_are_the_programs(self):
        known = set(re.findall(r"--[a-z-]+", run(BINARY, "manual").stdout.replace("\\-", "-")))
        for command in re.findall(r"widgetd (?:check|redrive|watch|send)[^`\n]*", GUIDE):
            self.assertEqual(set(re.findall(r"--[a-z-]+", command)) - known, set(), command)

    def test_the_files_that_it_names_are_there(self):
        for path in re.findall(r"`(deploy/[\w./-]+)`", GUIDE):
            self.assertTrue((ROOT / path).exists(), path)


if __name__ == "__main__":
    unittest.main(verbosity=1)
