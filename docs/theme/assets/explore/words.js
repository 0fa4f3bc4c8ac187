// What the page says in its language, and how it writes numbers; everything enters the page as text.
const told = JSON.parse(document.getElementById("explore-words").textContent);
const locale = told.locale.replace("_", "-");
const collator = new Intl.Collator(locale, { numeric: true });
const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const figures = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
const shares = new Intl.NumberFormat(locale, { style: "percent", maximumSignificantDigits: 3 });
const MIB = 1 << 20;

const FORMATS = {
  ratio: (value) => `×${figures.format(value)}`,
  s: (value) => `${figures.format(value)}\u00a0${told.units.s}`,
  "CPU s": (value) => `${figures.format(value)}\u00a0${told.units.s}`,
  cores: (value) => shares.format(value),
  bytes: (value) => `${figures.format(value / MIB)}\u00a0${told.units.MiB}`,
};

export const words = {
  ...told,
  compare: collator.compare,
  count: (number) => plain.format(number),
  // A sentence with its places filled; numbers as the language writes them.
  fill(key, places) {
    const text = Object.hasOwn(told, key) ? told[key] : key;
    return text.replace(/\{(\w+)\}/g, (_, name) => (typeof places[name] === "number" ? plain.format(places[name]) : places[name]));
  },
  // A number of a measure in its unit.
  format: (measure, value) => FORMATS[told.measures[measure]?.[1] ?? "ratio"](value),
  isRatio: (measure) => (told.measures[measure]?.[1] ?? "ratio") === "ratio",
  compared: "", // what a comparison is of
  measure: (name) => told.measures[name]?.[0] ?? words.compared,
  dimension: (name) => told.dimensions[name],
  column: (name) => told.measures[name]?.[0] ?? told.dimensions[name],
  // A name of a dimension as people say it.
  value(dimension, name) {
    if (dimension === "kind") return name.split(" + ").map((one) => find(told.values.kind, one)).join(" + ") || told.none;
    return find(told.values[dimension], name) || told.none;
  },
};

function find(group, name) {
  return group && Object.hasOwn(group, name) ? group[name] : name;
}

export function isSeconds(name) {
  return Object.hasOwn(told.measures, name) && ["s", "CPU s"].includes(told.measures[name][1]);
}

// A new element at the end of another.
export function make(name, parent, attributes = {}, text = "") {
  const element = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => { element.setAttribute(key, value); });
  if (text) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}
