// A widget as the message that sends it.

import { element } from "./element.js";

const quoted = (text) => (/^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** `widgetd send`: strings as they are, everything else as JSON, an empty string too since it would clear the field. */
function sendCommand({ account, slug, widget }) {
  const { content, ...members } = widget;
  const fields = Object.entries(members).concat(
    content && typeof content === "object" && !Array.isArray(content) ? Object.entries(content) : []);
  const words = fields.map(([name, value]) =>
    typeof value === "string" && value !== "" ? `${name}=${quoted(value)}` : `${name}:=${quoted(JSON.stringify(value))}`);
  return ["widgetd", "send", quoted(account ? `${account}/${slug}` : slug), "--create", ...words].join(" ");
}

/** The line that `apply` and `/api/check` take. */
export const applyLine = ({ account, slug, widget }, at) => ({
  type: "widget.create", ...(account && { account }), ...(slug && { slug }), ...(at && { at }), body: widget,
});

const forms = [
  ["widgetd send", sendCommand],
  ["widgetd apply", (message) => JSON.stringify(applyLine(message))],
  ["JSON body", (message) => JSON.stringify(message.widget, null, 2)],
];

function copyable(title, text) {
  const says = element("span", { role: "status" });
  return element("div", { class: "message" },
    element("h3", {}, title),
    element("button", {
      type: "button", "aria-label": `Copy ${title}`,
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(text);
          says.textContent = "copied";
        } catch {
          says.textContent = "the browser lets nothing be copied here; select the text";
        }
      },
    }, "Copy"), says,
    element("pre", { tabindex: "0", "data-form": title }, text));
}

export const messageViews = (message) => forms.map(([title, write]) => copyable(title, write(message)));
