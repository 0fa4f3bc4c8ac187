// What a point of a chart says: to a pointer near it, to a finger, and to the arrow keys; Escape hides it.
(() => {
  var NEAR = 24; // pixels from a point that still mean it
  var tip = document.createElement("div"), shown = null;
  tip.className = "chart-tip"; tip.setAttribute("role", "status");

  function hide() {
    tip.classList.remove("chart-tip-shown");
    shown?.classList.remove("point-shown");
    shown = null;
  }

  function show(point) {
    if (point === shown) return;
    hide();
    shown = point;
    point.classList.add("point-shown");
    tip.textContent = point.dataset.tip;
    tip.classList.add("chart-tip-shown");
    place();
  }

  function place() {
    if (!shown) return;
    var box = shown.getBoundingClientRect(), own = tip.getBoundingClientRect();
    var left = Math.max(8, Math.min(box.left + box.width / 2 - own.width / 2, document.documentElement.clientWidth - own.width - 8));
    var top = box.top - own.height - 8;
    if (top < 64) top = box.bottom + 8; // below the header
    tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  function find(svg, event) {
    var hit = event.target.closest?.(".point");
    if (hit) return hit;
    var best = null, least = NEAR;
    svg.querySelectorAll(".point").forEach((point) => {
      var box = point.getBoundingClientRect();
      var far = Math.hypot(box.left + box.width / 2 - event.clientX, box.top + box.height / 2 - event.clientY);
      if (far < least) { least = far; best = point; }
    });
    return best;
  }

  function step(svg, key) {
    var points = [...svg.querySelectorAll(".point")], at = points.indexOf(shown);
    var to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: points.length - 1 }[key];
    if (at < 0 && to < 0) to = points.length - 1;
    if (points[to]) { points[to].scrollIntoView({ block: "nearest" }); show(points[to]); }
  }

  // Also in what was folded, once it has been filled.
  function prepare(root) {
    var pictures = [...root.querySelectorAll("figure.chart svg:has(.point):not([tabindex])")];
    if (pictures.length) document.body.append(tip);
    pictures.forEach((svg) => {
      var told = svg.parentElement.querySelectorAll("svg.wide .point"); // the narrow picture has none of its own
      svg.querySelectorAll(".point").forEach((point, place) => {
        var title = point.querySelector("title");
        point.dataset.tip = title ? title.textContent : told[place].dataset.tip;
        title?.remove(); // or the browser shows a second one
      });
      svg.tabIndex = 0;
      svg.setAttribute("aria-keyshortcuts", "ArrowRight ArrowLeft Home End Escape");
      ["pointermove", "pointerdown"].forEach((name) => {
        svg.addEventListener(name, (event) => {
          var point = find(svg, event);
          if (point) show(point); else hide();
        });
      });
      svg.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") hide(); });
      svg.addEventListener("blur", hide);
      svg.addEventListener("keydown", (event) => {
        if (event.key === "Escape") hide();
        else if (!event.shiftKey && /^(Arrow|Home|End)/.test(event.key)) { event.preventDefault(); step(svg, event.key); }
      });
    });
  }

  document.addEventListener("DOMContentLoaded", () => { prepare(document); });
  document.addEventListener("toggle", (event) => { prepare(event.target); }, true);
  addEventListener("scroll", place, { passive: true });
  addEventListener("pointerdown", (event) => { if (!event.target.closest?.("figure.chart svg")) hide(); });
})();

