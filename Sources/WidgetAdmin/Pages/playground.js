// The playground: a message is edited, judged and shown; judging and showing are the worker's.

import { get, post, present } from "./api.js";
import { device, untilNextChange } from "./device.js";
import { element, find } from "./element.js";
import { Form } from "./form.js";
import { applyLine, messageViews } from "./messages.js";
import { presets } from "./presets.js";
import { rejectionView } from "./rejection.js";

// MARK: The clock

/** Milliseconds that the clock is ahead of this machine's, and the moment at which it stands when it does not tick. */
const clock = { ahead: 0, stopped: undefined };

const now = () => (clock.stopped ?? Date.now()) + clock.ahead;

const steps = [["−1 d", -1440], ["−1 h", -60], ["−1 min", -1], ["Now", 0], ["+1 min", 1], ["+1 h", 60], ["+1 d", 1440]];

function moveClock(minutes) {
  clock.ahead = minutes === 0 ? 0 : clock.ahead + minutes * 60_000;
  if (clock.stopped !== undefined && minutes === 0) clock.stopped = Date.now();
  find("shift").value = Math.round(clock.ahead / 60_000);
  changed();
}

function setUpClock() {
  find("steps").replaceChildren(...steps.map(([title, minutes]) =>
    element("button", { type: "button", onclick: () => moveClock(minutes) }, title)));
  find("shift").addEventListener("input", (event) => {
    clock.ahead = Number(event.target.value) * 60_000;
    changed();
  });
  find("runs").addEventListener("change", (event) => {
    clock.stopped = event.target.checked ? undefined : Date.now();
    changed();
  });
  const tick = () => { find("now").textContent = new Date(now()).toISOString().replace(/\.\d+/, ""); };
  tick();
  setInterval(tick, 250);
}

// MARK: What a device shows

let message;
let editedAt = 0;
let contract;
let previewTimer;
const titles = { "before_1.6": "App before 1.6", 1.6: "App from 1.6" };
/** The text of what stands in each place, so that only what changed is drawn. */
const drawn = new Map();

function setUpBuilds() {
  find("builds").replaceChildren(...[...contract.builds].reverse().map((build) => element("section", { class: "build" },
    element("h3", {}, titles[build] ?? build),
    element("div", { class: "families" }, contract.families.map((family) => element("figure", { class: `place ${family}` },
      element("div", { id: `${build} ${family}` }), element("figcaption", {}, family)))))));
}

async function preview(turn) {
  const { widget } = message;
  const shown = (await Promise.all(contract.builds.map((build) => present({
    content: widget.content, now: new Date(now()).toISOString(), updated_at: new Date(editedAt).toISOString(), build,
    ...(typeof widget.name === "string" && { name: widget.name }),
    ...(typeof widget.stale_after === "number" && { stale_after: widget.stale_after }),
  })))).flat();
  if (turn !== lastTurn) return;
  for (const presentation of shown) {
    const place = `${presentation.build} ${presentation.family}`;
    const { next_change: _, ...picture } = presentation;
    const text = JSON.stringify(picture);
    if (drawn.get(place) === text) continue;
    drawn.set(place, text);
    find(place).replaceChildren(device(presentation));
  }
  const wait = untilNextChange(shown, now());
  if (clock.stopped === undefined && wait < 86_400_000) previewTimer = setTimeout(() => refresh(preview), wait);
}

// MARK: What the worker would answer

function showOutcome(outcome) {
  const isAccepted = outcome.outcome === "accepted";
  find("verdict").textContent = isAccepted ? "Accepted" : `Rejected: ${outcome.code}`;
  find("verdict").className = `pill ${isAccepted ? "good" : "bad"}`;
  form.tell(outcome.errors ?? []);
  find("outcome").replaceChildren(isAccepted ? element("p", {}, "Accepted. Devices would show what stands above.") : rejectionView(outcome));
}

async function judge(turn) {
  const line = applyLine(message, new Date(now()).toISOString());
  const outcome = await post("/api/check", JSON.stringify(line));
  if (turn === lastTurn) showOutcome(outcome);
}

let lastTurn = 0;
let form;

/** An answer that a later change has overtaken is dropped. */
async function refresh(...works) {
  clearTimeout(previewTimer);
  const turn = lastTurn;
  try {
    await Promise.all(works.map((work) => work(turn)));
  } catch (error) {
    if (turn !== lastTurn) return;
    find("verdict").textContent = error.status ? error.message : "The worker does not answer";
    find("verdict").className = "pill bad";
    previewTimer = setTimeout(() => refresh(preview, judge), 2000);
  }
}

function changed() {
  lastTurn += 1;
  find("messages").replaceChildren(...messageViews(message));
  refresh(preview, judge);
}

function edited() {
  editedAt = now();
  changed();
}

function begin(preset) {
  const { slug, ...widget } = preset.make(now());
  message = { account: "", slug, widget };
  drawn.clear();
  for (const button of find("presets").children) button.setAttribute("aria-pressed", String(button.dataset.slug === slug));
  form.edit(message);
  edited();
}

async function open() {
  contract = await get("/api/contract");
  form = new Form(find("form"), contract, edited);
  find("presets").replaceChildren(...presets.map((preset) => element("button", {
    type: "button", "data-slug": preset.make(0).slug, "aria-pressed": "false", onclick: () => begin(preset),
  }, preset.title, element("small", {}, preset.template))));
  setUpClock();
  setUpBuilds();
  begin(presets[0]);
}

open().catch((error) => {
  find("verdict").textContent = error.message;
  find("verdict").className = "pill bad";
});
