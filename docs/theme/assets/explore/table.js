// The table: a row a line or a group a line, a page at a time; its heads sort.
import { summarise } from "./rows.js";
import { make, words } from "./words.js";

const PAGE = 25;

// Shows what is picked; what all rows have in common is said once, above.
export function showTable(place, view) {
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const { picked, groups, state } = view;
  place.replaceChildren();
  if (!picked.length) return;
  const count = groups ? groups.length : picked.length;
  const pages = Math.ceil(count / PAGE);
  const page = Math.min(state.page, pages);
  const first = (page - 1) * PAGE;
  const columns = groups ? listGroupColumns(view) : listColumns(view);
  const items = groups ? sortGroups(groups, columns, state).slice(first, first + PAGE) : picked.slice(first, first + PAGE);
  const box = make("div", place, { class: "measured-scroll", role: "region", tabindex: "0", "aria-label": words.table });
  const table = make("table", box, { class: "measured explore-rows" });
  make("caption", table, {}, tellCommon(view));
  const head = make("tr", make("thead", table));
  columns.forEach((column) => { addHead(head, column, view); });
  const body = make("tbody", table);
  items.forEach((item) => { addLine(body, columns, item); });
  addPages(place, { page, pages, first, count }, view);
  if (focused) place.querySelector(`[data-key="${focused}"]`)?.focus();
}

function addHead(head, column, { state, change }) {
  const [key, isDown] = [state.sort.replace(/^-/, ""), state.sort.startsWith("-")];
  const cell = make("th", head, { scope: "col", class: column.kind });
  const isSorted = key === column.key;
  cell.setAttribute("aria-sort", isSorted ? (isDown ? "descending" : "ascending") : "none");
  const button = make("button", cell, { type: "button", "data-key": `sort-${column.key}` }, column.title);
  make("span", button, { "aria-hidden": "true" }, isSorted ? (isDown ? " ▼" : " ▲") : " ↕");
  // Of numbers, the greatest come first when a person asks for the first time.
  const isNumber = column.kind === "number";
  const next = isSorted ? (isDown ? column.key : `-${column.key}`) : `${isNumber ? "-" : ""}${column.key}`;
  button.addEventListener("click", () => { change({ ...state, sort: next, page: 1 }); });
}

function addLine(body, columns, item) {
  const line = make("tr", body);
  columns.forEach((column, place) => {
    const told = column.tell(item);
    const kind = `${place ? column.kind : ""}${told.kind ? ` verdict ${told.kind}` : ""}`;
    const cell = make(place ? "td" : "th", line, place ? { class: kind } : { class: kind, scope: "row" }, told.text);
    if (told.note) make("small", cell, {}, told.note);
  });
}

// The program and what the chart draws come first, so that a phone shows them side by side.
function listColumns({ rows, picked, varying, measures, x }) {
  const shown = Object.keys(words.dimensions).filter((name) => name !== "kind" && varying.includes(name)); // a program has one kind
  const first = ["program", ...shown.filter((name) => name !== "program")];
  const names = first.map((name) => ({
    key: name, title: words.dimension(name), kind: "prose",
    tell: (row) => {
      const value = rows.names[name][rows.codes[name][row]];
      const slug = value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "-");
      return { text: words.value(name, value), kind: name === "verdict" && value ? `verdict-${slug}` : "" };
    },
  }));
  const has = measures.filter((name) => rows.measures.includes(name) && picked.some((row) => !Number.isNaN(rows.values[name][row])));
  const numbers = has.map((name) => ({
    key: name, title: words.measure(name), kind: "number",
    tell: (row) => tellValue(rows, name, row),
  }));
  const isDrawn = (column) => column.key === x;
  return [names[0], ...numbers.filter(isDrawn), ...names.slice(1), ...numbers.filter((column) => !isDrawn(column))];
}

function tellValue(rows, name, row) {
  const value = rows.values[name][row];
  if (Number.isNaN(value)) return { text: words.none };
  const [low, high] = [rows.values.speedup_low[row], rows.values.speedup_high[row]];
  const note = name === "speedup" && low < high ? `${words.format(name, low)}–${words.format(name, high)}` : "";
  return { text: words.format(name, value), note };
}

function listGroupColumns({ rows, groups, measures, state }) {
  const name = state.group;
  const tellName = (group) => words.value(name, rows.names[name][rows.codes[name][group[0]]]);
  const columns = measures.filter((name) => rows.measures.includes(name)).map((measure) => {
    const found = new Map(groups.map((group) => [group, summarise(rows.values[measure], group)]));
    return {
      key: measure, title: `${words.measure(measure)}, ${words.median}`, kind: "number",
      rank: (group) => found.get(group)?.median ?? Number.NaN,
      tell: (group) => tellSummary(measure, found.get(group)),
      isEmpty: groups.every((group) => !found.get(group)),
    };
  });
  return [
    { key: name, title: words.dimension(name), kind: "prose", tell: (group) => ({ text: tellName(group) }), rank: tellName },
    { key: "count", title: words.rows_count, kind: "number", tell: (group) => ({ text: words.count(group.length) }), rank: (group) => group.length },
    ...columns.filter((column) => !column.isEmpty),
  ];
}

function tellSummary(measure, found) {
  if (!found) return { text: words.none };
  const note = found.low < found.high ? `${words.format(measure, found.low)}–${words.format(measure, found.high)}` : "";
  return { text: words.format(measure, found.median), note };
}

// By the column that is sorted by, else by what they are grouped by.
function sortGroups(groups, columns, state) {
  const key = state.sort.replace(/^-/, "");
  const column = columns.find((one) => one.key === key) || columns[0];
  const sign = column.key === key && state.sort.startsWith("-") ? -1 : 1;
  const ranked = groups.map((group) => [column.rank(group), group]);
  const isAbsent = (rank) => Number.isNaN(rank);
  ranked.sort(([one], [other]) => {
    if (typeof one === "string") return sign * words.compare(one, other);
    return isAbsent(one) || isAbsent(other) ? isAbsent(one) - isAbsent(other) : sign * (one - other);
  });
  return ranked.map(([, group]) => group);
}

function tellCommon({ rows, picked, varying }) {
  const common = Object.keys(words.dimensions).filter((name) => !["program", "source"].includes(name) && !varying.includes(name));
  const told = common.map((name) => [name, rows.names[name][rows.codes[name][picked[0]]]]).filter(([, value]) => value);
  const parts = told.map(([name, value]) => `${words.dimension(name)}: ${words.value(name, value)}`);
  return parts.length ? `${words.same} — ${parts.join("; ")}` : words.table;
}

function addPages(place, { page, pages, first, count }, { state, change }) {
  const nav = make("nav", place, { class: "explore-pages", "aria-label": words.pages });
  const step = (title, to, key) => {
    const button = make("button", nav, { type: "button", class: "explore-button", "data-key": key }, title);
    button.disabled = to < 1 || to > pages;
    button.addEventListener("click", () => { change({ ...state, page: to }); });
  };
  step(words.earlier, page - 1, "earlier");
  make("span", nav, {}, words.fill("place", { first: first + 1, last: Math.min(first + PAGE, count), all: count }));
  step(words.later, page + 1, "later");
}
