"""Holds the JSON Schemas in schemas/ against the program, by a JSON Schema validator that is not ours.

Takes the program from WIDGETD_TEST_BINARY, else from .build/release. Needs the Python package jsonschema.
"""

import copy
import json
import os
import random
import re
import subprocess
import unittest
from pathlib import Path

from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "schemas"
CORPORA = ROOT.parent / "shared" / "corpora"
BINARY = os.environ.get("WIDGETD_TEST_BINARY") or str(ROOT / ".build" / "release" / "widgetd")
NOW = "2026-11-30T12:00:00Z"


def documents():
    return {str(path.relative_to(SCHEMAS))[:-5]: json.loads(path.read_text()) for path in SCHEMAS.rglob("*.json")}


DOCUMENTS = documents()
VALIDATORS = {name: Draft202012Validator(schema) for name, schema in DOCUMENTS.items() if name != "asyncapi"}


class Raw(str):
    """JSON text that Python would not write so."""


def text_of(value):
    """The value as JSON text, what is raw in it as it stands."""

    def marked(value):
        if isinstance(value, Raw):
            return f"@raw {value}@"
        if isinstance(value, dict):
            return {name: marked(member) for name, member in value.items()}
        if isinstance(value, list):
            return [marked(element) for element in value]
        return value

    return re.sub(r'"@raw ([^@"]*)@"', r"\1", json.dumps(marked(value)))


def apply(lines):
    """What the program says of each message."""
    run = subprocess.run(
        [BINARY, "apply", "--now", NOW, "--max-widgets", "0"], input="\n".join(lines) + "\n", capture_output=True,
        text=True, timeout=120, check=False)
    if run.returncode != 0:
        raise AssertionError(f"widgetd apply ended with {run.returncode}: {run.stderr}")
    outcomes = [json.loads(line) for line in run.stdout.split("\n")[:-1]]
    if len(outcomes) != len(lines):
        raise AssertionError(f"{len(lines)} messages gave {len(outcomes)} outcomes")
    return outcomes


def message(kind, body, account, **others):
    """A line of `apply`; its body may be raw."""
    members = dict(others, type=f"widget.{kind}", account=account)
    if body is not None:
        members["body"] = body
    return text_of(members)


class Case:
    """A body, what it finds, and what is expected of it: "accept", "reject", or "unsaid" for what only we refuse."""

    def __init__(self, label, kind, body, expected=None, stored=None, at=NOW, slug="case"):
        self.label, self.kind, self.body, self.expected = label, kind, body, expected
        self.stored, self.at, self.slug = stored, at, slug


def judge(cases):
    """The cases with the program's outcomes, each in an account of its own."""
    lines, places = [], []
    for number, case in enumerate(cases):
        account = f"a{number}"
        if case.stored is not None:
            lines.append(message("create", case.stored, account, slug=case.slug, at=case.at))
        places.append(len(lines))
        lines.append(message(case.kind, case.body, account, slug=case.slug, at=case.at))
    outcomes = apply(lines)
    for number, (case, place) in enumerate(zip(cases, places)):
        if case.stored is not None and outcomes[place - 1]["outcome"] != "accepted":
            raise AssertionError(f"{case.label}: {outcomes[place - 1]}")
    return [(case, outcomes[place]) for case, place in zip(cases, places)]


def is_unsaid(schema, error):
    """The schema lists the rule, at that location, as one that it cannot say."""
    for rule in schema["x-rules"]:
        if rule.get("rule") != error["rule"]:
            continue
        for location in rule["locations"]:
            if re.fullmatch(re.escape(location).replace(r"\*", "[^/]*"), error["location"]):
                return True
    return False


