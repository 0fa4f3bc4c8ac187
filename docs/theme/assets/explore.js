// Explore: all rows of all machines, picked, compared, ordered and drawn; what is chosen is kept in the address.
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
const rough = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 });
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
  // A sentence with its places filled; numbers as the language writes them.
  fill(key, places) {
    const text = Object.hasOwn(told, key) ? told[key] : key;
    return text.replace(/\{(\w+)\}/g, (_, name) => (typeof places[name] === "number" ? plain.format(places[name]) : places[name]));
  },
  // A number of a measure in its unit.
  format: (measure, value) => FORMATS[told.measures[measure]?.[1] ?? "ratio"](value),
  tell: (measure, value) => (words.unit(measure) === "ratio" ? `×${rough.format(value)}` : words.format(measure, value)),
  unit: (measure) => told.measures[measure]?.[1] ?? "ratio",
  compared: "", // what a comparison is of
  measure: (name) => told.measures[name]?.[0] ?? words.compared,
  divided: (name) => (name === "speedup" ? told.time : told.measures[name][0]), // what a comparison divides
  side: (dimension, name) => (dimension === "gil" ? { on: words.gil_on, off: words.gil_off }[name] : words.value(dimension, name)),
  dimension: (name) => told.dimensions[name],
  column: (name) => told.measures[name]?.[0] ?? told.dimensions[name],
  // A name of a dimension as people say it.
  value(dimension, name) {
    if (dimension === "kind") return name.split(" + ").map((one) => find(told.values.kind, one)).join(" + ") || told.none;
    if (dimension === "interpreter") return name.replace("cpython-", "");
    const title = find(told.values[dimension], name);
    if (dimension !== "program" && dimension !== "family") return title || told.none;
    const [experiment, file] = name.split(/\/(.*)/);
    const short = title === name ? file : title;
    return state.experiment === EVERY ? `${words.value("experiment", experiment)}: ${short}` : short;
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

// Rows in columns: joined from parts, picked by filters, ordered, compared. Nothing here knows the page.

// What rows are told apart by, and what goes along with some of it: other cores, other numbers of workers.
const CELL = ["gil", "interpreter", "machine", "cores", "workers", "tasks", "start_method", "program", "family", "experiment", "profile"];
const ALONG = { program: ["start_method", "workers"], machine: ["cores", "workers"], interpreter: ["gil", "start_method"], gil: ["interpreter", "start_method"], cores: ["workers"], tasks: ["workers"] };
const NUMBERS = ["cores", "workers", "tasks"];
// What a comparison divides in place of a ratio to the baseline: the first that both rows have.
const TIMES = { speedup: ["inside_s", "wall_s"], cpu_ratio: ["cpu_s"] };

// Of several parts one table: each dimension has its names once, and a code for each row.
function joinParts(parts, dimensions, measures) {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const rows = { count, names: {}, codes: {}, values: {}, sorted: {}, versions: [] };
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
  // A build without the GIL is of the version of that with it, however either was built.
  const versions = rows.names.interpreter.map((name) => name.replace(/t?(-[0-9a-f]{6})?$/, ""));
  rows.versions = Array.from(rows.codes.interpreter, (code) => versions[code]);
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
    const [codes, allowed] = [rows.codes[dimension], rows.names[dimension].map((name) => wanted.has(name))];
    picked = picked.filter((row) => allowed[codes[row]]);
  });
  return picked;
}

// Rows that are alike in all but one dimension, by their code in it.
function matchRows(rows, picked, dimension) {
  const same = CELL.filter((name) => name !== dimension && !ALONG[dimension]?.includes(name)).map((name) => rows.codes[name]);
  if (dimension === "gil") same.push(rows.versions);
  const cells = new Map();
  picked.forEach((row) => {
    const key = same.map((column) => column[row]).join();
    if (!cells.has(key)) cells.set(key, new Map());
    const [cell, code] = [cells.get(key), rows.codes[dimension][row]];
    cell.set(code, cell.has(code) ? -1 : row); // of two nobody knows which
  });
  return Array.from(cells.values());
}

