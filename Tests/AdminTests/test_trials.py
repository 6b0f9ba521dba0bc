"""What would become of a message, what a device would show, and the rules a form is made from."""

import json
import subprocess
import unittest

from _worker import BINARY, URL, Worker, poll

AT = "2026-11-30T12:00:00Z"


@unittest.skipUnless(URL, "WIDGETD_TEST_AMQP_URL names no broker; deploy/test sets it")
class TrialTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.worker = Worker()
        cls.addClassCleanup(cls.worker.close)
        cls.worker.wait_until_ready()

    def post(self, path, body):
        status, headers, text = self.worker.get(path, method="POST", body=body if isinstance(body, str) else json.dumps(body))
        return status, headers["Content-Type"], json.loads(text)

    def check(self, line):
        status, kind, outcome = self.post("/api/check", line)
        self.assertEqual((status, kind), (200, "application/json"))
        return outcome

    def test_a_message_is_judged_against_what_is_stored_and_changes_nothing(self):
        self.worker.create("judged", {"template": "progress", "value": 0.6, "label": "Pages"})
        poll(lambda: self.worker.get("/api/widgets/acme/judged")[0] == 200)
        before = self.worker.get("/api/widgets/acme/judged")[2]
        patch = {"type": "widget.patch", "account": "acme", "slug": "judged", "message_id": "m", "at": AT}
        for _ in range(2):
            outcome = self.check({**patch, "body": {"content": {"value": 0.7}}})
            self.assertEqual((outcome["outcome"], outcome["revision"]), ("accepted", 2))
            self.assertEqual(outcome["widget"]["content"], {"template": "progress", "value": 0.7, "label": "Pages"})
            self.assertEqual(outcome["widget"]["changed"], ["/content/value"])
            self.assertNotIn("duplicate", outcome)
        outcome = self.check({**patch, "body": {"content": {"value": 2, "no": 1}}})
        self.assertEqual((outcome["outcome"], outcome["code"]), ("rejected", "widget.content_invalid"))
        self.assertEqual([error["location"] for error in outcome["errors"]], ["/content/value", "/content/no"])
        self.assertEqual(outcome["received_at"], "2026-11-30T12:00:00.000Z")
        self.assertEqual(self.check({**patch, "slug": "none", "body": {}})["code"], "widget.not_found")
        self.assertEqual(self.worker.get("/api/widgets/acme/judged")[2], before)
        self.assertEqual(self.worker.json("/api/widgets?account=default"), [])

    def test_what_is_stored_in_headers_stays_there(self):
        action = {"url": "https://example.com/", "headers": {"Authorization": "Bearer s3cret"}}
        self.worker.create("secret", {"template": "value", "value": 1, "url_action": action})
        poll(lambda: self.worker.get("/api/widgets/acme/secret")[0] == 200)
        outcome = self.check({"account": "acme", "slug": "secret", "body": {"content": {"value": 2}}})
        self.assertEqual(outcome["widget"]["content"]["url_action"]["headers"], {"Authorization": "[redacted]"})
        self.assertNotIn("s3cret", self.worker.get("/api/accepted?slug=secret")[2])

    def test_the_answer_is_the_line_that_apply_writes(self):
        for line in ('{"type": "widget.create", "slug": "a", "at": "%s", "body": {"name": "A", "content": {"template": "value"}}}' % AT,
                     '{"type": "widget.create", "slug": "a", "at": "%s", "body": {"name": " ", "content": {"template": "gauge"}}}' % AT,
                     '{"type": "widget.patch", "slug": "a", "at": "%s", "raw": "{"}' % AT,
                     '{"slug": 1, "at": "%s"}' % AT):
            applied = subprocess.run([BINARY, "apply", "--now", AT], input=line + "\n", capture_output=True, text=True,
                                     timeout=120, check=False).stdout
            answered = self.worker.get("/api/check", method="POST", body=line)[2]
            # The reading of a broken line stops at the fault, so its clock is not the line's.
            drop = lambda text: {**json.loads(text), "received_at": None}
            self.assertEqual(drop(answered), drop(applied))
        self.assertEqual(self.check("{")["code"], "message.malformed")

    def test_a_device_shows_the_same_in_the_family_asked_for_and_among_all(self):
        request = {"content": {"template": "progress", "value": 0.425}, "name": "Pages", "now": AT}
        status, _, every = self.post("/api/present", request)
        self.assertEqual(status, 200)
        self.assertEqual([shown["family"] for shown in every],
                         ["small", "medium", "large", "rectangular", "circular", "inline"])
        for shown in every:
            self.assertEqual(self.post("/api/present", {**request, "family": shown["family"]})[2], shown)
            self.assertEqual(shown["headline"]["text"], "43%")

    def test_a_widget_without_news_is_stale_and_an_old_build_is_told(self):
        request = {"content": {"template": "countdown", "end_date": "2026-11-30T12:01:00Z"}, "updated_at": "2026-11-30T11:00:00Z",
                   "stale_after": 600, "now": AT, "family": "small"}
        self.assertEqual(self.post("/api/present", request)[2]["stale"]["as_of"], "2026-11-30T11:00:00.000Z")
        self.assertEqual(self.post("/api/present", {**request, "build": "before_1.6"})[2]["unavailable"], "needs_build_1.6")

    def test_what_cannot_be_presented_is_said(self):
        for body, status, wanted in (("{", 400, "RFC 8259"), ("[]", 400, "object"), ({}, 422, "content"), ({"content": 1}, 422, "content"),
                                     ({"content": {}, "now": "noon"}, 422, "now"), ({"content": {}, "family": "huge"}, 422, "circular"),
                                     ({"content": {}, "build": 1.6}, 422, "build"), ({"content": {}, "colour": 1}, 422, "colour")):
            found, kind, problem = self.post("/api/present", body)
            self.assertEqual((found, kind), (status, "application/problem+json"), body)
            self.assertIn(wanted, problem["detail"])

    def test_the_contract_is_told_as_tables(self):
        contract = self.worker.json("/api/contract")
        self.assertEqual(len(contract["templates"]), 10)
        objects = {entry["name"]: {member["name"]: member for member in entry["members"]} for entry in contract["objects"]}
        schema = json.loads(subprocess.run([BINARY, "schema", "content/gauge"], capture_output=True, text=True, timeout=120,
                                           check=True).stdout)
        self.assertEqual(list(objects["content"]), list(schema["properties"]))
        self.assertEqual(objects["widget"]["push_throttle"]["rule"], {"kind": "whole_number", "lowest": 1.0, "highest": 3600.0})
        lists = {entry["name"]: entry for entry in contract["arrays"]}
        self.assertEqual((lists["statRows"]["most"], lists["statRows"]["rule"]), (6, {"kind": "object", "of": "statRow"}))
        for entry in objects.values():
            for member in entry.values():
                if member["rule"]["kind"] == "object":
                    self.assertIn(member["rule"]["of"], objects)

    def test_what_is_pending_and_what_was_pushed_is_told(self):
        self.worker.create("throttled", {"template": "value", "value": 1}, push_throttle=3600)
        for value in (2, 3):
            self.worker.send("throttled", {"content": {"value": value}})
        poll(lambda: self.worker.json("/api/widgets/acme/throttled/pending").get("updates") == 2)
        pushed = self.worker.json("/api/accepted?account=acme&slug=throttled")
        self.assertEqual([widget["revision"] for widget in pushed], [1])
        self.worker.send("throttled", {"content": {"value": 4}}, "widget.create")
        self.assertEqual(self.worker.get("/api/accepted?limit=0")[0], 400)

    def test_the_status_tells_only_the_samples_that_are_news(self):
        status = poll(lambda: (lambda s: s if s["samples"] else None)(self.worker.json("/api/status")))
        self.assertTrue(status["ready"])
        last = status["samples"][-1]["at"]
        self.assertTrue(all(sample["at"] > last for sample in self.worker.json(f"/api/status?since={last}")["samples"]))
        self.assertIn("acknowledging", [guarantee["name"] for guarantee in status["guarantees"]])


@unittest.skipUnless(URL, "WIDGETD_TEST_AMQP_URL names no broker; deploy/test sets it")
class MemoryTrialTests(unittest.TestCase):
    def test_without_a_file_a_create_is_judged_and_a_patch_cannot_be(self):
        worker = Worker("--store", "memory:")
        self.addCleanup(worker.close)
        line = {"slug": "a", "body": {"name": "A", "content": {"template": "value"}}}
        status, _, text = worker.get("/api/check", method="POST", body=json.dumps({**line, "type": "widget.create"}))
        self.assertEqual((status, json.loads(text)["outcome"]), (200, "accepted"))
        status, _, text = worker.get("/api/check", method="POST", body=json.dumps(line))
        self.assertEqual(status, 503)
        self.assertIn("memory", json.loads(text)["detail"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
