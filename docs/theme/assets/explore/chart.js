// The chart: marks along two axes, drawn by uPlot's scales, in the colours and shapes of the site's charts.
export const SERIES = 7;
const SHAPES = ["square", "circle", "diamond", "up", "down", "square", "circle"];
const ROOM = 10; // pixels of height for a mark of one colour
const NEAR = 12; // pixels within which a mark is pointed at
const ruler = document.createElement("canvas").getContext("2d");

// Draws marks into a box in the next frame, and anew at each change of width or colours. `tell` gets what is said of the
// mark pointed at, or nothing; `done` is called when it is drawn.
// A picture: `marks` of {x, low, high, y, series}, which it tells as text; what is `across`, and from the top down `names`.
export class Chart {
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
export function nameKey(series) {
  if (series >= SERIES) return "key";
  const shape = SHAPES[series];
  return `key series-${series + 1}${shape === "square" ? "" : ` key-${shape}`}`;
}