// How many times as much of a measure a row has as another; nothing where one of them lacks it.
function divideRows(rows, x, row, other) {
  const names = TIMES[x] ?? [x];
  return names.map((name) => rows.values[name][row] / rows.values[name][other]).find(Number.isFinite);
}

// The pairs of names in a dimension that some rows differ by alone, the later ÷ the earlier, and how many rows.
function listPairs(rows, picked, dimension, x, compare) {
  const ranks = [];
  sortNames(rows, dimension, compare).forEach((code, rank) => { ranks[code] = dimension === "gil" ? -rank : rank; });
  const counts = new Map();
  matchRows(rows, picked, dimension).forEach((cell) => {
    cell.forEach((row, a) => {
      cell.forEach((other, b) => {
        if (ranks[a] <= ranks[b] || divideRows(rows, x, row, other) === undefined) return;
        const key = ranks[a] * ranks.length + ranks[b];
        const [nameA, nameB] = [rows.names[dimension][a], rows.names[dimension][b]];
        counts.set(key, { compare: dimension, a: nameA, b: nameB, n: (counts.get(key)?.n ?? 0) + 1 });
      });
    });
  });
  return Array.from(counts.keys()).sort((one, other) => one - other).map((key) => counts.get(key));
}

// Of rows picked those that have one name in a dimension and a partner with the other; how many times as much of a
// measure they have becomes a measure of its own.
function compareRows(rows, picked, { compare, a, b, x }) {
  const [mine, theirs] = [a, b].map((name) => rows.names[compare].indexOf(name));
  const compared = new Float64Array(rows.count).fill(Number.NaN);
  matchRows(rows, picked, compare).forEach((cell) => {
    const row = cell.get(mine);
    if (row >= 0) compared[row] = divideRows(rows, x, row, cell.get(theirs));
  });
  rows.values.compared = compared;
  return picked.filter((row) => Number.isFinite(compared[row]));
}

// The dimensions in which rows differ.
function findVarying(rows, picked) {
  return Object.keys(rows.codes).filter((name) => picked.some((row) => rows.codes[name][row] !== rows.codes[name][picked[0]]));
}

// Rows by what they have in some dimensions, in the order of their codes.
function groupRows(rows, picked, dimensions) {
  const groups = new Map();
  picked.forEach((row) => {
    const key = dimensions.map((name) => String(rows.codes[name][row]).padStart(6, "0")).join();
    if (groups.has(key)) groups.get(key).push(row);
    else groups.set(key, [row]);
  });
  return Array.from(groups.keys()).sort().map((key) => groups.get(key));
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
  const found = Float64Array.from(places, (row) => values[row]).filter((value) => !Number.isNaN(value)).sort();
  return found.length ? { median: findMedian(found), low: found[0], high: found.at(-1) } : null;
}

