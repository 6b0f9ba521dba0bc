"""The status page and the playground in a browser, against a real worker and broker."""

import json
import os
import subprocess
import tempfile
import time
import unittest

from _browser import Browser, Keys
from _worker import BINARY, URL, Worker, poll

FAMILIES = ("small", "medium", "large", "rectangular", "circular", "inline")
TEMPLATES = {"value", "progress", "status", "gauge", "stat_list", "trend", "countdown", "battery", "schedule", "flow"}
# A folder for pictures of the pages, for whoever wants to look at them.
PICTURES = os.environ.get("WIDGETD_TEST_PICTURES")

SCRIPT = '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">'
MARKS = "\u202e\u2067" + "\u0645\u0631\u062d\u0628\u0627" + "\u0301" * 40
WIDE = "\U0001f469\u200d\U0001f680" * 20 + "\ufdfd" * 60 + "W" * 100
HOSTILE = {
    "script": {"template": "progress", "value": 0.1, "label": SCRIPT, "subtitle": SCRIPT, "unit": "<b>",
               "icon": '"><script>', "stat_rows": [{"label": "<i>", "value": "</div>"}]},
    "marks": {"template": "status", "label": MARKS, "subtitle": f"{MARKS} · {MARKS}", "severity": "critical"},
    "wide": {"template": "value", "value": 1e300, "label": WIDE[:256], "subtitle": WIDE[:256], "unit": "W" * 32},
    "colors": {"template": "gauge", "value": 5, "min_value": 0, "max_value": 10, "label": "red on red",
               "accent_color": "red", "background_color": "#ff0000", "text_color": "red"},
    "list": {"template": "stat_list", "stat_rows": [{"label": "W" * 32, "value": MARKS[:32], "unit": "W" * 16}] * 6},
    "flow": {"template": "flow", "unit": "W" * 32,
             "flow": {"inputs": [{"name": "W" * 32, "rate": -1e300, "total": 1e300}] * 3}},
    "battery": {"template": "battery", "devices": [{"name": "W" * 32, "level": 100, "charging": True}] * 8},
}


