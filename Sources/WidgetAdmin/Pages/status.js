// The status page: asks for what the worker did once a second, and follows its events.

import { follow, get, parseExact, pathOf, present } from "./api.js";
import { chart } from "./chart.js";
import { device, untilNextChange } from "./device.js";
import { element, find, sent } from "./element.js";
import { jsonView, rejectionView } from "./rejection.js";

// MARK: What it does now

const keptSamples = 300;
let samples = [];

/** Growth a second between samples, and of what else is drawn. */
const rate = (name) => samples.slice(1).map((sample, index) =>
  ((sample[name] - samples[index][name]) * 1000) / Math.max(1, sample.at - samples[index].at));

const meanAge = () => samples.slice(1).map((sample, index) => {
  const count = sample.ages - samples[index].ages;
  return count > 0 ? (sample.age_seconds - samples[index].age_seconds) / count : undefined;
});

const totals = {
  received: "Received", accepted: "Accepted", rejected: "Rejected", duplicates: "Repeats", fanouts: "Fan-outs",
  coalesced: "Coalesced", receipts: "Receipts", unacknowledged: "In hand", outbox: "Batches unconfirmed",
  pending: "Pushes pending", cached_widgets: "Widgets in memory", unroutable: "Unroutable",
  store_faults: "Store faults", consumer_connections: "Consumer connections",
  publisher_connections: "Publisher connections", blocked: "Blocked by the broker",
};

const facts = (pairs) => pairs.flatMap(([name, value]) => [element("div", {}, element("dt", {}, name), element("dd", {}, value))]);

function show(status) {
  find("version").textContent = status.version;
  find("readiness").textContent = status.ready ? "Ready: broker and store answer" : "Not ready";
  find("readiness").className = `pill ${status.ready ? "good" : "bad"}`;
  find("reasons").replaceChildren(...status.reasons.map((reason) => element("li", {}, sent(reason))));
  find("charts").replaceChildren(
    chart("Received", "/s", rate("received")), chart("Accepted", "/s", rate("accepted")),
    chart("Rejected", "/s", rate("rejected")), chart("Fan-outs", "/s", rate("fanouts")),
    chart("Age when decided", "s", meanAge()),
    chart("In hand", "deliveries", samples.map((sample) => sample.unacknowledged)));
  find("totals").replaceChildren(...facts([
    ...Object.entries(totals).map(([name, title]) => [title, status.totals[name].toLocaleString("en")]),
    ...status.rejected.map(({ code, count }) => [code, count.toLocaleString("en")])]));
  find("guarantees").replaceChildren(...facts(status.guarantees.map(({ name, sentence }) => [name, sentence])));
}

