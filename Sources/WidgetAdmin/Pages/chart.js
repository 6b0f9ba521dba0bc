// Small line charts of the last minutes.

import { element, svg } from "./element.js";

const width = 240;
const height = 48;

export const figure = (number) =>
  number >= 100 ? Math.round(number).toLocaleString("en") : number >= 1 ? number.toFixed(1)
    : number > 0 ? number.toPrecision(2) : "0";

/** A chart of `values` (numbers, or undefined where there is nothing to draw), the newest last. */
export function chart(label, unit, values) {
  const known = values.filter((value) => value !== undefined);
  const newest = known.at(-1);
  const top = Math.max(...known, 0);
  const says = newest === undefined ? "–" : `${figure(newest)} ${unit}`;
  const step = width / Math.max(1, values.length - 1);
  let path = "";
  values.forEach((value, index) => {
    if (value === undefined) return;
    const isFirst = index === 0 || values[index - 1] === undefined;
    const y = top > 0 ? height - 2 - (value / top) * (height - 6) : height - 2;
    path += `${isFirst ? "M" : "L"}${(index * step).toFixed(1)} ${y.toFixed(1)}`;
  });
  return element("figure", { class: "chart" },
    element("figcaption", {}, label, element("strong", {}, says)),
    svg("svg", {
      viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
      "aria-label": `${label}: ${says} now, at most ${figure(top)} ${unit} in the last minutes`,
    },
    svg("line", { class: "floor", x1: 0, x2: width, y1: height - 1, y2: height - 1 }),
    svg("path", { class: "line", d: path })),
    element("small", {}, `at most ${figure(top)} ${unit}`));
}
