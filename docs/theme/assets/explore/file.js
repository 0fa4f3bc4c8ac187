// A file of the reader's own: checked in the browser and made a part like those of the site, or refused.
import { findMedian } from "./rows.js";

const GIL = ["on", "off"];
const STATUS = ["ok", "failed", "timeout", "unavailable"];
const METHODS = [null, "fork", "forkserver", "spawn"];
const PROFILES = ["smoke", "quick", "full"];
const CELL = ["experiment", "program", "family", "machine", "interpreter", "gil", "start_method", "cores", "workers", "tasks"];
const SCHEMAS = [1, 2];
const MEGABYTE = 1e6;

// Why a file is not shown: the key of a sentence, and what stands in its places.
export class Refusal extends Error {
  constructor(key, places = {}) {
    super(key);
    this.key = key;
    this.places = places;
  }
}

// A file, as a part; throws a Refusal. `index` is that of the site: what it declares, what a file may hold.
export async function readPart(file, index) {
  const limits = index.file;
  if (file.size > limits.bytes) {
    throw new Refusal("large", { size: Math.ceil(file.size / MEGABYTE), most: Math.floor(limits.bytes / MEGABYTE) });
  }
  const text = await file.text().catch(() => { throw new Refusal("unreadable"); });
  return makePart(checkDocument(parse(text), limits), index);
}

function parse(text) {
  try { return JSON.parse(text); } catch (_) { throw new Refusal("json"); }
}

// The rows of a document in which nothing is wrong.
export function checkDocument(document, limits) {
  const published = isObject(document) && SCHEMAS.includes(document.schema) && Array.isArray(document.machines) && Array.isArray(document.interpreters);
  const recorded = isObject(document) && SCHEMAS.includes(document.schema) && isObject(document.machine) && isObject(document.interpreter);
  if ((!published && !recorded) || !Array.isArray(document.rows)) throw new Refusal("schema");
  const rows = document.rows;
  if (!rows.length) throw new Refusal("no_rows");
  if (rows.length > limits.rows) throw new Refusal("many_rows", { most: limits.rows });
  const known = {
    machine: listIds(published ? document.machines : [document.machine]),
    interpreter: listIds(published ? document.interpreters : [document.interpreter]),
    profile: document.profile,
  };
  const seen = new Map();
  rows.forEach((row, place) => {
    try {
      RULES.forEach((rule) => { rule(row, limits, known); });
      checkUnique(row, place, seen);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal("row", { row: place + 1, reason: error });
    }
  });
  return rows.map((row) => ({ ...row, profile: known.profile || row.profile }));
}

const RULES = [checkForm, checkNames, checkSizes, checkMetrics, checkOwner];

function checkForm(row, limits) {
  if (!isObject(row)) throw new Refusal("object");
  const strange = Object.keys(row).find((name) => !limits.fields.includes(name));
  if (strange !== undefined) throw new Refusal("field", { field: strange.slice(0, 60) });
}

function checkNames(row, limits, known) {
  const name = new RegExp(limits.name);
  const isName = (text) => typeof text === "string" && text.length <= 200 && name.test(text);
  demand(row, { experiment: isName, program: isName, family: isName, machine: isName, interpreter: isName,
    gil: (value) => GIL.includes(value), status: (value) => STATUS.includes(value),
    start_method: (value) => METHODS.includes(value),
    verdict: (value) => (value ?? null) === null || limits.verdicts.includes(value) });
  demand({ profile: known.profile || row.profile }, { profile: (value) => PROFILES.includes(value) });
}

function checkSizes(row, limits) {
  const isCount = (value) => Number.isInteger(value) && value >= 1 && value <= limits.most;
  demand(row, { cores: isCount, workers: isCount, tasks: isCount, params: isObject });
}

// Each metric has a list of numbers that can be, as many as there are times or peaks of memory.
function checkMetrics(row, limits) {
  Object.entries(limits.metrics).forEach(([name, metric]) => {
    const values = row[name] ?? [];
    if (!Array.isArray(values) || values.length > limits.trials) throw new Refusal("lacks", { field: name });
    const can = (value) => value === null || (Number.isFinite(value) && value >= metric.least && value <= metric.most);
    if (!values.every(can)) throw new Refusal("number", { field: name });
    const counted = row[metric.counted];
    if (values.length && Array.isArray(counted) && values.length !== counted.length) throw new Refusal("trials", { field: name });
  });
}

function checkOwner(row, _, known) {
  ["machine", "interpreter"].forEach((name) => {
    if (!known[name].has(row[name])) throw new Refusal("owner", { field: name });
  });
}

function checkUnique(row, place, seen) {
  const cell = JSON.stringify([CELL.map((name) => row[name]), Object.entries(row.params).sort(), row.profile]);
  if (seen.has(cell)) throw new Refusal("duplicate", { other: seen.get(cell) + 1 });
  seen.set(cell, place);
}

function demand(row, tests) {
  Object.entries(tests).forEach(([field, test]) => {
    if (!test(row[field])) throw new Refusal("lacks", { field });
  });
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listIds(described) {
  return new Set(described.filter(isObject).map((one) => one.id));
}

// Checked rows in columns; each is related to the baseline of its family where it was measured.
function makePart(rows, index) {
  const told = rows.map((row) => tellMedians(row));
  const arenas = new Map();
  rows.forEach((row, place) => {
    const arena = findArena(row);
    if (arenas.has(arena)) arenas.get(arena).push(place);
    else arenas.set(arena, [place]);
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
  const names = [...CELL, "profile", "status", "verdict", "outdated", "kind", "source"];
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

function findArena(row) {
  return JSON.stringify(["experiment", "family", "machine", "interpreter", "profile", "cores", "tasks"].map((name) => row[name]));
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
