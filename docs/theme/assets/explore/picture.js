// The picture: what of the rows the chart draws, along which axes, and what is said of it.
import { nameKey, SERIES } from "./chart.js";
import { groupRows, listPresent, summarise } from "./rows.js";
import { make, words } from "./words.js";

const LINES = 30;

// Marks with their axes, legend, title and notes; seconds that may not be shown are ratios instead.
export function drawPicture(view) {
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
