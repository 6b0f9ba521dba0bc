// A form made from the contract's rule tables: a field for each member, whatever the tables hold.

import { element } from "./element.js";

const escapeToken = (token) => String(token).replaceAll("~", "~0").replaceAll("/", "~1");

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** A member's name; elements of an array are counted from 1. */
const titleOf = (member) => (typeof member.name === "number" ? `${member.name + 1}.` : member.name);

/** What the tables say, looked up by name. */
class Tables {
  constructor(contract) {
    this.contract = contract;
    const byName = (list) => new Map(list.map((entry) => [entry.name, entry]));
    this.objects = byName(contract.objects);
    this.arrays = byName(contract.arrays);
    this.words = byName(contract.words);
    this.templates = byName(contract.templates);
  }

  /** A value that a new element begins with. */
  blank(rule) {
    switch (rule.kind) {
      case "object": {
        const members = this.objects.get(rule.of).members.filter((member) => member.required);
        return Object.fromEntries(members.map((member) => [member.name, this.blank(member.rule)]));
      }
      case "array": return [];
      case "number": case "whole_number": return rule.lowest ?? 0;
      case "boolean": return false;
      case "date": return new Date(Math.ceil(Date.now() / 60_000) * 60_000).toISOString();
      case "word": return this.words.get(rule.of).words[0];
      case "headers": return {};
      default: return "";
    }
  }
}

export class Form {
  /**
   * @param root the form element
   * @param contract the answer of `/api/contract`
   * @param changed called after each change of the widget
   */
  constructor(root, contract, changed) {
    this.root = root;
    this.tables = new Tables(contract);
    this.changed = changed;
    this.lastID = 0;
    root.addEventListener("submit", (event) => event.preventDefault());
    root.append(element("datalist", { id: "color-names" }, contract.colors.map((name) => element("option", { value: name }))));
    this.list = root.firstChild;
  }

  /** Shows a message to edit: `{account, slug, widget}`. */
  edit(message) {
    this.message = message;
    this.render();
  }

  render() {
    const { message } = this;
    const isOpen = new Set([...this.root.querySelectorAll("details[open]")].map((node) => node.dataset.path));
    const address = ["account", "slug"].map((name) =>
      this.field({ name, rule: { kind: "text" }, required: name === "slug" }, message, `/${name}`));
    const members = this.tables.objects.get("widget").members;
    const plain = members.filter((member) => member.rule.kind !== "object");
    this.root.replaceChildren(this.list, ...address, ...plain.map((member) => this.field(member, message.widget, `/${member.name}`)),
      ...members.filter((member) => member.rule.kind === "object").map((member) => this.field(member, message.widget, `/${member.name}`)));
    for (const node of this.root.querySelectorAll("details")) if (isOpen.has(node.dataset.path)) node.open = true;
  }

  /** Something was added or taken away: the form is made anew, and the focus goes to `path`. */
  restructure(path) {
    this.render();
    this.root.querySelector(`[data-focus="${CSS.escape(path)}"]`)?.focus();
    this.changed();
  }

  set(owner, name, value) {
    if (value === undefined) delete owner[name];
    else owner[name] = value;
    this.changed();
  }

  // MARK: Fields

  field(member, owner, path) {
    switch (member.rule.kind) {
      case "object": return this.objectField(member, owner, path);
      case "array": return this.arrayField(member, owner, path);
      default: return this.plainField(member, owner, path);
    }
  }

  plainField(member, owner, path) {
    const id = `field-${(this.lastID += 1)}`;
    const slot = element("p", { class: "fault", id: `${id}-fault`, "data-location": path });
    const control = this.control(member, owner, path, id);
    control.setAttribute("aria-describedby", slot.id);
    const slider = this.slider(member, owner, path, control);
    return element("div", { class: "field" },
      element("label", { for: id }, titleOf(member), member.required && element("abbr", { title: "required" }, " *")),
      element("div", { class: "controls" }, control, slider, this.helpers(member, owner, control)), slot);
  }