class SchemaTests(unittest.TestCase):
    """Both validators side by side."""

    def agree(self, case, outcome):
        schema = DOCUMENTS[case.kind]
        instance = {} if case.body is None else json.loads(text_of(case.body))
        faults = [error.message for error in VALIDATORS[case.kind].iter_errors(instance)]
        if outcome["outcome"] == "accepted":
            self.assertEqual(faults, [], f"{case.label}: we accept it, and its schema does not")
            return "accept"
        if faults:
            return "reject"
        errors = outcome.get("errors")
        self.assertTrue(errors, f"{case.label}: its schema accepts it, and we say {outcome['detail']}")
        for error in errors:
            self.assertTrue(is_unsaid(schema, error), f"{case.label}: its schema accepts it, and we say {error}")
        return "unsaid"

    def agree_on(self, cases):
        verdicts = {"accept": 0, "reject": 0, "unsaid": 0}
        for case, outcome in judge(cases):
            with self.subTest(case.label):
                verdict = self.agree(case, outcome)
                verdicts[verdict] += 1
                if case.expected:
                    self.assertEqual(verdict, case.expected, f"{case.label}: {outcome}")
        return verdicts

    def test_limits(self):
        """Each limit at its value, one below and one above."""
        verdicts = self.agree_on(limits())
        self.assertGreater(min(verdicts.values()), 10)

    def test_mutations(self):
        """Bodies that differ from legal ones in one or two members."""
        chance = random.Random(20261130)
        verdicts = self.agree_on([mutation(chance, number) for number in range(4000)])
        self.assertGreater(min(verdicts.values()), 50)

    @unittest.skipUnless(CORPORA.is_dir(), "there is no folder ../shared/corpora beside this clone")
    def test_real_bodies(self):
        """What real clients send."""
        cases = []
        for line in (CORPORA / "widgets" / "real.jsonl").read_text().splitlines():
            row = json.loads(line)
            stored = row.get("stored")
            if row["op"] != "create":
                # A patch that finds nothing brings a whole content of its own.
                stored = {"name": "n", **(stored or {"content": {"template": "status"}})}
            cases.append(Case(row["id"], row["op"], row.get("body"), None, stored, row["now"], row["slug"]))
        self.assertEqual(len(cases), 316)
        self.agree_on(cases)

    @unittest.skipUnless(CORPORA.is_dir(), "there is no folder ../shared/corpora beside this clone")
    def test_dates(self):
        """RFC 3339: the pattern takes what we take."""
        date = Draft202012Validator(DOCUMENTS["create"]["$defs"]["date"])
        texts = [row["text"] for row in json.loads((CORPORA / "rfc3339" / "cases.json").read_text())]
        cases = [Case(text, "create", widget({"template": "status", "end_date": text})) for text in texts]
        for case, outcome in judge(cases):
            with self.subTest(case.label):
                is_date = all(error["rule"] != "date_time" for error in outcome.get("errors", []))
                self.assertEqual(date.is_valid(case.label), is_date)

    def test_outcomes(self):
        """What we publish is as the schemas say."""
        outcomes = apply(conversation())
        seen = set()
        for outcome in outcomes:
            with self.subTest(json.dumps(outcome)[:300]):
                receipt = {name: value for name, value in outcome.items() if name not in ("widget", "original")}
                if "widget" in outcome:
                    state = outcome["widget"]
                    self.conforms("accepted", state)
                    receipt["updated_at"] = state["updated_at"]
                    if "changed" in state:
                        receipt["changed"] = state["changed"]
                        self.conforms(f"content/{state['content']['template']}", state["content"])
                        seen.add(state["content"]["template"])
                    else:
                        seen.add("deleted")
                if "original" in outcome:
                    problem = {name: value for name, value in outcome.items() if name not in ("outcome", "duplicate")}
                    self.conforms("rejected", problem)
                    seen.add(outcome["code"])
                if "duplicate" in outcome:
                    seen.add("duplicate " + outcome["outcome"])
                self.conforms("receipt", receipt)
        templates = {name[8:] for name in DOCUMENTS if name.startswith("content/")}
        self.assertEqual(templates - seen, set(), "no outcome of these templates was seen")
        for kind in ("deleted", "duplicate accepted", "duplicate rejected", "message.malformed", "widget.invalid"):
            self.assertIn(kind, seen)

    def test_outcomes_are_not_just_anything(self):
        """The schemas of outcomes refuse what we never publish."""
        state = apply([message("create", widget(LEGAL["gauge"]), "acme", slug="s")])[0]["widget"]
        for name, value in [
            ("revision", 0), ("account", "no good"), ("changed", ["/nope"]), ("updated_at", NOW), ("nope", 1),
            ("content", {"template": "gauge"}), ("push_throttle", None),
        ]:
            with self.subTest(name):
                self.assertFalse(VALIDATORS["accepted"].is_valid({**state, name: value}))

    def conforms(self, schema, instance):
        faults = [f"{list(error.path)}: {error.message}" for error in VALIDATORS[schema].iter_errors(instance)]
        self.assertEqual(faults, [], f"not as {schema}.json says")

    def test_meta_schema(self):
        """Every schema is one, all its patterns are regular expressions, and it says what makes it."""
        self.assertEqual(len(VALIDATORS), 16)
        for name in VALIDATORS:
            with self.subTest(name):
                Draft202012Validator.check_schema(DOCUMENTS[name])
                self.assertIn("widgetd schema", DOCUMENTS[name]["$comment"])
                for pattern in patterns(DOCUMENTS[name]):
                    re.compile(pattern)

    def test_asyncapi(self):
        """The description of the exchange refers to what is there, and names exchanges as the program does."""
        description = DOCUMENTS["asyncapi"]
        self.assertEqual(description["asyncapi"], "3.0.0")
        for reference in references(description):
            with self.subTest(reference):
                if reference.startswith("./"):
                    self.assertIn(reference[2:-5], VALIDATORS)
                else:
                    target = description
                    for step in reference[2:].split("/"):
                        target = target[step]
        run = subprocess.run([BINARY, "run", "--help"], capture_output=True, text=True, timeout=120, check=True)
        for channel in description["channels"].values():
            exchange = channel["bindings"]["amqp"].get("exchange")
            if exchange:
                self.assertIn(f"({exchange['name']})", run.stdout)
                self.assertIn(f"({channel['x-queue']['name']})", run.stdout)

    def test_command_prints_the_files(self):
        """`widgetd schema` lists them all and prints each as it stands in schemas/."""
        listed = self.schema().splitlines()
        self.assertEqual({line.split()[0] for line in listed}, set(DOCUMENTS))
        for name in DOCUMENTS:
            self.assertEqual(self.schema(name), (SCHEMAS / f"{name}.json").read_text())

    @staticmethod
    def schema(*arguments):
        return subprocess.run(
            [BINARY, "schema", *arguments], capture_output=True, text=True, timeout=120, check=True).stdout