// Of numbers in ascending order.
function findMedian(sorted) {
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// What is chosen, as it stands in the address: what is left out there is as it is at first.

const KEPT = Object.keys(words.dimensions).filter((name) => name !== "source" && name !== "experiment");
const PLAIN = { compare: "", a: "", b: "", sort: "", x: "speedup", y: "program", page: 1 };
const EVERY = "*";

// A state: an experiment (or * for all), sets of names by dimension, and what `PLAIN` has. Unless told otherwise it
// is of one family on all cores, as families and cores have no common median; * stands for all names.
function readState(index) {
  const query = new URLSearchParams(location.search);
  const known = (name, possible) => (possible.includes(query.get(name)) ? query.get(name) : PLAIN[name]);
  const [dimensions, measures] = [Object.keys(words.dimensions), Object.keys(words.measures)];
  const sorts = [...dimensions, ...measures, "compared"];
  const experiments = Object.keys(index.experiments);
  const asked = query.get("experiment");
  const experiment = asked === "*" || experiments.includes(asked) ? asked : findFirst(index);
  const filters = beginWith(index, experiment);
  KEPT.filter((name) => query.has(name)).forEach((name) => { filters.set(name, new Set(query.getAll(name))); });
  filters.forEach((names, name) => { if (names.has(EVERY)) filters.delete(name); });
  return {
    experiment, filters,
    compare: known("compare", CELL), a: query.get("a") ?? "", b: query.get("b") ?? "",
    sort: known("sort", [...sorts, ...sorts.map((name) => `-${name}`)]),
    x: known("x", measures),
    y: known("y", dimensions),
    page: Math.max(1, Number.parseInt(query.get("page"), 10) || 1),
  };
}

function writeState(state, index) {
  const query = new URLSearchParams();
  if (state.experiment !== findFirst(index)) query.set("experiment", state.experiment);
  const begun = keepKnown(beginWith(index, state.experiment));
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

// A file, as a part; throws why it is not shown. `index` is that of the site: what it declares.
async function readPart(file, index) {
  const document = await file.text().then(JSON.parse).catch(() => { throw new Error(words.json); });
  const rows = document?.rows;
  if (!Array.isArray(rows) || !rows.length) throw new Error(words.schema);
  const strange = rows.findIndex((row) => !isRow(row));
  if (strange >= 0) throw new Error(words.fill("row", { row: strange + 1 }));
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
  const name = (dimension) => (row) => `${row.experiment}/${row[dimension]}`;
  const columns = { kind, outdated: () => "no", source: () => "file", program: name("program"), family: name("family") };
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
      const y = spanNames(names);
      const room = names.length * Math.max(22, ROOM * Math.min(colours, SERIES));
      const left = measure(y.labels, this.style, this.width);
      const x = spanNumbers(marks, across, Math.min(10, Math.max(2, (this.width - left) / 45)));
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
      axes: [{ ...makeAxis("x"), side: 0, size: 54 }, { ...makeAxis("y"), size: () => this.shown.left }],
      series: [{}, { show: false }],
      hooks: { draw: [(drawn) => {
        const { marks, across, x, y } = this.shown;
        paintTitle(drawn, across.label, this.style);
        if (across.unit === "ratio") paintOne(drawn, x.place(1), this.style);
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

// Numbers above nought on a scale that fits them, of powers where they differ a lot; ratios are seen from 1.
function spanNumbers(marks, { format, unit }, most) {
  const ends = marks.flatMap((mark) => [mark.low, mark.high]).concat(unit === "ratio" ? 1 : []);
  const isWide = Math.max(...ends) / Math.min(...ends) > 8;
  const [place, read] = isWide ? [Math.log10, (value) => 10 ** value] : [(value) => value, (value) => value];
  const [low, high] = [Math.min(...ends), Math.max(...ends)].map(place);
  const margin = (high - low) * 0.04 || Math.abs(high) * 0.1 || 1;
  const range = [low - margin, high + margin];
  const size = unit === "bytes" ? MIB : 1;
  const [first, last] = range.map((end) => read(end) / size);
  const ticks = (isWide ? listPowers : listSteps)(first, last, most).map((tick) => tick * size);
  return { range, ticks: ticks.map(place), labels: ticks.map(format), place };
}

// 1, 2, 5, 10 …; where these are too many, every other.
function listPowers(low, high, most) {
  let ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1) ticks.push(...[1, 2, 5].map((digit) => Number(`${digit}e${power}`)));
  ticks = ticks.filter((tick) => tick >= low && tick <= high);
  while (ticks.length > most) ticks = ticks.filter((_, place) => place % 2 === 0);
  return ticks;
}

function listSteps(low, high, most) {
  const power = 10 ** Math.floor(Math.log10((high - low) / most));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => (high - low) / size <= most);
  const ticks = [];
  for (let tick = Math.ceil(low / step); tick * step <= high; tick += 1) ticks.push(Number((tick * step).toPrecision(6)));
  return ticks;
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

// Where a ratio is 1: the same.
function paintOne(plot, place, style) {
  const x = plot.valToPos(place, "x", true);
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
const COLOURS = ["interpreter", "machine", "cores", "workers", "tasks"]; // what colours tell: the first that differs

// Marks with their axes, legend, title and notes.
function drawPicture(view) {
  const { varying, state, x } = view;
  const colour = COLOURS.find((name) => varying.includes(name) && name !== state.y);
  const colours = rankColours(view, colour);
  const drawn = drawMedians(view, colour, colours);
  const title = drawn.marks.length ? tellFinding(view, colour, drawn.marks) : words.chart_nothing;
  return {
    ...drawn, title, about: `${title} ${words.fill("chart", { n: drawn.marks.length })}`,
    across: { label: words.measure(x), format: (value) => words.format(x, value), unit: words.unit(x) },
    colours: colours.size || 1,
    legend: colours.size > 1 ? makeLegend(view, colour, colours) : [],
  };
}

// What the picture shows, in a sentence.
function tellFinding({ rows, picked, state, x }, colour, marks) {
  const { compare, a, b, y } = state;
  const sorted = Array.from(marks).sort((one, other) => one.x - other.x);
  const [least, most] = [sorted[0], sorted.at(-1)];
  const isOne = rows.codes[y][least.row] === rows.codes[y][most.row];
  const name = (mark) => describe(rows, isOne && colour ? [colour] : [y], mark.row);
  let places = { least: name(least), most: name(most), low: words.tell(x, least.x), high: words.tell(x, most.x) };
  let key = "extremes";
  if (compare) {
    const { median, low, high } = summarise(rows.values[x], picked);
        const [value, lowest, highest] = [median, low, high].map((ratio) => rough.format(ratio));
    const isNumber = NUMBERS.includes(compare);
    places = { value, low: lowest, high: highest, n: picked.length, dimension: isNumber ? `${words.dimension(compare)} ` : "" };
    [places.a, places.b] = [a, b].map((side) => words.side(compare, side));
    key = isNumber || state.x !== "speedup" ? "divides" : value === "1" ? "alike" : "takes";
  } else if (places.low === places.high) key = "single";
  const text = words.fill(key, { ...places, measure: compare ? words.divided(state.x) : words.measure(x) });
  const sentence = compare && picked.length > 1 ? `${text} ${words.fill("spread", places)}` : text;
  return sentence.replace(/^\p{L}(?=\p{L}*[ ,])/u, (letter) => letter.toUpperCase()); // no name in code
}

// The first names of the dimension that colours tell, in their order; the others share one.
function rankColours({ rows, picked }, name) {
  if (!name) return new Map();
  return new Map(listPresent(rows, picked, name, words.compare).map((code, place) => [code, Math.min(place, SERIES)]));
}

function makeLegend({ rows }, colour, colours) {
  const named = Array.from(colours).filter(([, series]) => series < SERIES);
  const items = named.map(([code, series]) => [words.value(colour, rows.names[colour][code]), series]);
  if (named.length < colours.size) items.push([words.chart_others, SERIES]);
  return items.map(([text, series]) => {
    const item = make("li");
    make("span", item, { class: nameKey(series), "aria-hidden": "true" });
    item.append(text);
    return item;
  });
}

// A mark for the rows of one line and colour.
function drawMedians({ rows, picked, state, x }, colour, colours) {
  const { y } = state;
  const codes = listPresent(rows, picked, y, words.compare, rows.values[x]);
  const lines = new Map(codes.slice(0, LINES).map((code, place) => [code, place]));
  const dimensions = colour ? [y, colour] : [y];
  const bands = Math.min(colours.size, SERIES + 1);
  const marks = [];
  groupRows(rows, picked, dimensions).forEach((group) => {
    const line = lines.get(rows.codes[y][group[0]]);
    const found = line === undefined ? null : summarise(rows.values[x], group);
    if (!found || !(found.low > 0)) return;
    const series = colour ? colours.get(rows.codes[colour][group[0]]) : 0;
    const aside = dimensions.length > 1 && bands > 1 ? (series - (bands - 1) / 2) * (0.8 / bands) : 0;
    marks.push({ x: found.median, low: found.low, high: found.high, y: line + aside, series, row: group[0], count: group.length });
  });
  const tell = (mark) => `${describe(rows, dimensions, mark.row)}: ${words.format(x, mark.x)} (${words.fill("mark_rows", { n: mark.count })})`;
  const names = Array.from(lines.keys(), (code) => words.value(y, rows.names[y][code]));
  const some = codes.length > LINES ? ` ${words.fill("chart_some", { n: LINES, all: codes.length })}` : "";
  const isOne = marks.every((mark) => mark.count === 1);
  return { marks, tell, names, note: (isOne ? words.chart_one : words.chart_median) + some };
}

function describe(rows, dimensions, row) {
  return dimensions.map((name) => words.value(name, rows.names[name][rows.codes[name][row]])).join(", ");
}

// The table: a row a line, a page at a time; its heads sort.

const PAGE = 25;

// Shows what is picked; what all rows have in common is said once, above.
function showTable(place, view) {
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const { picked, state } = view;
  place.replaceChildren();
  if (!picked.length) return;
  const count = picked.length;
  const pages = Math.ceil(count / PAGE);
  const page = Math.min(state.page, pages);
  const first = (page - 1) * PAGE;
  const columns = listColumns(view);
  const box = make("div", place, { class: "measured-scroll", role: "region", tabindex: "0", "aria-label": words.table });
  const table = make("table", box, { class: "measured explore-rows" });
  make("caption", table, {}, tellCommon(view));
  const head = make("tr", make("thead", table));
  columns.forEach((column) => { addHead(head, column, view); });
  const body = make("tbody", table);
  picked.slice(first, first + PAGE).forEach((row) => { addLine(body, columns, row); });
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

function addLine(body, columns, row) {
  const line = make("tr", body);
  columns.forEach((column, place) => {
    const told = column.tell(row);
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
    ["experiment", "family", "compare", "x"].forEach((name) => { this.addSelect(chosen, name); });
    const more = make("details", this.form, { class: "explore-more" });
    this.summary = make("summary", more);
    this.facets = make("div", more, { class: "explore-facets", role: "group", "aria-label": words.filters });
    this.addSelect(make("div", more, { class: "explore-selects" }), "y");
    const reset = make("button", more, { type: "button", class: "explore-button" }, words.reset);
    reset.addEventListener("click", () => { hands.change(forget(this.state, this.index)); });
  }

  addSelect(parent, name) {
    const titles = { experiment: words.experiment, family: words.family, compare: words.comparison, x: words.across, y: words.down };
    const label = make("label", parent, {}, titles[name]);
    const select = make("select", label, { name });
    select.addEventListener("change", () => {
      const next = { ...this.state, filters: new Map(this.state.filters), page: 1 };
      if (name === "family") {
        if (select.value === EVERY) next.filters.delete(name);
        else next.filters.set(name, new Set([select.value]));
      } else if (name === "compare") {
        [next.compare, next.a, next.b] = JSON.parse(select.value);
      } else {
        next[name] = select.value;
        if (name === "experiment") next.filters = beginWith(this.index, select.value);
      }
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

  tell(error) { this.error.textContent = error; }

  // `seen` is what the chart shows where it can't show what is asked for.
  show({ state, seen, rows, index, own, pairs, measures }) {
    this.state = state;
    this.index = index;
    this.form.hidden = !rows.count;
    if (this.rows !== rows) {
      this.rows = rows;
      this.fillSelects();
      this.fillFacets(own);
    }
    this.fillComparisons(pairs);
    this.selects.family.parentNode.hidden = rows.names.family.length < 2 || state.compare === "family";
    fill(this.selects.x, measures);
    const [family, ...others] = state.filters.get("family") ?? [EVERY];
    const compare = JSON.stringify([state.compare, state.a, state.b]);
    const values = { ...state, ...seen, compare, family: others.length ? "" : family };
    Object.entries(this.selects).forEach(([name, select]) => { select.value = values[name]; });
    this.facets.querySelectorAll("details").forEach((facet) => { this.tickFacet(facet); });
    const chosen = Array.from(this.facets.querySelectorAll(".explore-chosen:not([hidden]) > summary"), (facet) => facet.textContent);
    this.summary.textContent = [words.filters, ...chosen].join(" · ");
    this.shown.hidden = !own;
    if (own) this.shownText.textContent = words.fill("own_shown", { name: own.name, n: own.part.count });
  }

  // Only pairs that some rows differ by, with how many these are.
  fillComparisons(pairs) {
    const { compare } = this.selects;
    fill(compare, [[JSON.stringify(["", "", ""]), words.no_compare]]);
    let group;
    pairs.forEach(({ compare: name, a, b, n }) => {
      const label = words.dimension(name);
      if (group?.label !== label) group = make("optgroup", compare, { label });
      const text = words.fill("pair", { a: words.value(name, a), b: words.value(name, b), n });
      const isBare = name === "gil" || NUMBERS.includes(name);
      make("option", group, { value: JSON.stringify([name, a, b]) }, isBare ? `${label}: ${text}` : text);
    });
  }

  fillSelects() {
    const names = Object.keys(this.index.experiments);
    const experiments = names.map((name) => [name, words.value("experiment", name)]);
    const families = sortNames(this.rows, "family", words.compare).map((code) => this.rows.names.family[code]);
    fill(this.selects.experiment, [...experiments, [EVERY, words.every]]);
    fill(this.selects.family, [[EVERY, words.facet_all], ...families.map((name) => [name, words.value("family", name)])]);
    fill(this.selects.y, Object.keys(words.dimensions).map((name) => [name, words.dimension(name)]));
  }

  fillFacets(own) {
    const open = new Set(Array.from(this.facets.querySelectorAll("details[open]"), (one) => one.dataset.name));
    const isOffered = (name) => this.rows.names[name].length > 1 && name !== "family" && (name !== "experiment" || own);
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
    const some = wanted?.size === 1 ? words.value(name, Array.from(wanted)[0]) : words.fill("facet_some", places);
    const summary = `${words.dimension(name)}: ${wanted ? some : words.facet_all}`;
    if (facet.firstChild.textContent !== summary) facet.firstChild.textContent = summary;
    facet.hidden = name === this.state.compare;
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
const status = make("p", place, { class: "explore-status", role: "status" });
const table = make("div", place, { class: "explore-table" });
controls.addFile(place);

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
    const { program, family } = part.dimensions; // what has a name of its experiment's own
    [program, family].forEach((column) => { column.values = column.values.map((value) => `${name}/${value}`); });
    Object.assign(part.dimensions, { experiment: { values: [name], codes: [] }, source: SITE });
    loaded.set(name, part);
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
  if (!gathered && (!rows || before?.experiment !== state.experiment)) {
    status.textContent = words.loading;
    try { await gather(); } catch (_) { fail(); return; }
    if (mine !== latest) return;
  }
  const pairs = normalise();
  if (push) writeState(state, index);
  const picked = state.compare ? compare(state.x) : null;
  if (order?.key !== state.sort || picked) order = { key: state.sort, rows: sort() };
  show(filter(order.rows).filter((row) => !picked || picked.has(row)), pairs);
}

// Makes of what is asked for what there is, and lists the comparisons that have rows.
function normalise() {
  state = { ...state, filters: keepKnown(state.filters) };
  if (!rows.measures.includes(state.x)) state.x = PLAIN.x;
  if (state.compare && state.x === "cpu_ratio") state.x = "cpu_s";
  const pairs = CELL.filter((name) => rows.names[name].length > 1).flatMap((name) => listPairs(rows, filter(every(), name), name, state.x, words.compare));
  const alike = pairs.filter((pair) => pair.compare === state.compare);
  const asked = alike.find(({ a, b }) => [state.a, state.b].includes(a) && [state.a, state.b].includes(b));
  const { compare, a, b } = asked ?? alike.sort((one, other) => other.n - one.n)[0] ?? PLAIN;
  state = { ...state, compare, a, b };
  return pairs;
}

// Of rows those that pass the filters, but that of the dimension that is compared by.
function filter(rowsInOrder, compared = state.compare) {
  const filters = Array.from(state.filters).filter(([name]) => name !== compared);
  return pickRows(rows, rowsInOrder, new Map(filters));
}

function every() { return Uint32Array.from({ length: rows.count }, (_, row) => row); }

// A name that no row has, of an address from elsewhere, asks for nothing; one without its experiment is of any.
function keepKnown(filters) {
  const kept = Array.from(filters, ([name, wanted]) => [name, rows.names[name].filter((one) => wanted.has(one) || wanted.has(one.replace(/^[^/]*\//, "")))]);
  return new Map(kept.filter(([, wanted]) => wanted.length).map(([name, wanted]) => [name, new Set(wanted)]));
}

// The rows of the comparison that have a partner with a measure.
function compare(x) {
  return new Set(compareRows(rows, filter(every()), { ...state, x }));
}

// The measures to choose from, with their names: those of which there is anything.
function listMeasures() {
  const known = Object.keys(words.measures).filter((name) => rows.measures.includes(name));
  if (!state.compare) return known.map((name) => [name, words.measure(name)]);
  const divided = known.filter((name) => name === "speedup" || (name !== "cpu_ratio" && compare(name).size));
  compare(state.x);
  return divided.map((name) => [name, words.divided(name)]);
}

function sort() {
  const descending = state.sort.startsWith("-");
  return orderRows(rows, state.sort.replace(/^-/, ""), descending, words.compare);
}

function show(picked, pairs) {
  const varying = findVarying(rows, picked);
  const isAlone = picked.length > 0 && !varying.includes("machine");
  // One line tells nothing: what differs is told apart by lines, before it is by colours.
  const y = [state.y, ...COLOURS].find((name) => varying.includes(name)) ?? state.y;
  const measures = state.compare ? ["compared"] : Object.keys(words.measures).filter((name) => isAlone || !isSeconds(name));
  const has = (name) => measures.includes(name) && picked.some((row) => rows.values[name][row] > 0);
  const x = ["compared", state.x, "speedup", "inside_s", "wall_s"].find(has) ?? "speedup";
  if (state.compare) words.compared = `${words.value(state.compare, state.a)} ÷ ${words.value(state.compare, state.b)}: ${words.divided(state.x)}`;
  controls.show({ state, seen: { x: state.compare ? state.x : x, y }, rows, index, own, pairs, measures: listMeasures() });
  tellStatus(picked, isAlone);
  showTable(table, { rows, picked, varying, measures, x, state, change });
  const picture = drawPicture({ rows, picked, varying, x, state: { ...state, y } });
  figure.hidden = !rows.count;
  caption.textContent = picture.title;
  box.setAttribute("aria-label", picture.about);
  hint.dataset.note = hint.textContent = picture.note;
  legend.replaceChildren(...picture.legend);
  chart.show(picture);
}

function tellStatus(picked, isAlone) {
  const text = rows.count ? `${words.fill("shown", { shown: picked.length, all: rows.count })}.` : words.nothing;
  const wanted = [state.x, state.sort.replace(/^-/, "")].some(isSeconds);
  status.textContent = rows.count && !isAlone && wanted && !state.compare ? `${text} ${words.one_machine}` : text;
}

async function openFile(file) {
  controls.tell("");
  if (!index) { controls.tell(words.absent); return; }
  try {
    own = { part: await readPart(file, index), name: file.name };
  } catch (error) {
    controls.tell(words.fill("refused", { name: file.name, reason: error.message }));
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
