// Explore: all rows of all machines, picked, ordered, grouped and drawn; what is chosen is kept in the address.
// A classic script: no browser loads a module from a file.
(() => {
// biome-ignore lint/suspicious/noRedundantUseStrict: a classic script is strict only by it
"use strict";
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

const words = {
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

function isSeconds(name) {
  return Object.hasOwn(told.measures, name) && ["s", "CPU s"].includes(told.measures[name][1]);
}

// A new element at the end of another.
function make(name, parent, attributes = {}, text = "") {
  const element = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => { element.setAttribute(key, value); });
  if (text) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

// Rows in columns: joined from parts, picked by filters, ordered, grouped. Nothing here knows the page.

// What rows are told apart by, and what goes along with some of it: other cores, other numbers of workers.
const CELL = ["experiment", "program", "family", "machine", "interpreter", "gil", "start_method", "cores", "workers", "tasks", "profile"];
const ALONG = { program: ["start_method", "workers"], machine: ["cores", "workers"], interpreter: ["gil", "start_method"], cores: ["workers"] };

// Of several parts one table: each dimension has its names once, and a code for each row.
function joinParts(parts, dimensions, measures) {
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
function orderRows(rows, key, descending, compare) {
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
function sortNames(rows, dimension, compare) {
  const names = rows.names[dimension];
  rows.sorted[dimension] ??= names.map((_, code) => code).sort((one, other) => compare(names[one], names[other]));
  return rows.sorted[dimension];
}

// Of rows in an order those that pass: `filters` has a set of names for each dimension that is asked for.
function pickRows(rows, order, filters) {
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
function compareRows(rows, picked, { compare, a, b, x }) {
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
function findVarying(rows, picked) {
  return Object.keys(rows.codes).filter((dimension) => {
    if (rows.names[dimension].length < 2) return false;
    const codes = rows.codes[dimension];
    const first = codes[picked[0]];
    for (let place = 1; place < picked.length; place += 1) if (codes[picked[place]] !== first) return true;
    return false;
  });
}

// Rows by what they have in one dimension or two: lists of places, in the order of their codes.
function groupRows(rows, picked, dimensions) {
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
function listPresent(rows, picked, dimension, compare, values = null) {
  const present = new Uint8Array(rows.names[dimension].length);
  const codes = rows.codes[dimension];
  for (let place = 0; place < picked.length; place += 1) if (!values || values[picked[place]] > 0) present[codes[picked[place]]] = 1;
  return sortNames(rows, dimension, compare).filter((code) => present[code]);
}

// The median, the least and the greatest of a measure; nothing if no row has it.
function summarise(values, places) {
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
function findMedian(sorted) {
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// What is chosen, as it stands in the address: what is left out there is as it is at first.

const KEPT = Object.keys(words.dimensions).filter((name) => name !== "source" && name !== "experiment");
const PLAIN = { compare: "", a: "", b: "", group: "", sort: "", x: "speedup", y: "program", colour: "interpreter", page: 1 };
const EVERY = "*";

// A state: an experiment (or * for all), sets of names by dimension, and what `PLAIN` has. Unless told otherwise it
// is of one family on all cores, as families and cores have no common median; * stands for all names.
function readState(index) {
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

function writeState(state, index) {
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

function forget(state, index) {
  const experiment = findFirst(index);
  return { ...state, ...PLAIN, experiment, filters: beginWith(index, experiment) };
}

// The filters that an experiment is opened with.
function beginWith(index, experiment) {
  const first = Object.entries(index.experiments[experiment]?.first ?? {});
  return new Map(first.map(([name, values]) => [name, new Set(values)]));
}

// The first experiment of which there is anything.
function findFirst(index) {
  const names = Object.keys(index.experiments);
  return names.find((name) => index.experiments[name].count) || names[0];
}

// A file of the reader's own, made a part like those of the site. It never leaves the browser, and all that it says
// enters the page as text: it only has to be one that can be drawn.

const NAMES = ["experiment", "program", "family", "machine", "interpreter"];
const METRICS = ["wall_s", "inside_s", "user_s", "system_s", "peak_pss_bytes", "lag_max_s"];
const ARENA = ["experiment", "family", "machine", "interpreter", "profile", "cores", "tasks"];

// Why a file is not shown: the key of a sentence, and what stands in its places.
class Refusal extends Error {
  constructor(key, places = {}) {
    super(key);
    this.key = key;
    this.places = places;
  }
}

// A file, as a part; throws a Refusal. `index` is that of the site: what it declares.
async function readPart(file, index) {
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
    const declared = findOwn(findOwn(index.experiments, experiment)?.baselines, family);
    const baseline = told[measured.find((place) => rows[place].program === declared)];
    places.forEach((place) => {
      told[place].speedup = divide(baseline?.[time], told[place][time]);
      told[place].cpu_ratio = divide(told[place].cpu_s, baseline?.cpu_s);
    });
  });
  const kind = (row) => findOwn(findOwn(index.experiments, row.experiment)?.kinds, row.program);
  const columns = { kind, outdated: () => "no", source: () => "file" };
  const names = [...CELL, "status", "verdict", "outdated", "kind", "source"];
  return {
    count: rows.length,
    dimensions: Object.fromEntries(names.map((name) => [name, encode(rows.map(columns[name] || ((row) => row[name])))])),
    measures: Object.fromEntries(Object.keys(told[0]).map((name) => [name, told.map((one) => one[name])])),
  };
}

// What an object has itself, for a name may be that of something every object has.
function findOwn(object, name) {
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

// The chart: marks along two axes, drawn by uPlot's scales, in the colours and shapes of the site's charts.
const SERIES = 7;
const SHAPES = ["square", "circle", "diamond", "up", "down", "square", "circle"];
const ROOM = 10; // pixels of height for a mark of one colour
const NEAR = 12; // pixels within which a mark is pointed at
const ruler = document.createElement("canvas").getContext("2d");

// Draws marks into a box in the next frame, and anew at each change of width or colours. `tell` gets what is said of the
// mark pointed at, or nothing; `done` is called when it is drawn.
// A picture: `marks` of {x, low, high, y, series}, which it tells as text; what is `across`, and from the top down `names`.
class Chart {
  constructor(box, tell, done) {
    this.box = box;
    this.tell = tell;
    this.done = done;
    this.width = 0;
    new ResizeObserver(([{ contentRect }]) => {
      if (Math.floor(contentRect.width) === this.width) return;
      this.width = Math.floor(contentRect.width);
      this.draw();
    }).observe(box);
    new MutationObserver(() => {
      this.style = null;
      this.draw();
    }).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
  }

  show(picture) {
    this.picture = picture;
    this.due ||= requestAnimationFrame(() => {
      this.due = 0;
      this.draw();
    });
  }

  draw() {
    if (!this.picture || !this.width) return;
    const { marks, across, names, colours } = this.picture;
    if (marks.length) {
      this.style ||= readStyle();
      const x = spanNumbers(marks, across.format, this.width / 90);
      const y = spanNames(names);
      const room = names.length * Math.max(22, ROOM * Math.min(colours, SERIES));
      const left = measure(y.labels, this.style, this.width);
      this.shown = { x, y, left, marks, across };
      this.fit({ width: this.width, height: room + 60 });
    } else {
      this.plot?.destroy();
      this.plot = null;
    }
    this.done();
  }

  // One plot for all pictures: a canvas of the same size is drawn over, which takes less than a new one.
  fit(size) {
    const { x, y } = this.shown;
    if (!this.plot) {
      this.plot = this.makePlot(size);
      return;
    }
    if (this.plot.width !== size.width || this.plot.height !== size.height) this.plot.setSize(size);
    this.plot.setData([x.range, y.range]);
    this.plot.redraw(true, true);
  }

  makePlot(size) {
    const makeAxis = (name) => {
      const grid = { stroke: () => this.style.grid, width: 1 };
      const { font } = this.style;
      return { splits: () => this.shown[name].ticks, values: () => this.shown[name].labels, stroke: () => this.style.ink, font, grid, ticks: grid };
    };
    const plot = new globalThis.uPlot({
      ...size, legend: { show: false }, cursor: { show: false }, pxAlign: 0,
      scales: { x: { time: false, range: () => this.shown.x.range }, y: { range: () => this.shown.y.range } },
      axes: [{ ...makeAxis("x"), side: 0, size: 80 }, { ...makeAxis("y"), size: () => this.shown.left }],
      series: [{}, { show: false }],
      hooks: { draw: [(drawn) => {
        const { marks, across, x, y } = this.shown;
        paintTitle(drawn, across.label, this.style);
        if (across.isRatio) paintOne(drawn, this.style);
        paint(drawn, marks, x.place, y.place, this.style);
      }] },
    }, [this.shown.x.range, this.shown.y.range], this.box);
    plot.over.addEventListener("pointermove", (event) => { this.point(event); });
    plot.over.addEventListener("pointerdown", (event) => { this.point(event); });
    plot.over.addEventListener("pointerleave", () => { this.tell(null); });
    return plot;
  }

  point(event) {
    const { x, y, marks } = this.shown;
    const box = this.plot.over.getBoundingClientRect();
    let found = null;
    let nearest = NEAR;
    marks.forEach((mark) => {
      const aside = this.plot.valToPos(x.place(mark.x), "x") - (event.clientX - box.left);
      const above = this.plot.valToPos(y.place(mark.y), "y") - (event.clientY - box.top);
      const distance = Math.hypot(aside, above);
      if (distance < nearest) [found, nearest] = [mark, distance];
    });
    this.tell(found && this.picture.tell(found));
  }
}

// Numbers above nought on a scale of powers of two, which ratios are read by.
function spanNumbers(marks, format, most) {
  const low = Math.floor(Math.log2(Math.min(...marks.map((mark) => mark.low))) - 0.05);
  const high = Math.ceil(Math.log2(Math.max(...marks.map((mark) => mark.high))) + 0.05);
  const step = Math.max(1, Math.ceil((high - low) / most));
  const ticks = Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, place) => low + place * step);
  return { range: [low, high], ticks, labels: ticks.map((tick) => format(2 ** tick)), place: Math.log2 };
}

// Names from the top down, each on a line of its own.
function spanNames(names) {
  return { range: [-names.length + 0.5, 0.5], ticks: names.map((_, place) => -place), labels: [...names], place: (value) => -value };
}

// As wide as the longest label, and no wider than half of the chart: longer ones are cut.
function measure(labels, style, width) {
  ruler.font = style.font;
  const most = width / 2 - 20;
  labels.forEach((label, place) => {
    let text = label;
    while (text.length > 4 && ruler.measureText(text).width > most) text = `${text.slice(0, -2)}…`;
    labels[place] = text;
  });
  return Math.max(...labels.map((label) => ruler.measureText(label).width)) + 20;
}

function readStyle() {
  const found = getComputedStyle(document.body);
  const colour = (name) => found.getPropertyValue(`--chart-${name}`).trim();
  return {
    ink: colour("ink"), grid: colour("grid"), paper: colour("paper"), font: `12px ${found.getPropertyValue("--ui-font")}`,
    series: Array.from({ length: SERIES }, (_, place) => colour(`series-${place + 1}`)), muted: colour("muted"),
  };
}

function paint(plot, marks, placeX, placeY, style) {
  const context = plot.ctx;
  const scale = globalThis.devicePixelRatio || 1;
  const size = 4 * scale;
  context.save();
  context.lineWidth = 1.5 * scale;
  marks.forEach((mark) => {
    const x = plot.valToPos(placeX(mark.x), "x", true);
    const y = plot.valToPos(placeY(mark.y), "y", true);
    const colour = style.series[mark.series] || style.muted;
    context.strokeStyle = colour;
    if (mark.low < mark.high) {
      context.beginPath();
      context.moveTo(plot.valToPos(placeX(mark.low), "x", true), y);
      context.lineTo(plot.valToPos(placeX(mark.high), "x", true), y);
      context.stroke();
    }
    context.fillStyle = mark.series % 2 ? style.paper : colour;
    trace(context, SHAPES[mark.series] || "square", x, y, size);
    context.fill();
    context.stroke();
  });
  context.restore();
}

// What the numbers are, above the middle of their axis, or as near to it as the whole of it fits.
function paintTitle(plot, title, style) {
  const scale = globalThis.devicePixelRatio || 1;
  const { ctx: context, bbox } = plot;
  const { width } = context.canvas;
  context.save();
  context.font = style.font.replace(/[\d.]+/, (size) => size * scale);
  context.fillStyle = style.ink;
  context.textAlign = "center";
  context.textBaseline = "top";
  const half = Math.min(width, context.measureText(title).width) / 2;
  const middle = Math.max(half, Math.min(bbox.left + bbox.width / 2, width - half));
  context.fillText(title, middle, 8 * scale, width);
  context.restore();
}

// Where a ratio is 1, the same as the baseline: nought on the scale of powers.
function paintOne(plot, style) {
  const x = plot.valToPos(0, "x", true);
  const { top, height } = plot.bbox;
  plot.ctx.save();
  plot.ctx.strokeStyle = style.muted;
  plot.ctx.setLineDash([4, 4]);
  plot.ctx.beginPath();
  plot.ctx.moveTo(x, top);
  plot.ctx.lineTo(x, top + height);
  plot.ctx.stroke();
  plot.ctx.restore();
}

function trace(context, shape, x, y, size) {
  context.beginPath();
  if (shape === "circle") context.arc(x, y, size, 0, 2 * Math.PI);
  else if (shape === "square") context.rect(x - size, y - size, 2 * size, 2 * size);
  else {
    const corners = { diamond: [[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]], up: [[0, -1.2], [1.2, 1], [-1.2, 1]], down: [[0, 1.2], [1.2, -1], [-1.2, -1]] };
    corners[shape].forEach(([right, below]) => { context.lineTo(x + right * size, y + below * size); });
    context.closePath();
  }
}

// The class of the key that a legend shows for a series.
function nameKey(series) {
  if (series >= SERIES) return "key";
  const shape = SHAPES[series];
  return `key series-${series + 1}${shape === "square" ? "" : ` key-${shape}`}`;
}

// The picture: what of the rows the chart draws, along which axes, and what is said of it.

const LINES = 30;

// Marks with their axes, legend, title and notes; seconds that may not be shown are ratios instead.
function drawPicture(view) {
  const { rows, picked, measures, state } = view;
  const x = measures.includes(view.x) ? view.x : "speedup";
  const colours = rankColours(view);
  const drawn = drawMedians(view, x, colours);
  const places = { across: words.measure(x), down: words.column(state.y), n: drawn.marks.length };
  const title = words.fill("chart_title", places);
  return {
    ...drawn, title: title[0].toUpperCase() + title.slice(1), about: words.fill("chart", places),
    note: drawn.marks.length ? drawn.note : words.chart_nothing,
    across: { label: words.measure(x), format: (value) => words.format(x, value), isRatio: words.isRatio(x) },
    colours: colours.size || 1,
    legend: picked.length && rows.names[state.colour] ? makeLegend(view, colours) : [],
  };
}

// The first names of the dimension that colours tell, in their order; the others share one.
function rankColours({ rows, picked, state }) {
  const name = state.colour;
  if (!rows.names[name]) return new Map();
  return new Map(listPresent(rows, picked, name, words.compare).map((code, place) => [code, Math.min(place, SERIES)]));
}

function makeLegend({ rows, state }, colours) {
  const named = Array.from(colours).filter(([, series]) => series < SERIES);
  const items = named.map(([code, series]) => [words.value(state.colour, rows.names[state.colour][code]), series]);
  if (named.length < colours.size) items.push([words.chart_others, SERIES]);
  return items.map(([text, series]) => {
    const item = make("li");
    make("span", item, { class: nameKey(series), "aria-hidden": "true" });
    item.append(text);
    return item;
  });
}

// A mark for the rows of one line and colour.
function drawMedians({ rows, picked, state }, x, colours) {
  const { y } = state;
  const codes = listPresent(rows, picked, y, words.compare, rows.values[x]);
  const lines = new Map(codes.slice(0, LINES).map((code, place) => [code, place]));
  const dimensions = rows.names[state.colour] && state.colour !== y ? [y, state.colour] : [y];
  const bands = Math.min(colours.size, SERIES + 1);
  const marks = [];
  groupRows(rows, picked, dimensions).forEach((group) => {
    const line = lines.get(rows.codes[y][group[0]]);
    const found = line === undefined ? null : summarise(rows.values[x], group);
    if (!found || !(found.low > 0)) return;
    const series = findSeries(rows, state, colours, group[0]);
    const aside = dimensions.length > 1 && bands > 1 ? (series - (bands - 1) / 2) * (0.8 / bands) : 0;
    marks.push({ x: found.median, low: found.low, high: found.high, y: line + aside, series, row: group[0], count: group.length });
  });
  const tell = (mark) => `${describe(rows, dimensions, mark.row)}: ${words.format(x, mark.x)} (${words.fill("mark_rows", { n: mark.count })})`;
  const names = Array.from(lines.keys(), (code) => words.value(y, rows.names[y][code]));
  const some = codes.length > LINES ? ` ${words.fill("chart_some", { n: LINES, all: codes.length })}` : "";
  return { marks, tell, names, note: words.chart_median + some };
}

function findSeries(rows, state, colours, row) {
  return colours.size ? colours.get(rows.codes[state.colour][row]) : 0;
}

function describe(rows, dimensions, row) {
  return dimensions.map((name) => words.value(name, rows.names[name][rows.codes[name][row]])).join(", ");
}

// The table: a row a line or a group a line, a page at a time; its heads sort.

const PAGE = 25;

// Shows what is picked; what all rows have in common is said once, above.
function showTable(place, view) {
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

// The controls: selects and boxes to tick, which hand on what is chosen, and a file of the reader's own.

class Controls {
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

// The page: what is loaded, chosen and shown.
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
})();
