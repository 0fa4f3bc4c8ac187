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

  document.addEventListener("DOMContentLoaded", () => {
    var pictures = [...document.querySelectorAll("figure.chart svg:has(.point)")];
    if (!pictures.length) return;
    document.body.append(tip);
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
        else if (/^(Arrow|Home|End)/.test(event.key)) { event.preventDefault(); step(svg, event.key); }
      });
    });
    addEventListener("scroll", place, { passive: true });
    addEventListener("pointerdown", (event) => { if (!event.target.closest("figure.chart svg")) hide(); });
  });
})();