// Timelines are zoomed in time by buttons and keys, by Ctrl with the wheel and by two fingers; dragging moves what is zoomed.
(() => {
  var WIDTH = 1000, LEAST = 50, SHARES = [1, 2, 5, 10, 20, 50]; // of a picture, in its units; the parts of a tick's distance

  function prepare(figure) {
    var svgs = [...figure.querySelectorAll(".timeline-lanes svg")], axis = figure.querySelector(".timeline-axis"), last = axis.lastElementChild;
    var zero = +axis.dataset.zero, told = last.textContent.replace(",", "."), whole = parseFloat(last.getAttribute("x")) / 100 * WIDTH - zero, tick = whole / Math.max(1, axis.children.length - 1);
    var from = 0, span = WIDTH, fingers = new Map();

    function draw(start, length) {
      span = Math.min(WIDTH, Math.max(LEAST, length));
      from = Math.min(WIDTH - span, Math.max(0, start));
      var step = tick / SHARES.find((share) => span * share >= 2 * tick);
      var marks = Array.from({ length: Math.max(0, Math.floor((from + span - zero) / step) + 1) }, (_, place) => zero + place * step).filter((mark) => mark >= from);
      svgs.forEach((svg) => {
        var height = svg.viewBox.baseVal.height;
        svg.setAttribute("viewBox", `${from} 0 ${span} ${height}`);
        svg.querySelector(".g").setAttribute("d", marks.map((mark) => `M${mark} 0V${height}`).join(""));
      });
      marks = marks.filter((mark) => mark - from < 0.92 * span || step > 0.2 * span); // no room for more at the end
      axis.replaceChildren(...marks.map((mark, place) => {
        var label = last.cloneNode(), share = (mark - from) / span, unit = place === marks.length - 1 ? told.replace(/^[\d.]+/, "") : "";
        label.textContent = (+((mark - zero) / whole * parseFloat(told)).toPrecision(6)).toLocaleString(document.documentElement.lang) + unit;
        label.setAttribute("x", `${share * 100}%`);
        label.setAttribute("text-anchor", share < 0.02 ? "start" : share > 0.92 ? "end" : "middle");
        return label;
      }));
      figure.classList.toggle("timeline-zoomed", span < WIDTH);
      buttons.forEach((button) => { button.disabled = span === (button.value < 1 ? LEAST : WIDTH); });
    }

    function zoom(factor, at = 0.5) { draw(from + at * span * (1 - factor), span * factor); }
    var buttons = [...figure.querySelectorAll(".timeline-zoom button")];
    buttons.forEach((button) => { button.addEventListener("click", () => { zoom(button.value); }); });
    figure.querySelector(".timeline-zoom").classList.add("ready");
    svgs.forEach((svg) => {
      svg.setAttribute("aria-keyshortcuts", "ArrowRight ArrowLeft Home End Escape Plus - 0 Shift+ArrowRight Shift+ArrowLeft");
      var find = (x) => (x - svg.getBoundingClientRect().left) / svg.clientWidth;
      svg.addEventListener("wheel", (event) => {
        if (event.ctrlKey) { event.preventDefault(); zoom(event.deltaY < 0 ? 0.8 : 1.25, find(event.clientX)); }
      }, { passive: false });
      svg.addEventListener("keydown", (event) => {
        var factor = { "+": 0.5, "=": 0.5, "-": 2, 0: WIDTH }[event.key], way = event.shiftKey && { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (factor && !event.ctrlKey) zoom(factor); else if (way) draw(from + way * span / 4, span);
      });
      svg.addEventListener("pointerdown", (event) => { fingers.set(event.pointerId, event.clientX); });
      ["pointerup", "pointercancel", "pointerleave"].forEach((name) => { svg.addEventListener(name, (event) => { fingers.delete(event.pointerId); }); });
      svg.addEventListener("pointermove", (event) => {
        if (!fingers.has(event.pointerId)) return;
        var before = [...fingers.values()], moved = event.clientX - fingers.get(event.pointerId);
        var [a, b] = fingers.set(event.pointerId, event.clientX).values();
        if (b === undefined) draw(from - moved / svg.clientWidth * span, span);
        else zoom(Math.max(1, Math.abs(before[0] - before[1])) / Math.max(1, Math.abs(a - b)), find((a + b) / 2));
      });
    });
  }

  function prepareAll(root) { root.querySelectorAll("figure.timeline:has(.timeline-zoom:not(.ready))").forEach(prepare); }
  ["DOMContentLoaded", "toggle"].forEach((name) => { document.addEventListener(name, (event) => { prepareAll(event.target); }, true); });
})();
