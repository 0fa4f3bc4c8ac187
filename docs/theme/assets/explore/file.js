// A file of the reader's own, made a part like those of the site. It never leaves the browser, and all that it says
// enters the page as text: it only has to be one that can be drawn.
import { CELL, findMedian } from "./rows.js";

const NAMES = ["experiment", "program", "family", "machine", "interpreter"];
const METRICS = ["wall_s", "inside_s", "user_s", "system_s", "peak_pss_bytes", "lag_max_s"];
const ARENA = ["experiment", "family", "machine", "interpreter", "profile", "cores", "tasks"];

// Why a file is not shown: the key of a sentence, and what stands in its places.
export class Refusal extends Error {
  constructor(key, places = {}) {
    super(key);
    this.key = key;
    this.places = places;
  }
}

// A file, as a part; throws a Refusal. `index` is that of the site: what it declares.
export async function readPart(file, index) {
  const document = await file.text().then(JSON.parse).catch(() => { throw new Refusal("json"); });
  const rows = document?.rows;
  if (!Array.isArray(rows) || !rows.length) throw new Refusal("schema");
  const strange = rows.findIndex((row) => !isRow(row));
  if (strange >= 0) throw new Refusal("row", { row: strange + 1 });
  return makePart(rows.map((row) => ({ ...row, profile: document.profile || row.profile })), index);
}

function isRow(row) {
  const can = (value) => value === null || (Number.isFinite(value) && value >= 0);
  const isList = (values) => Array.isArray(values) && values.every(can);
  return row && NAMES.every((name) => typeof row[name] === "string") && METRICS.every((name) => isList(row[name] ?? []));
}

// Rows in columns; each is related to the baseline of its family where it was measured.
function makePart(rows, index) {
  const told = rows.map((row) => tellMedians(row));
  const arenas = new Map();
  rows.forEach((row, place) => {
    const arena = JSON.stringify(ARENA.map((name) => row[name]));
    arenas.set(arena, [...(arenas.get(arena) ?? []), place]);
  });
  arenas.forEach((places) => {
    const measured = places.filter((place) => told[place].wall_s !== null);
    const time = measured.every((place) => told[place].inside_s !== null) ? "inside_s" : "wall_s";
    const { experiment, family } = rows[places[0]];
    const declared = find(find(index.experiments, experiment)?.baselines, family);
    const baseline = told[measured.find((place) => rows[place].program === declared)];
    places.forEach((place) => {
      told[place].speedup = divide(baseline?.[time], told[place][time]);
      told[place].cpu_ratio = divide(told[place].cpu_s, baseline?.cpu_s);
    });
  });
  const kind = (row) => find(find(index.experiments, row.experiment)?.kinds, row.program);
  const columns = { kind, outdated: () => "no", source: () => "file" };
  const names = [...CELL, "status", "verdict", "outdated", "kind", "source"];
  return {
    count: rows.length,
    dimensions: Object.fromEntries(names.map((name) => [name, encode(rows.map(columns[name] || ((row) => row[name])))])),
    measures: Object.fromEntries(Object.keys(told[0]).map((name) => [name, told.map((one) => one[name])])),
  };
}

// What an object has itself, for a name may be that of something every object has.
function find(object, name) {
  return object && Object.hasOwn(object, name) ? object[name] : undefined;
}

function tellMedians(row) {
  const isShown = row.status === "ok";
  const list = (name) => (isShown ? (row[name] ?? []) : []);
  const cpu = list("user_s").map((user, place) => user + (list("system_s")[place] ?? 0));
  const shares = cpu.map((seconds, place) => seconds / list("wall_s")[place]);
  return {
    speedup: null, cpu_ratio: null, cpu_s: take(cpu), cpu_share: take(shares),
    ...Object.fromEntries(["wall_s", "inside_s", "peak_pss_bytes", "lag_max_s"].map((name) => [name, take(list(name))])),
  };
}

function take(values) {
  const found = Float64Array.from(values.filter((value) => value !== null)).sort();
  return found.length ? findMedian(found) : null;
}

function divide(one, other) {
  const ratio = typeof one === "number" && other > 0 ? one / other : null;
  return Number.isFinite(ratio) ? ratio : null; // by next to nothing, what comes out is no number
}

function encode(column) {
  const texts = column.map((value) => String(value ?? ""));
  const places = new Map();
  texts.forEach((text) => { if (!places.has(text)) places.set(text, places.size); });
  return { values: Array.from(places.keys()), codes: texts.map((text) => places.get(text)) };
}
