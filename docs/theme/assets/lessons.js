// Lessons: what a reader has done and chosen is kept in the browser, unless that is switched off; a guess opens its picture.
(() => {
  var key = "lessons"; // of both languages
  var form = document.querySelector(".lesson-progress");
  var score = document.querySelector(".lesson-score");
  var jobs = Array.from(document.querySelectorAll("article .job"));
  var kept;
  var fill = (text, places) => text.replace(/\{(\w+)\}/g, (_, name) => places[name]);
  var listGuesses = (job) => Array.from(job.querySelectorAll("details.guess"));
  var nameJob = (job) => job.querySelector("[id]")?.id || `job-${jobs.indexOf(job)}`;

  function read() {
    var found = null;
    try { found = JSON.parse(localStorage.getItem(key)); } catch (_) { /* private window, or damaged */ }
    kept = { off: found?.off === true, done: Array.isArray(found?.done) ? found.done : [], jobs: Object(found?.jobs) };
  }

  function write() {
    try { localStorage.setItem(key, JSON.stringify(kept.off ? { off: true } : kept)); } catch (_) { /* private window */ }
  }

  function showProgress() {
    var lessons = form.dataset.lessons.split(" ");
    var count = lessons.filter((lesson) => kept.done.includes(lesson)).length;
    var done = form.elements.done;
    form.elements.remember.checked = !kept.off;
    if (done) {
      done.checked = kept.done.includes(form.dataset.lesson);
      done.parentElement.hidden = kept.off;
    } else markLinks();
    form.querySelector("output").textContent = kept.off ? "" : fill(form.dataset.says, { count, total: lessons.length });
    form.hidden = false;
  }

  // The links of done lessons, on the page that lists all.
  function markLinks() {
    document.querySelectorAll("article .lesson-mark").forEach((mark) => { mark.remove(); });
    document.querySelectorAll("article a[href]").forEach((link) => {
      var lesson = link.pathname.match(/\/lessons\/([\w-]+)\/(index\.html)?$/)?.[1];
      if (link.hash || !kept.done.includes(lesson)) return;
      var mark = document.createElement("span");
      mark.className = "lesson-mark";
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", form.dataset.mark);
      mark.textContent = "\u2713";
      link.after(mark);
    });
  }

  // The guesses of a question and their picture stand in one job, or else between two headings.
  function listFolds(guess) {
    var job = guess.closest(".job");
    if (job) return Array.from(job.querySelectorAll("details"));
    var folds = [guess];
    for (const way of ["previousElementSibling", "nextElementSibling"]) {
      for (let next = guess[way]; next && !next.matches("h1, h2, h3"); next = next[way]) folds.push(next);
    }
    return folds.filter((fold) => fold.matches("details"));
  }

  function mark(guess) {
    var note = document.createElement("small");
    note.className = "guess-mark";
    note.textContent = form?.dataset.yours || "";
    guess.classList.add("guess-yours");
    guess.querySelector("summary").append(" ", note);
  }

  var isMeasured = (part) => part.querySelector('[data-accepted="yes"], [data-accepted="no"]') !== null;

  function showScore() {
    document.querySelectorAll(".job .guess-mark").forEach((note) => { note.remove(); });
    document.querySelectorAll(".job .guess-yours").forEach((guess) => { guess.classList.remove("guess-yours"); });
    var chosen = jobs.map((job) => listGuesses(job)[kept.jobs[nameJob(job)]]).filter(Boolean);
    chosen.forEach(mark);
    var count = chosen.filter((guess) => guess.querySelector('[data-accepted="yes"]')).length;
    var left = jobs.length - chosen.length;
    // What this build hasn't measured counts neither way.
    var open = jobs.filter((job) => !isMeasured(listGuesses(job)[kept.jobs[nameJob(job)]] || job)).length;
    var total = jobs.length - open;
    var says = [total && fill(score.dataset.says, { count, total })];
    says.push(open && fill(score.dataset.open, { open }), left && fill(score.dataset.left, { left }));
    score.querySelector("output").textContent = says.filter(Boolean).join("; ");
    score.hidden = false;
  }

  function choose(guess) {
    var folds = listFolds(guess), job = guess.closest(".job");
    folds.filter((fold) => fold.matches(".picture")).forEach((fold) => { fold.open = true; });
    if (folds.some((fold) => fold.matches(".guess-yours"))) return;
    if (!job || !score) return mark(guess);
    kept.jobs[nameJob(job)] = listGuesses(job).indexOf(guess);
    write();
    showScore();
  }

  // By a click, which a key makes, too; printing and searching open folds as well.
  document.addEventListener("click", (event) => {
    var guess = event.target.closest?.("details.guess > summary")?.parentElement;
    if (guess && !guess.open) choose(guess);
  });

  form?.addEventListener("submit", (event) => { event.preventDefault(); }); // Enter in a box is no reason to leave
  form?.addEventListener("change", (event) => {
    var lesson = form.dataset.lesson;
    if (event.target.name === "remember") kept = { off: !kept.off, done: [], jobs: {} }; // forgotten at once
    else kept.done = kept.done.filter((done) => done !== lesson).concat(event.target.checked ? lesson : []);
    write();
    showProgress();
    if (score) showScore();
  });

  score?.querySelector("button").addEventListener("click", () => {
    jobs.flatMap(listGuesses).forEach((guess) => { guess.open = false; });
    kept.jobs = {};
    write();
    showScore();
  });

  window.addEventListener("pageshow", () => { // also when a reader comes back to the page
    read();
    if (form) showProgress();
    if (score) showScore();
  });
})();
