// What is chosen, as it stands in the address: what is left out there is as it is at first.
import { CELL } from "./rows.js";
import { words } from "./words.js";

const KEPT = Object.keys(words.dimensions).filter((name) => name !== "source" && name !== "experiment");
const PLAIN = { compare: "", a: "", b: "", group: "", sort: "", x: "speedup", y: "program", colour: "interpreter", page: 1 };
const EVERY = "*";

// A state: an experiment (or * for all), sets of names by dimension, and what `PLAIN` has. Unless told otherwise it
// is of one family on all cores, as families and cores have no common median; * stands for all names.
export function readState(index) {
  const query = new URLSearchParams(location.search);
  const known = (name, possible) => (possible.includes(query.get(name)) ? query.get(name) : PLAIN[name]);
  const [dimensions, measures] = [Object.keys(words.dimensions), Object.keys(words.measures)];
  const sorts = [...dimensions, ...measures, "count", "compared"];
  const experiments = Object.keys(index.experiments);
  const asked = query.get("experiment");
  const experiment = asked === "*" || experiments.includes(asked) ? asked : findFirst(index);
  const filters = beginWith(index, experiment);
  KEPT.filter((name) => query.has(name)).forEach((name) => { filters.set(name, new Set(query.getAll(name))); });
  filters.forEach((names, name) => { if (names.has(EVERY)) filters.delete(name); });
  return {
    experiment, filters,
    compare: known("compare", CELL), a: query.get("a") ?? "", b: query.get("b") ?? "",
    group: known("group", dimensions),
    sort: known("sort", [...sorts, ...sorts.map((name) => `-${name}`)]),
    x: known("x", measures),
    y: known("y", dimensions),
    colour: query.get("colour") === "" ? "" : known("colour", dimensions),
    page: Math.max(1, Number.parseInt(query.get("page"), 10) || 1),
  };
}

export function writeState(state, index) {
  const query = new URLSearchParams();
  if (state.experiment !== findFirst(index)) query.set("experiment", state.experiment);
  const begun = beginWith(index, state.experiment);
  KEPT.forEach((name) => {
    const [names, first] = [state.filters, begun].map((filters) => Array.from(filters.get(name) ?? [EVERY]));
    if (names.join() !== first.join()) names.forEach((one) => { query.append(name, one); });
  });
  Object.keys(PLAIN).forEach((name) => { if (state[name] !== PLAIN[name]) query.set(name, state[name]); });
  const text = query.toString();
  const address = location.pathname + (text ? `?${text}` : "") + location.hash;
  if (address !== location.pathname + location.search + location.hash) history.pushState(null, "", address);
}

export function forget(state, index) {
  const experiment = findFirst(index);
  return { ...state, ...PLAIN, experiment, filters: beginWith(index, experiment) };
}

// The filters that an experiment is opened with.
export function beginWith(index, experiment) {
  const first = Object.entries(index.experiments[experiment]?.first ?? {});
  return new Map(first.map(([name, values]) => [name, new Set(values)]));
}

// The first experiment of which there is anything.
function findFirst(index) {
  const names = Object.keys(index.experiments);
  return names.find((name) => index.experiments[name].count) || names[0];
}
