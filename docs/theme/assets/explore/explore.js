// Explore: all rows of all machines, picked, ordered, grouped and drawn; what is chosen is kept in the address.
import { Chart } from "./chart.js";
import { drawPicture } from "./picture.js";
import { Controls } from "./controls.js";
import { readPart, Refusal } from "./file.js";
import { compareRows, findVarying, groupRows, joinParts, orderRows, pickRows } from "./rows.js";
import { readState, writeState } from "./state.js";
import { showTable } from "./table.js";
import { isSeconds, make, words } from "./words.js";

const place = document.getElementById("explorer");
const folder = new URL(place.dataset.folder, document.baseURI);
const SITE = { values: ["site"], codes: [] };
const loaded = new Map(); // parts by experiment
let index, state, rows, order, own, latest = 0;

const controls = new Controls(place, { change, open: openFile, close: closeFile });
const status = make("p", place, { class: "explore-status", role: "status" });
const figure = make("figure", place, { class: "chart explore-chart" });
const caption = make("figcaption", figure);
const legend = make("ul", figure, { class: "chart-legend" });
const box = make("div", figure, { class: "explore-canvas", role: "img", "aria-label": words.title });
const hint = make("p", figure, { class: "chart-note explore-hint" });
const tellMark = (mark) => { hint.textContent = mark || hint.dataset.note; };
const chart = new Chart(box, tellMark, () => {
  place.classList.add("explore-ready"); // all at once: what is shown stays where it is
  performance.mark("explore-shown");
});
const table = make("div", place, { class: "explore-table" });

async function load(name) {
  const answer = await fetch(new URL(`${name}.json`, folder));
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json();
}

function fail() {
  status.textContent = words.absent;
  place.classList.add("explore-ready");
}

// The rows of the experiments chosen, and those of a file; parts are loaded when first asked for.
async function gather() {
  const every = Object.keys(index.experiments);
  const wanted = state.experiment === "*" ? every : [state.experiment];
  await Promise.all(wanted.filter((name) => !loaded.has(name)).map(async (name) => {
    const part = await load(name);
    loaded.set(name, { ...part, dimensions: { ...part.dimensions, experiment: { values: [name], codes: [] }, source: SITE } });
  }));
  const parts = wanted.map((name) => loaded.get(name)).filter((part) => part.count);
  if (own) parts.push(own.part);
  rows = joinParts(parts, Object.keys(words.dimensions), [...Object.keys(words.measures), "speedup_low", "speedup_high"]);
  rows.measures = ["compared", ...Object.keys(words.measures).filter((name) => parts.some((part) => part.measures[name]))];
  order = null;
}

async function change(next, { push = true, gathered = false } = {}) {
  const mine = ++latest;
  const before = state;
  state = next;
  if (push) writeState(state, index);
  if (!gathered && (!rows || before?.experiment !== state.experiment)) {
    status.textContent = words.loading;
    try { await gather(); } catch (_) { fail(); return; }
    if (mine !== latest) return;
  }
  state = { ...state, filters: keepKnown(state.filters) };
  if (![state.a, state.b].every((name) => rows.names[state.compare]?.includes(name))) state.compare = "";
  const picked = pick();
  if (order?.key !== state.sort || state.compare) order = { key: state.sort, rows: sort() };
  show(pickRows(rows, order.rows, state.filters).filter((row) => !picked || picked.has(row)));
}

// A name that no row has, of an address from elsewhere, asks for nothing.
function keepKnown(filters) {
  const kept = Array.from(filters, ([name, wanted]) => [name, rows.names[name].filter((one) => wanted.has(one))]);
  return new Map(kept.filter(([, wanted]) => wanted.length).map(([name, wanted]) => [name, new Set(wanted)]));
}

// The rows of a comparison that have a partner.
function pick() {
  if (!state.compare) return null;
  const [a, b] = [state.a, state.b].map((name) => words.value(state.compare, name));
  words.compared = `${a} ÷ ${b}: ${words.measure(state.x)}`;
  const every = Uint32Array.from({ length: rows.count }, (_, row) => row);
  return new Set(compareRows(rows, pickRows(rows, every, state.filters), state));
}

function sort() {
  const descending = state.sort.startsWith("-");
  return orderRows(rows, state.sort.replace(/^-/, ""), descending, words.compare);
}

function show(picked) {
  const varying = findVarying(rows, picked);
  const isAlone = picked.length > 0 && !varying.includes("machine");
  const x = state.compare ? "compared" : state.x;
  const measures = state.compare ? [x] : Object.keys(words.measures).filter((name) => isAlone || !isSeconds(name));
  const groups = state.group ? groupRows(rows, picked, [state.group]) : null;
  controls.show(state, rows, index, own);
  tellStatus(picked, groups, isAlone);
  showTable(table, { rows, picked, varying, groups, measures, x, state, change });
  const picture = drawPicture({ rows, picked, measures, x, state });
  figure.hidden = !rows.count;
  caption.textContent = picture.title;
  box.setAttribute("aria-label", picture.about);
  hint.dataset.note = hint.textContent = picture.note;
  legend.replaceChildren(...picture.legend);
  chart.show(picture);
}

function tellStatus(picked, groups, isAlone) {
  const told = [words.fill("shown", { shown: picked.length, all: rows.count })];
  if (groups) told.push(words.fill("groups", { n: groups.length }));
  const text = rows.count ? `${told.join(", ")}.` : words.nothing;
  const wanted = [state.x, state.sort.replace(/^-/, "")].some(isSeconds);
  status.textContent = rows.count && !isAlone && wanted ? `${text} ${words.one_machine}` : text;
}

async function openFile(file) {
  controls.tell("");
  if (!index) { controls.tell(words.absent); return; }
  try {
    own = { part: await readPart(file, index), name: file.name };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    controls.tell(words.fill("refused", { name: file.name, reason: words.fill(error.key, error.places) }));
    return;
  }
  await gather();
  change({ ...state, filters: new Map([["source", new Set(["file"])]]), page: 1 }, { gathered: true });
}

async function closeFile() {
  own = null;
  await gather();
  const filters = new Map(state.filters);
  filters.delete("source");
  change({ ...state, filters, page: 1 }, { gathered: true });
}

// A file that misses the page would otherwise be opened in its place.
document.addEventListener("dragover", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  place.classList.add("explore-dragged");
});
document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) place.classList.remove("explore-dragged"); });
document.addEventListener("drop", (event) => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  place.classList.remove("explore-dragged");
  openFile(event.dataTransfer.files[0]);
});

async function begin() {
  status.textContent = words.loading;
  try { index = await load("index"); } catch (_) { fail(); return; }
  globalThis.addEventListener("popstate", () => { change(readState(index), { push: false }); });
  await change(readState(index), { push: false });
}

begin();