@unittest.skipUnless(URL, "WIDGETD_TEST_AMQP_URL names no broker; deploy/test sets it")
class PageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.worker = Worker()
        cls.addClassCleanup(cls.worker.close)
        cls.worker.wait_until_ready()
        cls.base = f"http://127.0.0.1:{cls.worker.port}"

    def browse(self, path="/", **options):
        browser = Browser(**options)
        self.addCleanup(browser.close)
        browser.open(self.base + path)
        self.addCleanup(self.picture, browser)
        return browser

    def picture(self, browser):
        if PICTURES:
            browser.tall_shot(os.path.join(PICTURES, f"{self.id().split('.')[-1]}.png"))

    def assert_clean(self, browser):
        """Nothing was complained of, run, loaded from elsewhere, or made the page wider than its window."""
        self.assertEqual(browser.complaints(), [])
        self.assertEqual(browser.foreign_resources(), [])
        self.assertNotEqual(browser.run("return document.title"), "owned")
        self.assertNotRegex(browser.run("return document.body.innerText"), r"\[object |undefined|NaN")
        self.assertLessEqual(browser.sideways(), 0)

    def send_hostile(self):
        for slug, content in HOSTILE.items():
            self.worker.create(f"hostile-{slug}", content)
        poll(lambda: {f"hostile-{slug}" for slug in HOSTILE} <= {w["slug"] for w in self.worker.json("/api/widgets")},
             "a hostile widget was refused")

    # MARK: Status page

    def test_the_status_page_shows_what_happens_without_a_reload(self):
        browser = self.browse()
        browser.wait(lambda: "Ready" in browser.text("#readiness"), "not ready")
        browser.wait(lambda: browser.text("#connection") == "Live", "no events")
        browser.run("window.isTheSamePage = true")
        self.worker.create("pages-live", {"template": "progress", "value": 0.42, "label": "Live pages"})
        browser.wait(lambda: "42%" in browser.text("#newest .card"), "the new widget is not drawn first")
        self.worker.send("pages-live", {"content": {"value": 0.43}})
        browser.wait(lambda: "43%" in browser.text("#newest .card"), "the change is not drawn")
        self.worker.send("pages-live", {"content": {"value": 42}}, message_id="r-17")
        marked = browser.wait(lambda: browser.run(
            "return [...document.querySelectorAll('#rejections mark')].map((node) => node.textContent)"), "no rejection")
        self.assertEqual(marked[0], "42")
        self.assertIn("widget.content_invalid", browser.text("#rejections details"))
        self.assertIn("/content/value", browser.text("#rejections details"))
        self.assertIn("on disk before anything is published", browser.text("#guarantees"))
        self.assertTrue(browser.run("return window.isTheSamePage"))
        self.assertGreaterEqual(len(browser.all("#charts .chart")), 5)
        self.assert_clean(browser)

    def test_a_widget_is_found_and_opened(self):
        for slug in ("find-a", "find-b", "other"):
            self.worker.create(slug, {"template": "value", "value": 12, "label": slug})
        self.worker.send("find-b", {"content": {"value": 13}})
        poll(lambda: self.worker.get("/api/widgets/acme/find-b")[0] == 200
             and self.worker.json("/api/widgets/acme/find-b")["revision"] == 2)
        browser = self.browse()
        browser.wait(lambda: browser.all("#found li a"), "no list")
        browser.one("#account").send_keys("acme")
        browser.one("#slug").send_keys("find-", Keys.ENTER)
        browser.wait(lambda: browser.run("return [...document.querySelectorAll('#found a')].map((a) => a.textContent)")
                     == ["acme/find-a", "acme/find-b"], "not the widgets that were looked for")
        browser.run("document.querySelectorAll('#found a')[1].focus()")
        browser.run("return document.activeElement").send_keys(Keys.ENTER)
        browser.wait(lambda: "revision 2" in browser.text("#detail-body"), "the widget does not open")
        self.assertEqual(browser.run("return document.activeElement.id"), "detail")
        self.assertEqual(
            browser.run("return [...document.querySelectorAll('#detail .device')].map((d) => d.dataset.family)"),
            list(FAMILIES))
        self.assertIn('"value": 13', browser.text("#detail pre"))
        self.assertEqual(len(browser.all("#detail .revisions li")), 2)
        self.assert_clean(browser)

    def test_hostile_widgets_neither_run_nor_break_the_page(self):
        self.send_hostile()
        for options in ({"width": 1280}, {"width": 360}, {"width": 360, "dark": True}):
            with self.subTest(**options):
                browser = self.browse(**options)
                browser.wait(lambda: len(browser.all("#newest .device")) >= len(HOSTILE), "not all are drawn")
                self.assert_clean(browser)
                for slug in HOSTILE:
                    browser.run("location.hash = arguments[0]", f"#widget/acme/hostile-{slug}")
                    browser.wait(lambda: len(browser.all("#detail .device")) == len(FAMILIES)
                                 and slug in browser.text("#detail-title"), f"{slug} does not open")
                    self.assert_clean(browser)
                    self.assertEqual(browser.run("""return [...document.querySelectorAll('.device')].filter((device) => {
                        const box = device.getBoundingClientRect(), place = device.parentElement.getBoundingClientRect();
                        return box.right > place.right + 1 || box.width < 20 || box.height < 20;
                    }).map((device) => device.outerHTML)"""), [])

    def test_text_has_contrast_in_light_and_in_dark(self):
        for path in ("/", "/playground"):
            for scheme in ("light", "dark"):
                with self.subTest(path=path, scheme=scheme):
                    browser = self.browse()
                    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                        "features": [{"name": "prefers-color-scheme", "value": scheme}]})
                    browser.open(self.base + path)
                    browser.wait(lambda: browser.all(".pill.good"), "neither ready nor accepted")
                    # WCAG 2.2, 1.4.3: 4.5 to 1 for text.
                    self.assertEqual(browser.run(CONTRAST), [])

    # MARK: Playground

    def presets(self, browser):
        browser.wait(lambda: browser.all("#presets button") and browser.all("#builds .device"), "no presets")
        return len(browser.all("#presets button"))

    def choose(self, browser, index):
        browser.run("document.querySelectorAll('#presets button')[arguments[0]].click()", index)
        browser.wait(lambda: browser.text("#verdict") == "Accepted" and len(browser.all("#builds .device")) == 12,
                     f"preset {index} is not accepted or not drawn")

    def shown(self, browser, build, family):
        return browser.run("return document.getElementById(`${arguments[0]} ${arguments[1]}`).textContent", build, family)

    def test_each_preset_draws_in_each_family(self):
        browser = self.browse("/playground")
        drawn = set()
        for index in range(self.presets(browser)):
            self.choose(browser, index)
            content = json.loads(browser.text('[data-form="JSON body"]'))["content"]
            browser.wait(lambda: set(browser.run(
                "return [...document.querySelectorAll('#builds .device')].map((d) => d.dataset.template)"))
                == {content["template"]}, "the last preset is still drawn")
            drawn.add(content["template"])
            for family in FAMILIES:
                # In one look: the page draws its devices anew all the time.
                width, height = browser.run(
                    "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
                    "return [box.width, box.height];", f"#builds .device.{family}")
                self.assertGreater(width, 60)
                self.assertGreater(height, 20)
                self.assertNotEqual(self.shown(browser, "1.6", family).strip(), "", f"{content} in {family}")
            if PICTURES:
                browser.driver.save_screenshot(os.path.join(PICTURES, f"preset-{index}-{content['template']}.png"))
            self.assert_clean(browser)
        self.assertEqual(drawn, TEMPLATES)

    def test_a_certificate_counts_down_and_then_says_renewing(self):
        browser = self.browse("/playground")
        self.presets(browser)
        self.choose(browser, 2)
        before = browser.wait(lambda: self.shown(browser, "1.6", "small"), "nothing is drawn")
        browser.wait(lambda: self.shown(browser, "1.6", "small") != before, "it does not tick")
        self.assertIn("Needs app 1.6", self.shown(browser, "before_1.6", "small"))
        browser.run("[...document.querySelectorAll('#steps button')].find((b) => b.textContent === '+1 h').click()")
        browser.wait(lambda: "Renewing" in self.shown(browser, "1.6", "large"), "it does not say Renewing")

    def test_a_maintenance_window_advances_with_the_clock(self):
        browser = self.browse("/playground")
        self.presets(browser)
        self.choose(browser, 1)
        browser.wait(lambda: "25%" in self.shown(browser, "1.6", "medium"), "not a quarter of the window")
        browser.run("[...document.querySelectorAll('#steps button')].find((b) => b.textContent === '+1 h').click()")
        browser.wait(lambda: "75%" in self.shown(browser, "1.6", "medium"), "the window does not advance")

    def test_faults_stand_at_the_field_and_as_the_rejection_reads(self):
        browser = self.browse("/playground")
        self.presets(browser)
        self.choose(browser, 0)
        field = browser.one('[name="/content/value"]')
        field.clear()
        field.send_keys("42")
        browser.wait(lambda: "percentage" in browser.text('.fault[data-location="/content/value"]'), "no fault at the field")
        self.assertIn("widget.content_invalid", browser.text("#verdict"))
        browser.wait(lambda: "widget.content_invalid" in browser.text("#outcome"), "no rejection")
        self.assertEqual(browser.text("#outcome mark"), "42")
        field.clear()
        field.send_keys("0.75")
        browser.wait(lambda: "75%" in self.shown(browser, "before_1.6", "large") and browser.text("#verdict") == "Accepted",
                     "the mended value is not drawn")
        self.assertEqual(browser.text('.fault[data-location="/content/value"]'), "")
        self.assert_clean(browser)

    def test_the_message_shown_is_one_that_apply_accepts(self):
        browser = self.browse("/playground")
        for index in range(self.presets(browser)):
            self.choose(browser, index)
            line = browser.text('[data-form="widgetd apply"]')
            done = subprocess.run([BINARY, "apply", "--strict"], input=line, capture_output=True, text=True, timeout=120,
                                  check=False)
            self.assertEqual(done.returncode, 0, done.stdout)
            sent = json.loads(browser.text('[data-form="JSON body"]'))
            stored = json.loads(done.stdout)["widget"]["content"]
            self.assertEqual(stored.keys(), sent["content"].keys())
            self.assertIn("widgetd send", browser.text('[data-form="widgetd send"]'))

    def test_a_form_is_filled_by_keyboard_alone(self):
        browser = self.browse("/playground")
        self.presets(browser)
        seen = []
        for _ in range(40):
            browser.run("return document.activeElement").send_keys(Keys.TAB)
            seen.append(browser.run("return document.activeElement.name || document.activeElement.textContent"))
            if seen[-1] == "/name":
                break
        self.assertEqual(seen[-1], "/name", seen)
        self.assertNotEqual(browser.run("return getComputedStyle(document.activeElement).outlineStyle"), "none")
        browser.run("return document.activeElement").send_keys(Keys.END, " by keyboard")
        browser.wait(lambda: "On-call pages by keyboard" in browser.text('[data-form="JSON body"]'), "typing changes nothing")
        self.assert_clean(browser)

    def test_elements_are_added_and_removed_at_the_form(self):
        browser = self.browse("/playground")
        self.presets(browser)
        self.choose(browser, 0)
        rows = lambda: json.loads(browser.text('[data-form="JSON body"]'))["content"].get("stat_rows")
        browser.run("document.querySelector('[data-focus=\"/content/stat_rows/add\"]').click()")
        self.assertEqual(len(rows()), 4)
        browser.wait(lambda: browser.text('.fault[data-location="/content/stat_rows/3/label"]'), "no fault at the new row")
        browser.run("document.querySelector('[aria-label=\"Remove stat_rows 4\"]').click()")
        browser.wait(lambda: browser.text("#verdict") == "Accepted", "still a fault")
        self.assertEqual(len(rows()), 3)

    def test_the_playground_fits_a_phone(self):
        browser = self.browse("/playground", width=360, dark=True)
        for index in range(self.presets(browser)):
            self.choose(browser, index)
            self.assert_clean(browser)

    def test_controls_have_names(self):
        for path in ("/", "/playground"):
            browser = self.browse(path)
            browser.wait(lambda: browser.all("#charts .chart, #builds .device"), "the page is empty")
            self.assertEqual(browser.run("""return [...document.querySelectorAll('input, select, button, a')].filter((node) =>
                !(node.ariaLabel || node.textContent.trim() || node.labels?.length)).map((node) => node.outerHTML)"""), [])


