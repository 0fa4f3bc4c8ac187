// What is chosen, as it stands in the address: what is left out there is as it is at first.
import { words } from "./words.js";

const KEPT = Object.keys(words.dimensions).filter((name) => name !== "source" && name !== "experiment");
const PLAIN = { group: "", sort: "", x: "speedup", y: "program", colour: "interpreter", page: 1 };

// A state: an experiment (or * for all), sets of names by dimension, and what `PLAIN` has.
export function readState(index) {
  const query = new URLSearchParams(location.search);
  const known = (name, possible) => (possible.includes(query.get(name)) ? query.get(name) : PLAIN[name]);
  const [dimensions, measures] = [Object.keys(words.dimensions), Object.keys(words.measures)];
  const keys = [...dimensions, ...measures];
  const sorts = [...keys, "count"];
  const experiments = Object.keys(index.experiments);
  const asked = query.get("experiment");
  return {
    experiment: asked === "*" || experiments.includes(asked) ? asked : findFirst(index),
    filters: new Map(KEPT.filter((name) => query.has(name)).map((name) => [name, new Set(query.getAll(name))])),
    group: known("group", dimensions),
    sort: known("sort", [...sorts, ...sorts.map((name) => `-${name}`)]),
    x: known("x", measures),
    y: known("y", keys),
    colour: query.get("colour") === "" ? "" : known("colour", dimensions),
    page: Math.max(1, Number.parseInt(query.get("page"), 10) || 1),
  };
}

export function writeState(state, index) {
  const query = new URLSearchParams();
  if (state.experiment !== findFirst(index)) query.set("experiment", state.experiment);
  state.filters.forEach((names, dimension) => {
    if (KEPT.includes(dimension)) names.forEach((name) => { query.append(dimension, name); });
  });
  Object.keys(PLAIN).forEach((name) => { if (state[name] !== PLAIN[name]) query.set(name, state[name]); });
  const text = query.toString();
  const address = location.pathname + (text ? `?${text}` : "") + location.hash;
  if (address !== location.pathname + location.search + location.hash) history.pushState(null, "", address);
}

export function forget(state, index) {
  return { ...state, ...PLAIN, experiment: findFirst(index), filters: new Map() };
}

// The first experiment of which there is anything.
function findFirst(index) {
  const names = Object.keys(index.experiments);
  return names.find((name) => index.experiments[name].count) || names[0];
}
