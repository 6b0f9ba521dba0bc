// Draws what `/api/present` says that a device shows.

import { element, sent, svg } from "./element.js";

const glyphs = {
  "arrow.up.right": "↗", "arrow.down.right": "↘", "arrow.right": "→", "info.circle.fill": "ⓘ",
  "exclamationmark.triangle.fill": "▲", "exclamationmark.octagon.fill": "⬢", "checkmark.circle.fill": "✔",
  "circle.fill": "●", "bolt.fill": "ϟ", "clock.fill": "◷",
};
const reasons = {
  "needs_build_1.6": "Needs app 1.6", value_missing: "Nothing to show without a value",
  template_unknown: "Unknown template",
};
const directions = { inbound: "→", outbound: "←", filling: "↓", draining: "↑", idle: "·" };

/** SF Symbols and MDI icons are the devices' own; here stands a mark that names the symbol. */
const mark = (symbol) =>
  symbol && element("span", { class: "symbol", title: symbol, role: "img", "aria-label": symbol }, glyphs[symbol] ?? "◆");

const readout = (value, name) =>
  value && element("span", { class: name }, sent(value.text), value.unit && sent(value.unit, { class: "unit" }));

/** Characters of a headline that fit; a longer one is drawn smaller, to half the size. */
const fitting = { small: 6, medium: 17, large: 12, rectangular: 14, circular: 6, inline: 18 };

const fitted = ({ headline, family }) => {
  const node = readout(headline, "headline");
  node?.style.setProperty("--fit", Math.max(0.5, Math.min(1, fitting[family] / [...headline.text].length)));
  return node;
};

const colored = (color) => (color ? { color: color.hex } : {});

function circle(fraction, sweep, content) {
  const radius = 42;
  const around = 2 * Math.PI * radius;
  const turn = 90 + (360 - sweep) / 2;
  const arc = (name, share) => svg("circle", {
    class: name, cx: 50, cy: 50, r: radius, transform: `rotate(${turn} 50 50)`,
    "stroke-dasharray": `${(around * sweep * share) / 360} ${around}`,
  });
  return element("div", { class: "dial" },
    svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, arc("track", 1), fraction > 0 && arc("filled", fraction)),
    element("div", { class: "inside" }, content));
}

const bar = (fraction) =>
  element("div", { class: "bar" }, element("div", { class: "filled", styles: { width: `${fraction * 100}%` } }));

function sparkline(points) {
  if (!points) return undefined;
  const step = 100 / Math.max(1, points.length - 1);
  const line = points.map((point, index) => `${index * step},${38 - point * 36}`).join(" ");
  return svg("svg", { class: "sparkline", viewBox: "0 0 100 40", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("polyline", { points: line }));
}

const bands = (list) => list && element("div", { class: "bands" }, list.map((band) =>
  element("div", {
    class: `band ${band.level}${band.current ? " current" : ""}`, title: `${band.span.start} ${band.value.text}`,
    styles: { height: `${Math.max(4, band.fraction * 100)}%`, ...(band.color && { "background-color": band.color.hex }) },
  })));

const rings = (list) => list && element("div", { class: "rings" }, list.map((ring) =>
  element("div", { class: "ring", styles: colored(ring.color) },
    circle(ring.fraction, 360, element("span", { class: "level" }, ring.charging ? "ϟ" : "", ring.text)),
    sent(ring.name, { class: "name" }))));

const rows = (list, columns) => list && element("div", { class: columns > 1 ? "rows packed" : "rows" }, list.map((row) =>
  element("div", { class: "row" }, sent(row.label, { class: "label" }), readout(row.value, "value"))));

const nodes = (list) => list && element("div", { class: "nodes" }, list.map((node) =>
  element("div", { class: "node" },
    element("span", { class: "way", styles: colored(node.color) }, directions[node.direction]),
    sent(node.name, { class: "label" }), readout(node.rate, "value"),
    node.total && element("small", {}, "Σ ", readout(node.total, "total")),
    node.fill && element("small", {}, node.fill.text))));

const trend = (badge, placement) => badge?.placement === placement &&
  element("span", { class: `trend ${placement}` }, glyphs[badge.symbol], placement === "badge" ? ` ${badge.text}` : "");

const ends = (bounds) => bounds && element("div", { class: "bounds" },
  readout(bounds.minimum, "end") ?? element("span"), readout(bounds.maximum, "end"));

function parts(shown) {
  const { meter } = shown;
  const headline = element("div", { class: "headline-row" }, fitted(shown), trend(shown.trend, "inline"));
  const top = [
    (shown.symbol || shown.title) && element("div", { class: "top" }, mark(shown.symbol),
      shown.title && sent(shown.title, { class: "title" }))];
  if (shown.family === "inline") return [mark(shown.symbol), shown.title && sent(shown.title), headline, ...lists(shown)];
  if (meter && meter.shape !== "bar") {
    const dial = circle(meter.fraction, meter.shape === "arc" ? 270 : 360, headline);
    return shown.family === "circular" ? [dial] : [top, dial, ...rest(shown)];
  }
  return [top, shown.headline && headline, meter && bar(meter.fraction), ...rest(shown)];
}

const lists = (shown) => [
  rows(shown.rows, shown.row_columns), rings(shown.rings), sparkline(shown.sparkline), bands(shown.bands), nodes(shown.nodes)];

const rest = (shown) => [
  ends(shown.bounds), ...lists(shown), trend(shown.trend, "badge"),
  shown.pills && element("div", { class: "pills" }, shown.pills.map((pill) => sent(pill, { class: "pill" }))),
  readout(shown.subtitle, "subtitle"),
  shown.buttons && element("div", { class: "buttons" }, shown.buttons.map((button) =>
    element("span", { class: "button" }, mark(button.symbol), button.title && sent(button.title)))),
  shown.stale && element("div", { class: "as-of" }, shown.stale.text)];

/** An element that looks like the widget in the presentation's family. */
export function device(shown) {
  const { colors } = shown;
  const styles = {};
  if (colors) styles["--accent"] = colors.accent.hex;
  if (colors?.background) styles["background-color"] = colors.background.hex;
  if (colors?.text) styles.color = colors.text.hex;
  const content = shown.unavailable
    ? element("div", { class: "unavailable" }, reasons[shown.unavailable] ?? shown.unavailable) : parts(shown);
  return element("div", {
    class: `device ${shown.family}${shown.stale ? " stale" : ""}`, styles,
    "data-family": shown.family, "data-template": shown.template ?? "",
  }, content);
}

/** Milliseconds from `now` (milliseconds since 1970) to the next change of any of the presentations. */
export function untilNextChange(presentations, now) {
  const moments = presentations.map((shown) => Date.parse(shown.next_change)).filter((moment) => !Number.isNaN(moment));
  return moments.length ? Math.max(100, Math.min(...moments) - now) : Infinity;
}
