// Scenes: the build draws the last picture of a play; this covers what has not happened yet. What is seen is a
// function of the trace, the moment and the guess, so playing, stepping and dragging agree.
(() => {
  var WHOLE_MS = 9000, SLOW = 4; // how long a play takes, and how many times as long it takes slowly
  var isStill = matchMedia("(prefers-reduced-motion: reduce)");
  var SVG = "http://www.w3.org/2000/svg", LANE = 26, BAR = 20;

  function make(name, parent, attributes, text) {
    var element = document.createElementNS(SVG, name);
    Object.entries(attributes).forEach(([key, value]) => { element.setAttribute(key, value); });
    if (text) element.textContent = text;
    parent.append(element);
    return element;
  }

  function prepare(figure) {
    var trace = JSON.parse(figure.querySelector(".scene-trace").textContent);
    var { left, right, end, per, unit } = trace.axis;
    var svg = figure.querySelector(".scene-picture"), form = figure.querySelector("fieldset"), now = figure.querySelector(".scene-now p");
    var range = figure.querySelector('[type="range"]'), slow = figure.querySelector('[type="checkbox"]'), clock = figure.querySelector("output");
    var [back, play, forth] = figure.querySelectorAll("button");
    var bottom = svg.viewBox.baseVal.height - 32;
    var table = figure.parentElement.querySelector(".scene-steps"), rows = [...(table?.querySelectorAll("tbody tr") || [])];
    var titles = [...svg.querySelectorAll("text.name")].map((name, _, all) => (all.length > 1 ? `${name.textContent} \u2014 ` : ""));
    var names = [...svg.querySelectorAll("text.lane")];
    var steps = [...new Set([0, ...trace.marks.map((mark) => mark[0]), end])].sort((a, b) => a - b);
    var count = new Intl.NumberFormat(document.documentElement.lang, { maximumSignificantDigits: 3 });
    var key = figure.id, moment = 0, guess = null, frame = 0, last = 0;
    var bars = trace.panels.map(([top, below]) => [top + 20, below - 6]);
    var find = (us) => left + (right - left) * us / end;
    var cover = make("path", svg, { class: "scene-cover" });
    var flag = make("g", svg, { class: "scene-flag" });
    var head = make("path", svg, { class: "scene-head" });
    var tokens = make("g", svg, { class: "scene-tokens" });

    // The whole picture: of the trace, the moment and the guess, and of nothing else.
    function draw() {
      var x = find(moment), isOver = moment >= end, isGuessed = guess !== null;
      cover.setAttribute("d", isOver ? "" : trace.lanes.map((top) => `M${x} ${top}H420v${LANE}H${x}z`).join(""));
      head.setAttribute("d", isOver || !isGuessed ? "" : bars.map(([top, below]) => `M${x} ${top}V${below}`).join(""));
      var held = isOver || !isGuessed ? [] : trace.events.filter(([, begin, until, name]) => name && begin <= moment && moment < until);
      tokens.replaceChildren();
      held.forEach(([lane, , , name]) => { drawToken(x, trace.lanes[lane], name); });
      if (isGuessed && !isOver) trace.panels.forEach((panel) => { drawFree(panel, held); });
      names.forEach((name) => { name.classList.toggle("lane-on", held.some(([lane]) => Math.abs(trace.lanes[lane] + 17 - name.getAttribute("y")) < 1)); });
      flag.replaceChildren();
      var at = trace.guess.at[guess - 1];
      if (at !== undefined) {
        make("path", flag, { d: bars.map(([top, below]) => `M${find(at)} ${top}V${below}`).join("") });
        nameFlag(find(at));
      }
      var marks = trace.marks.filter(([at]) => at <= moment), latest = marks.at(-1)?.[0];
      rows.forEach((row, place) => { row.classList.toggle("scene-here", isGuessed && trace.marks[place][0] === latest); });
      var said = titles.map((title, number) => title + (marks.findLast((mark) => mark[1] === number)?.[2] || "")).join("\n");
      if (isOver) said = now.dataset[guess === trace.guess.right ? "right" : guess ? "wrong" : "unsure"];
      if (isOver && guess && guess !== trace.guess.right) said += ` ${form.querySelector(":checked").parentElement.textContent.trim()}`;
      if (moment === 0) said = now.dataset[!isGuessed ? "first" : isStill.matches ? "still" : "ready"];
      now.setAttribute("aria-live", frame ? "off" : "polite"); // a play says too much to be read out
      if (now.textContent !== said) now.textContent = said;
      [play, back, forth, range].forEach((control) => { control.disabled = !isGuessed; });
      back.disabled ||= moment <= 0;
      forth.disabled ||= isOver;
      if (document.activeElement.disabled && figure.contains(document.activeElement)) range.focus({ preventScroll: true }); // keys still work
      play.textContent = play.dataset[frame ? "pause" : "play"];
      range.value = moment;
      clock.textContent = unit ? count.format(moment / per) + unit : `${Math.floor(moment / per)} / ${end / per}`;
      range.setAttribute("aria-valuetext", clock.textContent);
      figure.classList.toggle("scene-over", isOver);
    }

    function nameFlag(x) {
      var isLate = x > 240; // no room for the words at its right
      var words = isLate ? `${now.dataset.yours} \u25b2` : `\u25b2 ${now.dataset.yours}`;
      make("text", flag, { class: isLate ? "right" : "left", x: x + (isLate ? 5 : -5), y: bottom + 26 }, words);
    }

    // What nobody has lies in the head of its panel.
    function drawFree([top, below, shared], held) {
      var taken = held.filter(([lane]) => top <= trace.lanes[lane] && trace.lanes[lane] < below).map((event) => event[3]);
      var x = 360;
      shared.filter((name) => !taken.includes(name)).reverse().forEach((name) => {
        x -= measure(name) + 4;
        drawToken(x, top - 3, name, " scene-free");
      });
    }

    var measure = (name) => 8 + 6.2 * name.length;

    function drawToken(x, top, name, kind = "") {
      var width = measure(name), middle = Math.min(x + width / 2 + 2, 360 - width / 2), group = make("g", tokens, { class: `scene-token${kind}` });
      make("rect", group, { x: middle - width / 2, y: top + (LANE - BAR) / 2 + 3, width, height: BAR - 6, rx: 4 });
      make("text", group, { x: middle, y: top + LANE / 2 + 3.5 }, name);
    }

    function go(to) {
      moment = Math.min(end, Math.max(0, to));
      draw();
    }

    function stop() {
      if (!frame) return;
      cancelAnimationFrame(frame);
      frame = 0;
      moment = Math.round(moment); // as the address has it
      draw();
      keep();
    }

    function run(time) {
      var length = WHOLE_MS * (slow.checked ? SLOW : 1);
      moment = Math.max(0, Math.min(end, moment + Math.min(100, time - last) / length * end));
      last = time;
      if (moment >= end) return stop();
      frame = requestAnimationFrame(run);
      draw();
    }

    function toggle() {
      if (frame) return stop();
      if (isStill.matches) return;
      if (moment >= end) moment = 0;
      last = performance.now();
      frame = requestAnimationFrame(run);
      draw();
    }

    function step(way) {
      stop();
      var to = way > 0 ? steps.find((at) => at > moment) : steps.findLast((at) => at < moment);
      go(to ?? moment);
      keep();
    }

    // The guess, the moment and the picture stand in the address, so that it can be linked as it is, from a fold too.
    function keep() {
      var query = new URLSearchParams(location.search);
      query.set(key, `${guess}~${Math.round(moment)}`);
      try { history.replaceState(null, "", `?${query}#${key}`); } catch (_) { /* a key that is held: too often for the browser */ }
    }

    function restore() {
      var kept = new URLSearchParams(location.search).get(key)?.match(/^(\d)~(\d+)$/);
      if (!kept) return;
      var input = form.querySelector(`[value="${kept[1]}"]`);
      if (input) { input.checked = true; guess = +kept[1]; moment = Math.min(end, +kept[2]); }
    }

    form.addEventListener("change", (event) => { guess = +event.target.value; stop(); go(moment); keep(); });
    play.addEventListener("click", toggle);
    back.addEventListener("click", () => { step(-1); });
    forth.addEventListener("click", () => { step(1); });
    range.addEventListener("input", () => { stop(); go(+range.value); });
    range.addEventListener("change", keep);
    figure.addEventListener("keydown", (event) => {
      if (guess === null || !event.target.closest(".scene-picture, .scene-controls") || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      var move = { ArrowRight: () => step(1), ArrowLeft: () => step(-1), Home: () => { stop(); go(0); keep(); }, End: () => { stop(); go(end); keep(); } }[event.key];
      if (event.key === " " && !event.target.matches('button, [type="checkbox"]')) move = toggle;
      if (!move) return;
      event.preventDefault();
      move();
    });
    svg.tabIndex = 0;
    new IntersectionObserver((entries) => { if (!entries.at(-1).isIntersecting) stop(); }).observe(svg);
    restore();
    draw();
    figure.dataset.ready = "";
  }

  function prepareAll(root) { root.querySelectorAll("figure.scene:not([data-ready])").forEach(prepare); }
  ["DOMContentLoaded", "toggle"].forEach((name) => { document.addEventListener(name, (event) => { prepareAll(event.target); }, true); });
})();