  control(member, owner, path, id) {
    const { rule, name } = member;
    const value = owner[name];
    const common = { id, name: path, "data-focus": path };
    if (rule.kind === "word") return this.wordControl(member, owner, common);
    if (rule.kind === "boolean") {
      return element("input", {
        ...common, type: "checkbox", checked: value === true, onchange: (event) => this.set(owner, name, event.target.checked || undefined),
      });
    }
    const hints = [rule.lowest !== undefined && `from ${rule.lowest}`, rule.highest !== undefined && `to ${rule.highest}`,
      rule.longest && `at most ${rule.longest}`, rule.most_bytes && "a JSON object of strings"].filter(Boolean).join(" ");
    const isNumber = rule.kind === "number" || rule.kind === "whole_number";
    return element("input", {
      ...common, autocomplete: "off", spellcheck: "false", placeholder: hints, inputmode: isNumber ? "decimal" : undefined,
      list: rule.kind === "color" ? "color-names" : undefined, required: member.required,
      value: value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : value,
      oninput: (event) => this.set(owner, name, this.read(event.target.value, rule, member.required)),
    });
  }

  /** What a text means to its rule. What means nothing to it goes to the worker as it is, which says so. */
  read(text, rule, isRequired) {
    if (text === "") return isRequired && rule.kind === "text" ? "" : undefined;
    if (rule.kind === "number" || rule.kind === "whole_number") {
      const number = Number(text);
      return text.trim() !== "" && Number.isFinite(number) ? number : text;
    }
    if (rule.kind === "headers") {
      try { return JSON.parse(text); } catch { return text; }
    }
    return text;
  }

  wordControl(member, owner, common) {
    const { words } = this.tables.words.get(member.rule.of);
    const value = owner[member.name];
    const options = [...(member.required ? [] : [""]), ...words, ...(value && !words.includes(value) ? [value] : [])];
    return element("select", {
      ...common,
      onchange: (event) => {
        this.set(owner, member.name, event.target.value || undefined);
        if (member.rule.of === "template") this.restructure(common.name);
      },
    }, options.map((word) => element("option", { value: word, selected: word === (value ?? "") }, word || "–")));
  }

  /** To drag a number whose ends are known: from the rule, the template, or the content itself. */
  slider(member, owner, path, control) {
    if (member.rule.kind !== "number") return undefined;
    const template = path === "/content/value" ? this.tables.templates.get(owner.template) : undefined;
    const low = member.rule.lowest ?? template?.lowest_value ?? (template ? owner.min_value : undefined);
    const high = member.rule.highest ?? template?.highest_value ?? (template ? owner.max_value : undefined);
    if (typeof low !== "number" || typeof high !== "number" || low >= high) return undefined;
    const slider = element("input", {
      type: "range", min: low, max: high, step: (high - low) / 100, value: owner[member.name] ?? low,
      "aria-label": `${member.name}, to drag`,
      oninput: () => {
        control.value = String(Number(Number(slider.value).toPrecision(6)));
        this.set(owner, member.name, Number(control.value));
      },
    });
    control.addEventListener("input", () => { slider.value = control.value; });
    return slider;
  }

  helpers(member, owner, control) {
    if (member.rule.kind !== "date") return undefined;
    const move = (title, next) => element("button", {
      type: "button", "aria-label": `${member.name}: ${title}`,
      onclick: () => {
        control.value = new Date(next(Date.parse(control.value))).toISOString();
        this.set(owner, member.name, control.value);
      },
    }, title);
    const from = (moment) => (Number.isNaN(moment) ? Date.now() : moment);
    return [move("−1 h", (moment) => from(moment) - 3_600_000), move("now", () => Date.now()),
      move("+1 h", (moment) => from(moment) + 3_600_000)];
  }

  // MARK: Objects and arrays

  objectField(member, owner, path) {
    const value = owner[member.name];
    if (!isObject(value)) return this.adder(member, owner, path);
    return element("fieldset", { "data-path": path }, element("legend", {}, titleOf(member)),
      this.faultSlot(path), !member.required && this.remover(owner, member.name, path), this.members(member.rule.of, value, path));
  }

