// The cursor over who ran when: dragged, stepped or played; each panel tells who runs at it, and which line. Without this script the pictures stand still.
document.addEventListener("DOMContentLoaded", () => {
  function findLine(lane, at) {
    var line = 0;
    lane.lines.forEach((begun) => { if (begun[0] <= at) line = begun[1]; });
    return line;
  }

  function bind(stepper) {
    var range = stepper.querySelector("input");
    var play = stepper.querySelector("[data-play]");
    var idle = play.textContent;
    var playing = 0;
    var panels = Array.from(stepper.querySelectorAll(".stepper-panel"), (element) => ({
      element,
      told: JSON.parse(element.dataset.told),
      cursor: element.querySelector(".stepper-cursor"),
      now: element.querySelector(".stepper-now"),
      lines: Array.from(element.querySelectorAll('[id*="-line-"]')),
    }));
    // Where something changes: a turn begins or ends, or a line does; in thousandths of the time.
    var moments = new Set([0, 1000]);
    panels.forEach((panel) => {
      panel.told.lanes.forEach((lane) => {
        lane.runs.flat().concat(lane.lines.map((begun) => begun[0])).forEach((at) => {
          moments.add(Math.ceil((at / panel.told.end) * 1000));
        });
      });
    });
    var stops = Array.from(moments).filter((at) => at <= 1000).sort((a, b) => a - b);

    function show() {
      var told = panels.map((panel) => {
        var at = (range.value / 1000) * panel.told.end;
        var running = panel.told.lanes.filter((lane) => lane.runs.some((run) => run[0] <= at && at < run[1]));
        var x = Number(panel.cursor.dataset.left) + (Number(panel.cursor.dataset.width) * range.value) / 1000;
        panel.cursor.setAttribute("transform", `translate(${x - Number(panel.cursor.dataset.left)})`);
        var active = running.map((lane) => findLine(lane, at));
        panel.lines.forEach((line) => {
          line.classList.toggle("stepper-line", active.includes(Number(line.id.split("-").pop())));
        });
        var names = running.map((lane, place) => (active[place] ? stepper.dataset.runs.replace("{lane}", lane.name).replace("{line}", active[place]) : lane.name)); // before its first line it starts
        var time = (at / 1000).toLocaleString(stepper.dataset.locale, { maximumFractionDigits: 0 });
        panel.now.textContent = `${time} ${stepper.dataset.unit}: ${names.join("; ") || stepper.dataset.none}`;
        return panel.now.textContent;
      });
      range.setAttribute("aria-valuetext", told.join(". "));
    }

    function stop() {
      clearInterval(playing);
      playing = 0;
      play.textContent = idle;
    }

    stepper.querySelectorAll("[data-step]").forEach((button) => {
      button.addEventListener("click", () => {
        var at = Number(range.value);
        stop();
        range.value = button.dataset.step > 0
          ? stops.find((one) => one > at) ?? 1000
          : stops.findLast((one) => one < at) ?? 0;
        show();
      });
    });
    play.addEventListener("click", () => {
      if (playing) { stop(); return; }
      if (Number(range.value) >= 1000) range.value = 0;
      play.textContent = play.dataset.pause;
      playing = setInterval(() => {
        range.value = Number(range.value) + 2;
        show();
        if (Number(range.value) >= 1000) stop();
      }, 40);
    });
    range.addEventListener("input", () => { stop(); show(); });
    panels.forEach((panel) => {
      var svg = panel.element.querySelector("svg");
      function seek(event) {
        var box = svg.getBoundingClientRect();
        var left = Number(panel.cursor.dataset.left);
        var x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width - left;
        stop();
        range.value = Math.round((x / Number(panel.cursor.dataset.width)) * 1000);
        show();
      }
      svg.addEventListener("pointerdown", seek);
      svg.addEventListener("pointermove", (event) => { if (event.buttons) seek(event); });
      panel.now.hidden = false;
    });
    stepper.querySelector(".stepper-controls").hidden = false;
    show();
  }

  document.querySelectorAll(".stepper").forEach(bind);
});
