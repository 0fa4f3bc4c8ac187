// The controls: selects and boxes to tick, which hand on what is chosen, and a file of the reader's own.
import { CELL, sortNames } from "./rows.js";
import { beginWith, forget } from "./state.js";
import { make, words } from "./words.js";

export class Controls {
  // `hands` takes what people do: change(state), open(file), close().
  constructor(place, hands) {
    this.hands = hands;
    this.form = make("form", place, { class: "explore-form", hidden: "" });
    this.form.addEventListener("submit", (event) => { event.preventDefault(); });
    this.selects = {};
    const chosen = make("div", this.form, { class: "explore-selects" });
    ["experiment", "compare", "a", "b", "group", "x", "y", "colour"].forEach((name) => { this.addSelect(chosen, name); });
    this.facets = make("div", this.form, { class: "explore-facets", role: "group", "aria-label": words.filters });
    const reset = make("button", this.form, { type: "button", class: "explore-button" }, words.reset);
    reset.addEventListener("click", () => { hands.change(forget(this.state, this.index)); });
    this.addFile(place);
  }

  addSelect(parent, name) {
    const titles = { experiment: words.experiment, compare: words.compare_by, a: words.compare_a, b: words.compare_b, group: words.group, x: words.across, y: words.down, colour: words.colour };
    const label = make("label", parent, {}, titles[name]);
    const select = make("select", label, { name });
    select.addEventListener("change", () => {
      const next = { ...this.state, [name]: select.value, page: 1 };
      if (name === "experiment") next.filters = beginWith(this.index, select.value);
      if (name === "compare") Object.assign(next, this.choosePair(select.value));
      this.hands.change(next);
    });
    this.selects[name] = select;
  }

  addFile(place) {
    const own = make("div", place, { class: "explore-own", role: "group", "aria-label": words.own });
    const label = make("label", own, { class: "explore-button" }, words.own_choose);
    const input = make("input", label, { type: "file", accept: ".json,application/json", class: "explore-file" });
    input.addEventListener("change", () => {
      if (input.files.length) this.hands.open(input.files[0]);
      input.value = "";
    });
    make("span", own, {}, words.own_hint);
    this.error = make("p", own, { class: "explore-refused", role: "alert" });
    this.shown = make("p", own, { class: "explore-shown", hidden: "" });
    this.shownText = make("span", this.shown);
    const close = make("button", this.shown, { type: "button", class: "explore-button" }, words.own_close);
    close.addEventListener("click", () => { this.hands.close(); });
  }

  // The last and the first name of what is compared by, and no filter in its way.
  choosePair(name) {
    const all = name ? sortNames(this.rows, name, words.compare).map((code) => this.rows.names[name][code]) : [];
    const filters = new Map(this.state.filters);
    filters.delete(name);
    return { filters, a: all.at(-1) ?? "", b: all[0] ?? "" };
  }

  tell(error) { this.error.textContent = error; }

  show(state, rows, index, own) {
    this.state = state;
    this.index = index;
    this.form.hidden = !rows.count;
    if (this.rows !== rows) {
      this.rows = rows;
      this.fillSelects();
      this.fillFacets(own);
    }
    this.fillPair(state);
    Object.entries(this.selects).forEach(([name, select]) => { select.value = state[name]; });
    this.facets.querySelectorAll("details").forEach((facet) => { this.tickFacet(facet); });
    this.shown.hidden = !own;
    if (own) this.shownText.textContent = words.fill("own_shown", { name: own.name, n: own.part.count });
  }

  fillPair({ compare }) {
    const codes = compare ? sortNames(this.rows, compare, words.compare) : [];
    const names = codes.map((code) => this.rows.names[compare][code]);
    ["a", "b"].forEach((side) => {
      fill(this.selects[side], names.map((name) => [name, words.value(compare, name)]));
      this.selects[side].parentNode.hidden = !compare;
    });
  }

  fillSelects() {
    const names = Object.keys(this.index.experiments);
    const experiments = names.map((name) => [name, words.value("experiment", name)]);
    const dimensions = this.list("dimensions");
    const measures = this.list("measures");
    fill(this.selects.experiment, [...experiments, ["*", words.every]]);
    const told = dimensions.filter(([name]) => CELL.includes(name) && this.rows.names[name].length > 1);
    fill(this.selects.compare, [["", words.no_compare], ...told]);
    fill(this.selects.group, [["", words.no_group], ...dimensions]);
    fill(this.selects.x, measures);
    fill(this.selects.y, dimensions);
    fill(this.selects.colour, [["", words.no_colour], ...dimensions]);
  }

  list(group) {
    return Object.keys(words[group]).map((name) => [name, words.column(name)]);
  }

  fillFacets(own) {
    const open = new Set(Array.from(this.facets.querySelectorAll("details[open]"), (one) => one.dataset.name));
    const isOffered = (name) => this.rows.names[name].length > 1 && (name !== "experiment" || own);
    const names = Object.keys(words.dimensions).filter(isOffered);
    this.facets.replaceChildren(...names.map((name) => this.makeFacet(name, open.has(name))));
  }

  // Its boxes are made when it is first opened: there may be hundreds.
  makeFacet(name, isOpen) {
    const facet = make("details", null, { "data-name": name });
    make("summary", facet);
    const boxes = make("div", facet, { role: "group", "aria-label": words.dimension(name) });
    const fillBoxes = () => {
      if (!facet.open || boxes.children.length) return;
      sortNames(this.rows, name, words.compare).forEach((code) => {
        const value = this.rows.names[name][code];
        const label = make("label", boxes);
        const box = make("input", label, { type: "checkbox" });
        box.value = value;
        box.checked = Boolean(this.state.filters.get(name)?.has(value));
        make("span", label, {}, words.value(name, value));
      });
    };
    facet.addEventListener("toggle", fillBoxes);
    facet.addEventListener("change", (event) => { this.tick(name, event.target); });
    facet.open = isOpen;
    fillBoxes();
    return facet;
  }

  tick(name, box) {
    const filters = new Map(this.state.filters);
    const wanted = new Set(filters.get(name));
    if (box.checked) wanted.add(box.value);
    else wanted.delete(box.value);
    if (wanted.size) filters.set(name, wanted);
    else filters.delete(name);
    this.hands.change({ ...this.state, filters, page: 1 });
  }

  tickFacet(facet) {
    const { name } = facet.dataset;
    const wanted = this.state.filters.get(name);
    const places = { n: wanted?.size ?? 0, all: this.rows.names[name].length };
    const summary = `${words.dimension(name)}: ${wanted ? words.fill("facet_some", places) : words.facet_all}`;
    if (facet.firstChild.textContent !== summary) facet.firstChild.textContent = summary;
    facet.classList.toggle("explore-chosen", Boolean(wanted));
    facet.querySelectorAll("input").forEach((box) => { box.checked = Boolean(wanted?.has(box.value)); });
  }
}

function fill(select, options) {
  select.replaceChildren(...options.map(([value, text]) => {
    const option = make("option", null, {}, text);
    option.value = value;
    return option;
  }));
}
