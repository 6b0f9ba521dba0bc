// The worker's JSON routes. Where the address wants a token, the page asks for it once a session.

import { element } from "./element.js";

const tokenKey = "widgetd-token";

function askForToken() {
  return new Promise((resolve) => {
    const field = element("input", { type: "password", id: "token", autocomplete: "off", required: true });
    const form = element("form", { method: "dialog" },
      element("label", { for: "token" }, "The worker's admin token"), field, element("button", {}, "Open"));
    const dialog = element("dialog", { class: "token", onclose: () => { dialog.remove(); resolve(field.value); } }, form);
    document.body.append(dialog);
    dialog.showModal();
  });
}

let asking;

async function ask(path, options = {}) {
  for (;;) {
    const token = sessionStorage.getItem(tokenKey);
    const headers = { ...options.headers, ...(token && { Authorization: `Bearer ${token}` }) };
    const answer = await fetch(path, { ...options, headers });
    if (answer.status !== 401) return answer;
    asking ??= askForToken();
    sessionStorage.setItem(tokenKey, await asking);
    asking = undefined;
  }
}

/** Numbers that keep their sender's text where the browser tells it. */
export class ExactNumber {
  constructor(text) { this.text = text; }
}

export const parseExact = (text) =>
  JSON.parse(text, (_, value, context) =>
    typeof value === "number" && context?.source ? new ExactNumber(context.source) : value);

async function read(answer, parse) {
  const text = await answer.text();
  if (answer.ok) return parse(text);
  let reason = `${answer.status} ${answer.statusText}`;
  try {
    reason = JSON.parse(text).detail ?? reason;
  } catch { /* no problem document: the status says what there is to say */ }
  throw Object.assign(new Error(reason), { status: answer.status });
}

export const get = async (path, parse = JSON.parse) => read(await ask(path), parse);

export const post = async (path, body) =>
  read(await ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body }), parseExact);

/** Presentations of a widget: an array in the order of the families, or one when a family is named. */
export async function present(request) {
  const answer = await ask("/api/present", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request),
  });
  return read(answer, JSON.parse);
}

export const pathOf = (account, slug) => `/api/widgets/${encodeURIComponent(account)}/${encodeURIComponent(slug)}`;

/**
 * Follows the worker's events for as long as the page is open, and connects again by itself.
 * `take` gets lists of `{kind, text}`, only the newest of a crowd: nobody reads more of them.
 */
export async function follow(take, tellState) {
  const mostAtOnce = 200;
  let last;
  for (;;) {
    try {
      const answer = await ask("/api/events", last ? { headers: { "Last-Event-ID": last } } : {});
      tellState(true);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop();
        const events = blocks.map((block) => Object.fromEntries(
          block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)])));
        last = events.findLast((event) => event.id)?.id ?? last;
        const told = events.filter((event) => event.data).slice(-mostAtOnce);
        if (told.length) take(told.map((event) => ({ kind: event.event, text: event.data })));
      }
    } catch { /* the worker is away, or the line broke: tried again below */ }
    tellState(false);
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
}
