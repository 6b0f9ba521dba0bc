// Rejections: what is wrong, and the message as it was sent with the offending members marked.

import { ExactNumber } from "./api.js";
import { element, sent } from "./element.js";

const escapeToken = (token) => String(token).replaceAll("~", "~0").replaceAll("/", "~1");

const scalar = (value) => (value instanceof ExactNumber ? value.text : JSON.stringify(value));

/** A JSON value as indented text; `marks` has the pointers of members to mark. */
export function jsonView(value, marks = new Map()) {
  return element("pre", { class: "json", tabindex: "0" }, element("code", {}, lines(value, "", "", marks)));
}

function lines(value, pointer, indent, marks) {
  const isList = Array.isArray(value);
  let shown;
  if (value === null || typeof value !== "object" || value instanceof ExactNumber) {
    shown = [sent(scalar(value))];
  } else {
    const members = Object.entries(value);
    const inner = `${indent}  `;
    shown = [isList ? "[" : "{", ...members.flatMap(([name, member], index) => [
      `\n${inner}`,
      !isList && sent(JSON.stringify(name)), !isList && ": ",
      lines(member, `${pointer}/${escapeToken(name)}`, inner, marks), index < members.length - 1 ? "," : "",
    ].flat()), members.length ? `\n${indent}` : "", isList ? "]" : "}"];
  }
  const fault = marks.get(pointer);
  return fault ? [element("mark", { title: fault }, shown.filter(Boolean))] : shown;
}

/** The deepest place of the body that stands on the way to a location: a missing member is marked at its parent. */
function nearest(body, location) {
  let place = "";
  let value = body;
  for (const token of location.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) break;
    value = value[name];
    place += `/${token}`;
  }
  return place;
}

function originalView(problem) {
  const { original } = problem;
  if (!original) return undefined;
  if (original.body === undefined) {
    const bytes = Uint8Array.from(atob(original.body_base64 ?? ""), (letter) => letter.charCodeAt(0));
    const text = new TextDecoder().decode(bytes);
    return element("pre", { class: "json", tabindex: "0" }, sent(text + (original.truncated ? "…" : "")));
  }
  const marks = new Map((problem.errors ?? []).filter((error) => !error.stored)
    .map((error) => [nearest(original.body, error.location), `${error.rule}: ${error.message}`]));
  return jsonView(original.body, marks);
}

/** A rejection's fault list beside its original. */
export function rejectionView(problem) {
  const faults = (problem.errors ?? []).map((error) => element("li", {},
    element("code", {}, sent(error.location || "/")), " ", sent(error.message),
    element("small", {}, ` ${error.rule}${error.stored ? ", stored before" : ""}`)));
  return element("div", { class: "rejection" },
    element("div", {},
      element("p", { class: "code" }, element("strong", {}, problem.code), ` ${scalar(problem.status)}`),
      element("p", {}, sent(problem.detail)),
      faults.length > 0 && element("ul", {}, faults)),
    originalView(problem));
}