  /** Those that are wanted or set; the others behind a fold. */
  members(objectName, owner, path) {
    const { members } = this.tables.objects.get(objectName);
    const template = objectName === "content" ? this.tables.templates.get(owner.template) : undefined;
    const wanted = new Set([...(template?.needs ?? []), ...(template?.unless_all_of ?? [])]);
    const isUpFront = (member) => member.required || wanted.has(member.name) || owner[member.name] !== undefined
      || (objectName !== "content" && members.length <= 4);
    const marked = members.map((member) =>
      ({ ...member, required: member.required || Boolean(template?.needs.includes(member.name)) }));
    const rest = marked.filter((member) => !isUpFront(member));
    return [
      ...marked.filter(isUpFront).map((member) => this.field(member, owner, `${path}/${escapeToken(member.name)}`)),
      rest.length > 0 && element("details", { "data-path": path }, element("summary", {}, `More members (${rest.length})`),
        rest.map((member) => this.field(member, owner, `${path}/${escapeToken(member.name)}`)))];
  }

  arrayField(member, owner, path) {
    const value = owner[member.name];
    if (!Array.isArray(value)) return this.adder(member, owner, path);
    const { rule, most } = this.tables.arrays.get(member.rule.of);
    const slot = this.faultSlot(path);
    if (rule.kind === "number") return this.numberList(member, owner, path, slot);
    return element("fieldset", { "data-path": path }, element("legend", {}, `${member.name} (${value.length} of ${most})`), slot,
      this.remover(owner, member.name, path),
      value.map((_, index) => element("div", { class: "element" },
        this.field({ rule, name: index, required: true }, value, `${path}/${index}`),
        element("button", {
          type: "button", "aria-label": `Remove ${member.name} ${index + 1}`,
          onclick: () => { value.splice(index, 1); this.restructure(`${path}/add`); },
        }, "Remove"))),
      element("button", {
        type: "button", "data-focus": `${path}/add`,
        onclick: () => { value.push(this.tables.blank(rule)); this.restructure(`${path}/add`); },
      }, `Add to ${member.name}`));
  }

  numberList(member, owner, path, slot) {
    const id = `field-${(this.lastID += 1)}`;
    return element("div", { class: "field" }, element("label", { for: id }, member.name),
      element("div", { class: "controls" }, element("input", {
        id, name: path, "data-focus": path, inputmode: "decimal", value: owner[member.name].join(", "),
        placeholder: "numbers, with commas between",
        oninput: (event) => this.set(owner, member.name, event.target.value.trim() === "" ? undefined
          : event.target.value.split(",").map((text) => this.read(text.trim(), { kind: "number" }, true) ?? null)),
      })), slot);
  }

  adder(member, owner, path) {
    const slot = this.faultSlot(path);
    return element("div", { class: "field adder" }, element("button", {
      type: "button", "data-focus": path,
      onclick: () => {
        const isObjectArray = member.rule.kind === "array" && this.tables.arrays.get(member.rule.of).rule;
        owner[member.name] = isObjectArray ? [this.tables.blank(isObjectArray)] : this.tables.blank(member.rule);
        this.restructure(`${path}/add`);
      },
    }, `Add ${member.name}`, member.required && " *"), slot);
  }

  remover(owner, name, path) {
    return element("button", {
      type: "button", class: "remover", "aria-label": `Remove ${name}`,
      onclick: () => { delete owner[name]; this.restructure(path); },
    }, "Remove");
  }

  faultSlot(path) {
    return element("p", { class: "fault", "data-location": path });
  }

  // MARK: Faults

  /** Puts each fault at its field, or at the nearest that holds it. */
  tell(errors) {
    const slots = new Map([...this.root.querySelectorAll("[data-location]")].map((slot) => [slot.dataset.location, slot]));
    for (const slot of slots.values()) {
      slot.textContent = "";
      slot.parentElement.classList.remove("wrong");
    }
    for (const error of errors) {
      let place = error.location;
      while (place && !slots.has(place)) place = place.slice(0, place.lastIndexOf("/"));
      const slot = slots.get(place || "/content");
      if (!slot) continue;
      slot.textContent += `${slot.textContent && "; "}${place === error.location ? "" : `${error.location} `}${error.message}`;
      slot.parentElement.classList.add("wrong");
      const fold = slot.closest("details");
      if (fold) fold.open = true;
    }
  }
}