async function watchStatus() {
  for (;;) {
    try {
      const since = samples.at(-1)?.at;
      const status = await get(`/api/status${since ? `?since=${since}` : ""}`);
      // A worker that began anew counts anew.
      if (samples.length && status.totals.received < samples.at(-1).received) samples = [];
      samples = [...samples, ...status.samples].slice(-keptSamples);
      show(status);
    } catch (error) {
      find("readiness").textContent = `The worker does not answer: ${error.message}`;
      find("readiness").className = "pill bad";
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

// MARK: Widgets as they look

const mostCards = 12;
/** The newest first, by address. */
let newest = new Map();

const keyOf = (widget) => `${widget.account}/${widget.slug}`;
const linkTo = (widget) => `#widget/${encodeURIComponent(widget.account)}/${encodeURIComponent(widget.slug)}`;

const requestFor = (widget, more = {}) => ({
  content: widget.content, name: widget.name, updated_at: widget.updated_at,
  ...(widget.stale_after && { stale_after: widget.stale_after }), ...more,
});

function remember(widget) {
  const key = keyOf(widget);
  const card = newest.get(key);
  newest.delete(key);
  if (widget.deleted) {
    card?.node.remove();
    clearTimeout(card?.timer);
    return;
  }
  newest = new Map([[key, { ...card, widget, isDrawn: false }], ...newest]);
}

async function draw(card) {
  const shown = await present(requestFor(card.widget, { family: "small" }));
  const caption = element("a", { href: linkTo(card.widget) }, keyOf(card.widget));
  card.node ??= element("article", { class: "card" });
  card.node.replaceChildren(device(shown), caption, element("small", {}, `revision ${card.widget.revision}`));
  clearTimeout(card.timer);
  const wait = untilNextChange([shown], Date.now());
  if (wait < 86_400_000) card.timer = setTimeout(() => draw(card).catch(() => {}), wait);
}

async function showNewest() {
  for (const [key, card] of [...newest].slice(mostCards)) {
    clearTimeout(card.timer);
    card.node?.remove();
    newest.delete(key);
  }
  const cards = [...newest.values()];
  for (const card of cards) {
    if (card.isDrawn) continue;
    card.isDrawn = true;
    await draw(card).catch(() => { card.isDrawn = false; });
  }
  const nodes = cards.map((card) => card.node).filter(Boolean);
  const place = find("newest");
  // Moving a node loses the keyboard's focus, so only what stands elsewhere is moved.
  nodes.forEach((node, index) => { if (place.children[index] !== node) place.insertBefore(node, place.children[index] ?? null); });
  while (place.children.length > nodes.length) place.lastChild.remove();
  if (!nodes.length) place.replaceChildren(element("p", { class: "empty" }, "No widget yet. Send one, or try the playground."));
}

// MARK: Rejections

const mostRejections = 20;
let rejections = [];

function rejection(problem, isOpen) {
  const address = [problem.account, problem.slug].filter(Boolean).join("/") || "no address";
  return element("details", { open: isOpen },
    element("summary", {}, element("code", {}, problem.code), " ", sent(address), " ",
      element("time", { datetime: problem.received_at }, problem.received_at)),
    rejectionView(problem));
}

function showRejections() {
  const place = find("rejections");
  const before = [...place.querySelectorAll("details")];
  const open = new Set(before.filter((node) => node.open).map((node) => node.dataset.key));
  place.replaceChildren(...rejections.slice(0, mostRejections).map((problem, index) => {
    const key = `${problem.received_at} ${problem.message_id ?? ""} ${problem.slug ?? ""}`;
    const node = rejection(problem, before.length ? open.has(key) : index === 0);
    node.dataset.key = key;
    return node;
  }));
  if (!rejections.length) place.replaceChildren(element("p", { class: "empty" }, "None since the worker began."));
}

// MARK: One widget

let opened;
let openedTimer;

async function open() {
  const [, account, slug] = location.hash.match(/^#widget\/([^/]+)\/([^/]+)$/)?.map(decodeURIComponent) ?? [];
  opened = account && { account, slug };
  clearTimeout(openedTimer);
  find("detail").hidden = !opened;
  if (!opened) return;
  find("detail-title").replaceChildren(sent(`${account}/${slug}`));
  await showOpened().catch((error) => find("detail-body").replaceChildren(element("p", { class: "empty" }, error.message)));
  find("detail").focus();
}

async function showOpened() {
  const { account, slug } = opened;
  const path = pathOf(account, slug);
  const query = `account=${encodeURIComponent(account)}&slug=${encodeURIComponent(slug)}&limit=20`;
  const text = await get(path, (text) => text);
  const [pending, revisions] = await Promise.all([get(`${path}/pending`), get(`/api/accepted?${query}`)]);
  const widget = JSON.parse(text);
  const shown = await present(requestFor(widget));
  const wait = pending.due_at && new Date(pending.due_at).toLocaleTimeString();
  find("detail-body").replaceChildren(
    element("p", {}, sent(widget.name), ` · revision ${widget.revision} · updated ${widget.updated_at}`,
      widget.push_throttle && ` · at most one push in ${widget.push_throttle} s`,
      widget.stale_after && ` · stale after ${widget.stale_after} s`),
    element("p", {}, wait ? `A push of ${pending.updates} updates waits until ${wait}: ${widget.changed.join(", ")}`
      : "No push waits."),
    element("div", { class: "families" }, shown.map(device)),
    element("div", { class: "side-by-side" },
      element("div", {}, element("h3", {}, "Content"), jsonView(parseExact(text).content)),
      element("div", {}, element("h3", {}, "Revisions pushed since the worker began"),
        element("ol", { class: "revisions", reversed: true }, revisions.map((revision) => element("li", { value: revision.revision },
          `${revision.updated_at} `, revision.deleted ? "deleted" : revision.changed.join(", ") || "heartbeat"))))),
    element("p", {}, element("a", { href: "#" }, "Close")));
  clearTimeout(openedTimer);
  const next = untilNextChange(shown, Date.now());
  if (next < 86_400_000) openedTimer = setTimeout(() => opened && showOpened().catch(() => {}), next);
}

// MARK: Search

const pageSize = 50;

function listItem(widget) {
  return element("li", {}, element("a", { href: linkTo(widget) }, keyOf(widget)), " ", sent(widget.name, { class: "name" }),
    " ", element("small", {}, `${widget.content.template} · revision ${widget.revision}`));
}

/** What stands just before all slugs that begin so: no letter of a slug is as high as U+007F. */
const justBefore = (start) => start && `${start.slice(0, -1)}${String.fromCharCode(start.charCodeAt(start.length - 1) - 1)}\u007f`;

/** @param after the address of the last widget that is listed already */
async function search(after) {
  const account = find("account").value.trim() || (find("slug").value && "default");
  const start = find("slug").value.trim();
  const behind = after ?? (start && `${account}/${justBefore(start)}`);
  const query = new URLSearchParams({ limit: pageSize, ...(account && { account }), ...(behind && { after: behind }) });
  let page;
  try {
    page = await get(`/api/widgets?${query}`);
  } catch (error) {
    find("found").replaceChildren(element("li", {}, error.message));
    return;
  }
  const found = page.filter((widget) => widget.slug.startsWith(start));
  find("more").hidden = page.length < pageSize || found.length < page.length;
  find("more").onclick = () => search(keyOf(page.at(-1)));
  const items = found.map(listItem);
  if (after) find("found").append(...items);
  else find("found").replaceChildren(...(items.length ? items : [element("li", {}, "There is none.")]));
}

// MARK: Events

let isTurning = false;

/** A crowd of events is drawn once. */
function turn() {
  if (isTurning) return;
  isTurning = true;
  setTimeout(async () => {
    isTurning = false;
    await showNewest();
    showRejections();
    if (opened) await showOpened().catch(() => {});
  }, 250);
}

function take(events) {
  for (const { kind, text } of events) {
    if (kind === "accepted") remember(JSON.parse(text));
    else rejections = [parseExact(text), ...rejections].slice(0, mostRejections);
  }
  turn();
}

function tellState(isConnected) {
  find("connection").textContent = isConnected ? "Live" : "Connection lost, trying again…";
  find("connection").className = isConnected ? "live" : "lost";
}

async function begin() {
  find("search").addEventListener("submit", (event) => { event.preventDefault(); search(); });
  addEventListener("hashchange", open);
  watchStatus();
  follow(take, tellState);
  rejections = await get("/api/rejections", parseExact).catch(() => []);
  showRejections();
  const pushed = await get(`/api/accepted?limit=100`).catch(() => []);
  const stored = pushed.length < mostCards ? await get(`/api/widgets?limit=${mostCards}`).catch(() => []) : [];
  const latest = new Map();
  for (const widget of [...pushed, ...stored]) if (!latest.has(keyOf(widget))) latest.set(keyOf(widget), widget);
  for (const widget of [...latest.values()].slice(0, mostCards).reverse()) if (!newest.has(keyOf(widget))) remember(widget);
  await showNewest();
  await search();
  await open();
}

begin();