def patterns(value, is_schema=True):
    """All patterns of a schema."""
    if isinstance(value, list):
        for element in value:
            yield from patterns(element)
    elif isinstance(value, dict):
        if is_schema and isinstance(value.get("pattern"), str):
            yield value["pattern"]
        for name, member in value.items():
            if is_schema and name == "patternProperties":
                yield from member
            yield from patterns(member, is_schema=name not in ("properties", "patternProperties", "$defs"))


def references(value):
    """All references in a document."""
    if isinstance(value, list):
        for element in value:
            yield from references(element)
    elif isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for member in value.values():
            yield from references(member)


# Bodies.

LATER = "2026-12-01T12:00:00Z"
ACTION = {
    "url": "https://example.com/a", "foreground": True, "method": "post", "headers": {"X-Token": "secret"}, "body": "b",
    "title": "t", "icon": "i",
}
NODE = {"rate": -1.5, "name": "n", "total": 0, "level": 100, "icon": "i", "color": "mint"}
LEGAL = {
    "value": {"template": "value", "value": 1, "min_value": 0, "max_value": 2, "unit": "kW", "trend": "up"},
    "progress": {"template": "progress", "value": 0.5, "start_date": NOW, "end_date": LATER},
    "status": {
        "template": "status", "label": "l", "subtitle": "s", "icon": "mdi:eye", "accent_color": "#A0b1C2",
        "background_color": "Red", "text_color": "", "severity": "critical", "tap_action": ACTION,
        "url_action": {"url": "app:open"}, "secondary_url_action": {"url": "HTTP://h"},
    },
    "gauge": {"template": "gauge", "value": 1, "min_value": 0, "max_value": 2},
    "stat_list": {
        "template": "stat_list",
        "stat_rows": [{"label": "l", "value": "v", "unit": "u", "timer": {"date": LATER, "style": "relative"}}],
    },
    "trend": {"template": "trend", "value": 1, "points": [1, 2.5]},
    "countdown": {
        "template": "countdown", "end_date": LATER, "expired_text": "over",
        "subtitle_timer": {"date": LATER, "style": "timer"},
    },
    "battery": {
        "template": "battery", "devices": [{"name": "d", "level": 50, "charging": True, "icon": "i", "color": "teal"}],
        "device_sort": [{"field": "level", "direction": "desc"}, {"field": "name"}],
    },
    "schedule": {
        "template": "schedule",
        "periods": [{"start": NOW, "value": 1, "level": "low"}, {"start": LATER, "value": -1, "level": "high"}],
    },
    "flow": {"template": "flow", "flow": {"inputs": [NODE], "output": NODE, "storage": NODE, "exchange": NODE}},
}