# Text elements whose colour is too near that of what they stand on; devices show their senders' colours.
CONTRAST = """
const parts = (text) => text.match(/[\\d.]+/g).map(Number);
const channel = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const light = ([red, green, blue]) => 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
const ground = (node) => {
  for (; node; node = node.parentElement) {
    const color = parts(getComputedStyle(node).backgroundColor);
    if (color[3] !== 0) return color;
  }
  return [255, 255, 255];
};
return [...document.querySelectorAll('main *, header *')].filter((node) => !node.closest('.device, svg')
  && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim())).filter((node) => {
  const [first, second] = [light(parts(getComputedStyle(node).color)), light(ground(node))].sort((a, b) => b - a);
  return (first + 0.05) / (second + 0.05) < 4.5;
}).map((node) => node.outerHTML.slice(0, 200));
"""


@unittest.skipUnless(URL, "WIDGETD_TEST_AMQP_URL names no broker; deploy/test sets it")
class ManyWidgetsTests(unittest.TestCase):
    """Beside a worker that holds 100 000 widgets, all of them in memory."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        store = f"sqlite:{folder.name}/many.db"
        lines = "".join(
            json.dumps({"type": "widget.create", "account": "acme", "slug": f"w-{number}", "body": {
                "name": f"Widget {number}", "content": {"template": "progress", "value": 0.5, "label": "W" * 100}}}) + "\n"
            for number in range(100_000))
        subprocess.run([BINARY, "apply", "--quiet", "--strict", "--max-widgets", "0", "--store", store], input=lines, text=True,
                       stderr=subprocess.DEVNULL, timeout=300, check=True)
        cls.worker = Worker("--store", store)
        cls.addClassCleanup(cls.worker.close)
        cls.worker.wait_until_ready()
        for number in range(100_000):
            cls.worker.channel.basic_publish(cls.worker.updates, f"acme.w-{number}", "{}")
        poll(lambda: "widgetd_cached_widgets 100000\n" in cls.worker.get("/metrics")[2])

    def fastest(self, times, most):
        """Holds the fastest of several tries against a bound: a machine that is busy slows some of them."""
        found = []
        while len(found) < times and min(found, default=most) >= most:
            start = time.monotonic()
            yield
            found.append(time.monotonic() - start)
        self.assertLess(min(found), most, found)

    def test_a_scrape_takes_less_than_20_ms(self):
        for _ in self.fastest(50, 0.020):
            self.assertEqual(self.worker.get("/metrics")[0], 200)

    def test_the_page_is_drawn_in_less_than_a_second(self):
        browser = Browser()
        self.addCleanup(browser.close)
        for _ in self.fastest(10, 1.0):
            browser.open(f"http://127.0.0.1:{self.worker.port}/")
            browser.wait(lambda: browser.all("#newest .device") and browser.all("#found li a"), "nothing is listed")

    def test_the_page_asks_for_no_more_however_many_widgets_there_are(self):
        browser = Browser()
        self.addCleanup(browser.close)
        browser.open(f"http://127.0.0.1:{self.worker.port}/")
        browser.wait(lambda: browser.all("#newest .device") and browser.all("#found li a"), "nothing is listed")
        self.assertEqual(len(browser.all("#found li a")), 50)
        self.assertLess(browser.run("return performance.getEntriesByType('resource').reduce((sum, e) => sum + e.transferSize, 0)"),
                        300_000)
        browser.run("document.getElementById('more').click()")
        browser.wait(lambda: len(browser.all("#found li a")) == 100, "no more are listed")
        self.assertEqual(browser.complaints(), [])


@unittest.skipUnless(URL, "WIDGETD_TEST_AMQP_URL names no broker; deploy/test sets it")
class TokenTests(unittest.TestCase):
    def test_where_a_token_is_wanted_the_page_asks_for_it(self):
        worker = Worker("--admin", "0.0.0.0:0", env={"WIDGETD_ADMIN_TOKEN": "open-sesame"})
        self.addCleanup(worker.close)
        browser = Browser()
        self.addCleanup(browser.close)
        browser.open(f"http://127.0.0.1:{worker.port}/")
        browser.wait(lambda: browser.all("dialog[open] #token"), "no question")
        browser.one("#token").send_keys("open-sesame", Keys.ENTER)
        browser.wait(lambda: "Ready" in browser.text("#readiness"), "the token does not open the page")
        self.assertEqual(browser.foreign_resources(), [])


if __name__ == "__main__":
    unittest.main(verbosity=1)
