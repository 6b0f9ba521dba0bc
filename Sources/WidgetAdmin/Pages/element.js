// Elements made from data: texts go in as texts, never as markup.

const svgSpace = "http://www.w3.org/2000/svg";

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "styles") for (const [key, text] of Object.entries(value)) node.style.setProperty(key, text);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

export const element = (name, properties = {}, ...children) =>
  fill(document.createElement(name), properties, children);

export const svg = (name, properties = {}, ...children) =>
  fill(document.createElementNS(svgSpace, name), properties, children);

/** A text from a sender: whatever direction marks it holds, they end with it. */
export const sent = (text, properties = {}) => element("bdi", properties, String(text));

export const find = (id) => document.getElementById(id);