def widget(content, **others):
    return {"name": "Name", "content": content, **others}


def content_case(label, template, members, expected):
    return Case(label, "create", widget({**LEGAL[template], **members}), expected)


def patch_case(label, body, expected, stored="status"):
    return Case(label, "patch", body, expected, widget(LEGAL[stored]))


def around(label, make, limit, step=1, lowest=False):
    """At the limit, inside it and outside it."""
    outside = limit - step if lowest else limit + step
    inside = limit + step if lowest else limit - step
    for value, expected in ((inside, "accept"), (limit, "accept"), (outside, "reject")):
        case = make(value)
        case.label, case.expected = f"{label} {value}", expected
        yield case


def limits():
    def within(template, *path):
        """A maker of bodies: the legal content with another value at the path."""

        def make(value):
            content = copy.deepcopy(LEGAL[template])
            target = content
            for step in path[:-1]:
                target = target[step]
            target[path[-1]] = value
            return Case("", "create", widget(content))

        return make

    cases = []
    # Longest texts, in code points: one of three bytes and a pair of surrogates is one.
    for template, path, longest in [
        ("status", ["label"], 256), ("status", ["subtitle"], 256), ("status", ["icon"], 128), ("value", ["unit"], 32),
        ("countdown", ["expired_text"], 64), ("stat_list", ["stat_rows", 0, "label"], 32),
        ("stat_list", ["stat_rows", 0, "value"], 32), ("stat_list", ["stat_rows", 0, "unit"], 16),
        ("battery", ["devices", 0, "name"], 32), ("battery", ["devices", 0, "icon"], 128),
        ("flow", ["flow", "inputs", 0, "name"], 32), ("flow", ["flow", "output", "name"], 32),
        ("flow", ["flow", "storage", "icon"], 128), ("status", ["tap_action", "body"], 1024),
        ("status", ["tap_action", "title"], 64), ("status", ["tap_action", "icon"], 64),
    ]:
        for character in ("a", "\U0001F600"):
            make = within(template, *path)
            cases += around("/".join(map(str, path)), lambda count, c=character, m=make: m(c * count), longest)
    cases += around(
        "url", lambda count: within("status", "tap_action", "url")("https://h/" + "a" * (count - 10)), 2048)
    cases += around("name", lambda count: Case("", "create", {**widget(LEGAL["value"]), "name": "é" * count}), 256)
    # Bounds of numbers.
    for name, low, high in (("push_throttle", 1, 3600), ("stale_after", 60, 604800)):
        def make(value, member=name):
            return Case("", "create", widget(LEGAL["value"], **{member: value}))
        cases += around(name, make, low, lowest=True)
        cases += around(name, make, high)
        for text, expected in (("900.0", "accept"), ("900.5", "reject"), ("9e2", "accept"), ("true", "reject")):
            cases.append(Case(f"{name} {text}", "create", widget(LEGAL["value"], **{name: Raw(text)}), expected))
    for template, path in (
        ("battery", ["devices", 0, "level"]), ("flow", ["flow", "inputs", 0, "level"]),
        ("flow", ["flow", "exchange", "level"]),
    ):
        cases += around("level", within(template, *path), 0, 0.5, lowest=True)
        cases += around("level", within(template, *path), 100, 0.5)
    cases += around("total", within("flow", "flow", "output", "total"), 0, 0.25, lowest=True)
    cases += around("progress", within("progress", "value"), 0, 0.125, lowest=True)
    cases += around("progress", within("progress", "value"), 1, 0.125)
    # Sizes of arrays.
    row, device, node = LEGAL["stat_list"]["stat_rows"][0], LEGAL["battery"]["devices"][0], NODE
    for template, path, element, most in (
        ("stat_list", ["stat_rows"], row, 6), ("battery", ["devices"], device, 8),
        ("flow", ["flow", "inputs"], node, 3), ("trend", ["points"], 1, 48),
    ):
        make = within(template, *path)
        cases += around(path[-1], lambda count, m=make, e=element: m([e] * count), most)
    cases += around("points", lambda count: within("trend", "points")([1] * count), 2, lowest=True)
    cases += around(
        "periods", lambda count: within("schedule", "periods")(
            [{"start": f"2026-12-{1 + hour // 24:02}T{hour % 24:02}:00:00Z", "value": 1} for hour in range(count)]), 48)
    for template, name in (("stat_list", "stat_rows"), ("battery", "devices"), ("schedule", "periods")):
        cases.append(content_case(f"{name} empty where needed", template, {name: []}, "reject"))
        cases.append(content_case(f"{name} empty elsewhere", "value", {name: []}, "accept"))
        cases.append(Case(f"{name} missing", "create", widget({"template": template}), "reject"))
    cases.append(content_case("points empty elsewhere", "value", {"points": []}, "reject"))
    # Words and colours.
    for word, expected in (
        ("", "accept"), ("info", "accept"), ("Info", "reject"), ("info\n", "reject"), (1, "reject"), (None, "accept"),
    ):
        cases.append(content_case(f"severity {word!r}", "status", {"severity": word}, expected))
    for color, expected in (
        ("", "accept"), ("ReD", "accept"), ("#123abc", "accept"), ("123ABCff", "accept"), ("#12345", "reject"),
        ("#1234567", "reject"), (" red", "reject"), ("red\n", "reject"), ("#red", "reject"), ("12345g", "reject"),
    ):
        cases.append(content_case(f"color {color!r}", "status", {"accent_color": color}, expected))
    for word, expected in (
        ("get", "accept"), ("PaTcH", "accept"), ("", "accept"), ("TRACE", "reject"), ("GET\n", "reject"),
    ):
        cases.append(within("status", "tap_action", "method")(word))
        cases[-1].label, cases[-1].expected = f"method {word!r}", expected
    # Blank texts.
    for text, expected in (
        ("", "reject"), (" \t\n", "reject"), ("\u0085\u00A0\u2003\u3000", "reject"), ("\uFEFF", "accept"),
        ("\u001C", "accept"), ("\u200B", "accept"), (" x", "accept"), ("\U0001F600", "accept"),
    ):
        cases.append(Case(f"name {text!r}", "create", {**widget(LEGAL["value"]), "name": text}, expected))
        cases.append(within("stat_list", "stat_rows", 0, "label")(text))
        cases[-1].label, cases[-1].expected = f"label {text!r}", expected
    # URLs.
    for url, expected in (
        ("", "reject"), (" ", "reject"), ("https:", "reject"), ("https://", "reject"), ("https:///p", "reject"),
        ("https://?q", "reject"), ("https://u@", "reject"), ("https://u@/p", "reject"), ("https://u@h", "accept"),
        ("https://a@b@c:1/p@q", "accept"), ("https://:80", "reject"), ("HTTPS://h:80#f", "accept"), ("h", "reject"),
        ("http://[::1]/", "accept"), ("http:\\\\h", "reject"), ("http://h\\@", "accept"), ("1a:b", "reject"),
        ("https://h/a b", "reject"), ("https://h/\u00A0", "reject"), ("https://h\n", "reject"),
        ("https://h/\u0000", "reject"),
        ("https://ü/ö", "accept"), ("javascript:x", "unsaid"), ("DATA:x", "unsaid"), ("file:///x", "unsaid"),
        ("vbscript:x", "unsaid"), ("a+b-c.1:x", "accept"),
    ):
        cases.append(content_case(f"url {url!r}", "value", {"url_action": {"url": url}}, expected))
    for member in ({"method": "GET"}, {"headers": {}}, {"body": ""}):
        cases.append(content_case(f"{member} elsewhere", "value", {"url_action": {"url": "app:x", **member}}, "unsaid"))
    # Headers.
    for name, value, expected in (
        ("X-!#$%&'*+.^_`|~9", "v", "accept"), ("", "v", "reject"), ("a b", "v", "reject"), ("a\n", "v", "reject"),
        ("ä", "v", "reject"), ("a", "", "accept"), ("a", "\t\u0001é", "accept"), ("a", "x\n", "reject"),
        ("a", "\r", "reject"),
        ("a", "\u0000", "reject"), ("a", 1, "reject"), ("a", None, "accept"), ("a b", None, "accept"),
        ("a", "b" * 1023, "accept"), ("a", "b" * 1024, "unsaid"), ("a", "é" * 512, "unsaid"),
    ):
        cases.append(within("status", "tap_action", "headers")({name: value}))
        cases[-1].label, cases[-1].expected = f"header {name!r} {value!r}"[:60], expected
    # Numbers that only we refuse, and those that nobody does.
    for text, expected in (
        ("1e400", "unsaid"), ("-1e400", "unsaid"), ("1e-400", "accept"), ("-0", "accept"), ("1" * 309, "accept"),
        ("0." + "1" * 998, "accept"), ("0." + "1" * 9999, "accept"), ("true", "reject"), ('"1"', "reject"),
    ):
        cases.append(content_case(f"value {text[:20]}", "value", {"value": Raw(text), "max_value": None}, expected))
    # Dates.
    for date, expected in (
        ("2000-01-01T00:00:00Z", "unsaid"), ("2000-01-01T00:00:00.000000001Z", "accept"),
        ("2000-01-01T01:00:00+01:00", "unsaid"), ("2027-12-01T12:00:00Z", "accept"),
        ("2027-12-01T12:00:00.000000001Z", "unsaid"), ("2024-02-29t12:00:00.5z", "accept"),
        ("2026-02-29T12:00:00Z", "reject"), ("2026-11-31T12:00:00Z", "reject"), ("2026-11-30T24:00:00Z", "reject"),
        ("2016-12-31T23:59:60Z", "reject"), ("2026-11-30 12:00:00Z", "reject"), ("2026-11-30T12:00:00", "reject"),
        ("2026-11-30T12:00:00-00:00", "accept"), ("2026-11-30T12:00:00.Z", "reject"), ("", "reject"),
        (NOW + "\n", "reject"),
    ):
        cases.append(content_case(f"date {date!r}", "value", {"end_date": date}, expected))
    # Order.
    cases += [
        content_case("start at end", "progress", {"start_date": LATER}, "unsaid"),
        content_case("min at max", "value", {"min_value": 2}, "unsaid"),
        content_case("min at max elsewhere", "status", {"min_value": 2, "max_value": 2}, "accept"),
        content_case("value over max", "gauge", {"value": 2.5}, "unsaid"),
        content_case("periods fall", "schedule", {"periods": LEGAL["schedule"]["periods"][::-1]}, "unsaid"),
        content_case("field twice", "battery", {"device_sort": [{"field": "name"}, {"field": "name"}]}, "reject"),
        content_case("field empty", "battery", {"device_sort": [{"field": ""}]}, "reject"),
    ]
    # What templates need, and null in a create.
    for template, content in LEGAL.items():
        cases.append(Case(template, "create", widget(content), "accept"))
        for name in content:
            left = {key: value for key, value in content.items() if key != name}
            cases.append(Case(f"{template} without {name}", "create", widget(left)))
            cases.append(content_case(f"{template} with null {name}", template, {name: None}, None))
    cases += [
        Case("progress by dates", "create", widget({**LEGAL["progress"], "value": None}), "accept"),
        Case("progress by one date", "create", widget({"template": "progress", "end_date": LATER}), "reject"),
        Case("flow of nothing", "create", widget({"template": "value", "flow": {}}), "reject"),
        Case("flow of no inputs", "create", widget({"template": "value", "flow": {"inputs": []}}), "reject"),
        Case("flow of null", "create", widget({"template": "value", "flow": {"output": None}}), "reject"),
        Case("null in an array", "create", widget({**LEGAL["trend"], "points": [1, None]}), "reject"),
        content_case("null in an element", "battery", {"devices": [{"name": "d", "level": 1, "icon": None}]}, "reject"),
        Case("unknown", "create", widget(LEGAL["value"], nope=1), "reject"),
        Case("unknown null", "create", widget(LEGAL["value"], nope=None), "accept"),
        Case("unknown below", "create", widget({**LEGAL["value"], "nope": {}}), "reject"),
        Case("no content", "create", {"name": "n"}, "reject"),
        Case("null name", "create", {**widget(LEGAL["value"]), "name": None}, "reject"),
        Case("slug", "create", widget(LEGAL["value"], slug="s" * 128), "accept", slug=None),
        Case("slug too long", "create", widget(LEGAL["value"], slug="s" * 129), "reject", slug=None),
        Case("slug with a break", "create", widget(LEGAL["value"], slug="s\n"), "reject", slug=None),
        Case("slug null", "create", widget(LEGAL["value"], slug=None), "accept"),
        Case("slug no string", "create", widget(LEGAL["value"], slug=1), "reject"),
    ]
    # Patches.
    cases += [
        patch_case("heartbeat", {}, "accept"),
        patch_case("heartbeat with slug", {"slug": "case"}, "accept"),
        patch_case("throttle cleared", {"push_throttle": None}, "accept"),
        patch_case("name cleared", {"name": None}, "reject"),
        patch_case("content cleared", {"content": None}, "reject"),
        patch_case("template cleared", {"content": {"template": None}}, "reject"),
        patch_case("member cleared", {"content": {"label": None, "tap_action": {"icon": None}}}, "accept"),
        patch_case(
            "header cleared", {"content": {"tap_action": {"headers": {"X-Token": None, "no token": None}}}}, "accept"),
        patch_case("url cleared", {"content": {"tap_action": {"url": None}}}, "reject"),
        patch_case("action without url", {"content": {"tap_action": {"title": "t"}}}, "accept"),
        patch_case("new action without url", {"content": {"tap_action": {"title": "t"}}}, "unsaid", "value"),
        patch_case("unknown null", {"nope": None, "content": {"nope": None, "tap_action": {"nope": None}}}, "accept"),
        patch_case("unknown", {"content": {"nope": {"a": None}}}, "reject"),
        patch_case("needed member cleared", {"content": {"value": None}}, "unsaid", "gauge"),
        patch_case("other template", {"content": {"template": "gauge"}}, "unsaid"),
        patch_case("other template, member cleared", {"content": {"template": "gauge", "value": None}}, "reject"),
        patch_case("percentage", {"content": {"value": 42}}, "unsaid", "progress"),
        patch_case("percentage with template", {"content": {"template": "progress", "value": 42}}, "reject"),
        patch_case("rows emptied", {"content": {"stat_rows": []}}, "unsaid", "stat_list"),
        patch_case("flow emptied", {"content": {"flow": dict.fromkeys(LEGAL["flow"]["flow"])}}, "unsaid", "flow"),
        patch_case("rate cleared", {"content": {"flow": {"output": {"rate": None}}}}, "reject", "flow"),
        patch_case("null in an array", {"content": {"points": [None, 1]}}, "reject", "trend"),
        patch_case("progress by stored dates", {"content": {"value": None}}, "accept", "progress"),
        patch_case(
            "progress by nothing", {"content": {"template": "progress", "value": None, "end_date": None}}, "reject",
            "progress"),
        patch_case("scheme changed", {"content": {"tap_action": {"url": "app:x"}}}, "unsaid"),
    ]
    # Deletions.
    stored = widget(LEGAL["value"])
    cases += [
        Case("deletion", "delete", {}, "accept", stored),
        Case("deletion without body", "delete", None, "accept", stored),
        Case("deletion with slug", "delete", {"slug": "case"}, "accept", stored),
        Case("deletion with null slug", "delete", {"slug": None}, "accept", stored),
        Case("deletion with more", "delete", {"name": "n"}, "reject", stored),
        Case("deletion with null", "delete", {"name": None}, "reject", stored),
    ]
    return cases


