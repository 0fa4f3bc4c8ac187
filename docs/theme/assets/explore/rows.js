// Rows in columns: joined from parts, picked by filters, ordered, grouped. Nothing here knows the page.

// What rows are told apart by, and what goes along with some of it: other cores, other numbers of workers.
export const CELL = ["experiment", "program", "family", "machine", "interpreter", "gil", "start_method", "cores", "workers", "tasks", "profile"];
const ALONG = { program: ["start_method", "workers"], machine: ["cores", "workers"], interpreter: ["gil", "start_method"], cores: ["workers"] };

// Of several parts one table: each dimension has its names once, and a code for each row.
export function joinParts(parts, dimensions, measures) {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const rows = { count, names: {}, codes: {}, values: {}, sorted: {} };
  dimensions.forEach((dimension) => {
    const places = new Map();
    const codes = new Uint32Array(count);
    let start = 0;
    parts.forEach((part) => {
      const column = part.dimensions[dimension];
      const known = column.values.map((name) => {
        if (!places.has(name)) places.set(name, places.size);
        return places.get(name);
      });
      if (!column.codes.length) codes.fill(known[0], start, start + part.count);
      else column.codes.forEach((code, place) => { codes[start + place] = known[code]; });
      start += part.count;
    });
    rows.names[dimension] = Array.from(places.keys());
    rows.codes[dimension] = codes;
  });
  measures.forEach((measure) => {
    const values = new Float64Array(count).fill(Number.NaN);
    let start = 0;
    parts.forEach((part) => {
      (part.measures[measure] || []).forEach((value, place) => {
        if (value !== null) values[start + place] = value;
      });
      start += part.count;
    });
    rows.values[measure] = values;
  });
  return rows;
}

// The places of all rows in an order: of a dimension by its names, of a measure by its numbers.
export function orderRows(rows, key, descending, compare) {
  const order = Uint32Array.from({ length: rows.count }, (_, place) => place);
  const keys = rows.values[key] || rankNames(rows, key, compare);
  if (!keys) return order;
  const sign = descending ? -1 : 1;
  return order.sort((one, other) => {
    const left = keys[one];
    const right = keys[other];
    if (left === right) return one - other;
    if (Number.isNaN(left) || Number.isNaN(right)) return Number.isNaN(left) - Number.isNaN(right) || one - other;
    return sign * (left - right);
  });
}

function rankNames(rows, dimension, compare) {
  if (!rows.names[dimension]) return null;
  const ranks = new Float64Array(rows.names[dimension].length);
  sortNames(rows, dimension, compare).forEach((code, rank) => { ranks[code] = rank; });
  return Float64Array.from(rows.codes[dimension], (code) => ranks[code]);
}

// The codes of a dimension in the order of their names.
export function sortNames(rows, dimension, compare) {
  const names = rows.names[dimension];
  rows.sorted[dimension] ??= names.map((_, code) => code).sort((one, other) => compare(names[one], names[other]));
  return rows.sorted[dimension];
}

// Of rows in an order those that pass: `filters` has a set of names for each dimension that is asked for.
export function pickRows(rows, order, filters) {
  let picked = order;
  filters.forEach((wanted, dimension) => {
    const codes = rows.codes[dimension];
    const allowed = Uint8Array.from(rows.names[dimension], (name) => wanted.has(name));
    const passing = new Uint32Array(picked.length);
    let count = 0;
    for (let place = 0; place < picked.length; place += 1) if (allowed[codes[picked[place]]]) passing[count++] = picked[place];
    picked = passing.subarray(0, count);
  });
  return picked;
}

// Of rows picked those that have one name in a dimension and a partner with the other, all else being equal; how many
// times as much of a measure they have becomes a measure of its own.
export function compareRows(rows, picked, { compare, a, b, x }) {
  const [mine, theirs] = [a, b].map((name) => rows.names[compare].indexOf(name));
  const same = CELL.filter((name) => name !== compare && !ALONG[compare]?.includes(name));
  const tell = (row) => same.map((name) => rows.codes[name][row]).join();
  const partners = new Map();
  const compared = new Float64Array(rows.count).fill(Number.NaN);
  picked.forEach((row) => {
    if (rows.codes[compare][row] !== theirs) return;
    partners.set(tell(row), partners.has(tell(row)) ? Number.NaN : rows.values[x][row]); // of two nobody knows which
  });
  picked.forEach((row) => { if (rows.codes[compare][row] === mine) compared[row] = rows.values[x][row] / partners.get(tell(row)); });
  rows.values.compared = compared;
  return picked.filter((row) => Number.isFinite(compared[row]));
}

// The dimensions in which rows differ.
export function findVarying(rows, picked) {
  return Object.keys(rows.codes).filter((dimension) => {
    if (rows.names[dimension].length < 2) return false;
    const codes = rows.codes[dimension];
    const first = codes[picked[0]];
    for (let place = 1; place < picked.length; place += 1) if (codes[picked[place]] !== first) return true;
    return false;
  });
}

// Rows by what they have in one dimension or two: lists of places, in the order of their codes.
export function groupRows(rows, picked, dimensions) {
  const [codes, inner] = dimensions.map((dimension) => rows.codes[dimension]);
  const size = inner ? rows.names[dimensions[1]].length : 1;
  const keys = new Uint32Array(picked.length);
  const ends = new Uint32Array(rows.names[dimensions[0]].length * size + 1);
  for (let place = 0; place < picked.length; place += 1) {
    const row = picked[place];
    keys[place] = inner ? codes[row] * size + inner[row] : codes[row];
    ends[keys[place] + 1] += 1;
  }
  const groups = [];
  const sorted = new Uint32Array(picked.length);
  for (let key = 1; key < ends.length; key += 1) {
    if (ends[key]) groups.push(sorted.subarray(ends[key - 1], ends[key - 1] + ends[key]));
    ends[key] += ends[key - 1];
  }
  for (let place = 0; place < picked.length; place += 1) sorted[ends[keys[place]]++] = picked[place];
  return groups;
}

// The codes of a dimension that some rows have, in the order of their names; if `values` are given, of rows that have one above nought.
export function listPresent(rows, picked, dimension, compare, values = null) {
  const present = new Uint8Array(rows.names[dimension].length);
  const codes = rows.codes[dimension];
  for (let place = 0; place < picked.length; place += 1) if (!values || values[picked[place]] > 0) present[codes[picked[place]]] = 1;
  return sortNames(rows, dimension, compare).filter((code) => present[code]);
}

// The median, the least and the greatest of a measure; nothing if no row has it.
export function summarise(values, places) {
  const all = new Float64Array(places.length);
  let count = 0;
  for (let number = 0; number < places.length; number += 1) {
    const value = values[places[number]];
    if (!Number.isNaN(value)) all[count++] = value;
  }
  const found = all.subarray(0, count).sort();
  return found.length ? { median: findMedian(found), low: found[0], high: found[found.length - 1] } : null;
}

// Of numbers in ascending order.
export function findMedian(sorted) {
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