VALUES = [
    None, True, 0, -1, 1, 0.5, 2, 50, 101, 3601, "", " ", "up", "low", "red", "#12345678", "GET", NOW, LATER,
    "2026-13-01T00:00:00Z", "app:x", "https://h", "a" * 33, "a" * 129, "a" * 1025, [], [1, 2], [{}], [None], {},
    {"a": None},
    {"a": "b"}, {"url": "https://h"}, {"date": LATER}, {"rate": 1}, [{"field": "name"}], [{"name": "d", "level": 1}],
    "gauge", "progress", "flow", "status", Raw("1e400"), Raw("9007199254740993"), Raw("900.0"),
]


def mutation(chance, number):
    """A legal body that was changed in a place or two."""
    template = chance.choice(list(LEGAL))
    body = copy.deepcopy(widget(LEGAL[template], push_throttle=5, stale_after=900))
    kind = chance.choice(["create", "patch"])
    stored = None
    if kind == "patch":
        stored = widget(LEGAL[chance.choice(list(LEGAL))])
        for name in chance.sample(sorted(body["content"]), len(body["content"]) // 2):
            del body["content"][name]
    for _ in range(chance.randint(1, 2)):
        target = chance.choice(list(containers(body)))
        if isinstance(target, list):
            key = chance.randrange(len(target)) if target else None
        else:
            key = chance.choice(sorted(target) + ["nope"] + chance.sample(NAMES, 3))
        if key is None:
            continue
        if chance.random() < 0.2:
            if isinstance(target, list) or key in target:
                target.pop(key)
        else:
            target[key] = copy.deepcopy(chance.choice(VALUES))
    return Case(f"mutation {number}: {text_of(body)[:400]}", kind, body, None, stored)


def containers(value):
    """All objects and arrays in a value."""
    if isinstance(value, (dict, list)):
        yield value
        for member in value.values() if isinstance(value, dict) else value:
            yield from containers(member)


NAMES = sorted({name for content in LEGAL.values() for name in content})


def conversation():
    """Messages that give outcomes of every kind that `apply` can give."""
    lines = []
    for template, content in LEGAL.items():
        lines.append(message("create", widget(content, push_throttle=5), "acme", slug=template, message_id=template))
    first = lines[0]
    lines += [
        message("patch", {"content": {"value": Raw("1.50"), "unit": None}}, "acme", slug="value"),
        message("patch", {}, "acme", slug="value", message_id="again"),
        message("patch", {}, "acme", slug="value", message_id="again"),
        message("delete", None, "acme", slug="flow", message_id="end"),
        message("delete", None, "acme", slug="flow", message_id="end"),
        first,
        message("patch", {"content": {"value": "x" * 300}}, "acme", slug="value", message_id="bad"),
        message("patch", {"content": {"value": "x" * 300}}, "acme", slug="value", message_id="bad"),
        message("patch", {"content": {"value": 1}}, "acme", slug="value", message_id="bad"),
        message("patch", {"nope": {"a/b~c": 1}, "a/b~c": True}, "acme", slug="value"),
        message("patch", {"content": {"min_value": 9}}, "acme", slug="gauge"),
        message("patch", {"push_throttle": 0}, "no account!", slug="no slug!"),
        message("patch", {}, "acme", slug="unknown"),
        message("create", {}, "acme"),
        message("create", {"slug": "other"}, "acme", slug="value"),
        message("create", None, "acme", slug="value"),
        message("nope", {}, "acme", slug="value"),
        message("create", [1], "acme", slug="value"),
        message("patch", {"pad": "x" * 70_000}, "acme", slug="value"),
        message("patch", {"pad": "x" * 300_000}, "acme", slug="value"),
        message("patch", None, "acme", slug="value", raw="{"),
        message("patch", {}, "acme", slug="status", sequence=4),
        message("patch", {}, "acme", slug="status", sequence=4),
        "not JSON",
        '{"type": 1}',
    ]
    return lines


if __name__ == "__main__":
    unittest.main()
