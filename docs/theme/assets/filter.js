// The filters of Claims and the questions of Choose, kept in the address; without this script all is shown.
document.addEventListener("DOMContentLoaded", () => {
  // `apply` shows what fits the form, `reveal` what the address links to, whatever the form says.
  function bind(form, apply, reveal) {
    var fields = Array.from(form.querySelectorAll("select"));

    function read() {
      var query = new URLSearchParams(location.search);
      fields.forEach((field) => {
        field.value = query.get(field.name) || "";
        if (field.selectedIndex < 0) field.value = ""; // a value that this build does not know
      });
    }

    function write() {
      var query = new URLSearchParams(location.search);
      fields.forEach((field) => {
        if (field.value) query.set(field.name, field.value);
        else query.delete(field.name);
      });
      var text = query.toString();
      history.replaceState(null, "", location.pathname + (text ? `?${text}` : "") + location.hash);
    }

    form.addEventListener("submit", (event) => { event.preventDefault(); });
    form.addEventListener("change", () => { write(); apply(); });
    form.addEventListener("reset", () => { setTimeout(() => { write(); apply(); }); });
    window.addEventListener("popstate", () => { read(); apply(); });
    window.addEventListener("hashchange", reveal);
    read();
    apply();
    form.hidden = false;
    reveal();
  }

  // The claims that fit; what the address links to is shown whatever fits.
  function bindClaims(form) {
    var output = form.querySelector("output");
    var folds = Array.from(document.querySelectorAll(".claims-of"));

    function fits(name, value) {
      return !form.elements[name].value || form.elements[name].value === value;
    }

    // A status is that on the machine and the Python shown first, unless a Python is asked for.
    function isMeant(claim) {
      var asked = form.elements.interpreter.value;
      var answers = asked ? JSON.parse(claim.dataset.checks).filter((check) => check[1] === asked).map((check) => check[0]) : [claim.dataset.status];
      return fits("source", claim.dataset.source) && fits("topic", claim.dataset.topic)
        && answers.some((status) => fits("status", status));
    }

    // Claims wait in their folds as text until one is opened or something is asked.
    function apply() {
      var asked = Array.from(form.querySelectorAll("select")).some((field) => field.value);
      var shown = 0;
      folds.forEach((fold) => {
        var kept = fold.querySelector(":scope > noscript");
        if (asked && kept) kept.outerHTML = kept.textContent;
        var meant = 0;
        fold.querySelectorAll(".claim").forEach((claim) => {
          claim.hidden = !isMeant(claim);
          if (!claim.hidden) meant += 1;
        });
        shown += meant;
        fold.hidden = asked && !meant;
        if (asked) fold.open = meant > 0;
      });
      output.textContent = form.dataset.count.replace("{shown}", asked ? shown : form.dataset.all).replace("{all}", form.dataset.all);
    }

    bind(form, apply, () => {
      var target = document.getElementById(location.hash.slice(1));
      if (!target?.classList.contains("claim")) return;
      target.hidden = target.closest(".claims-of").hidden = false;
      target.scrollIntoView();
    });
  }

  function bindChoices(form) {
    var output = form.querySelector("output");
    var fields = Array.from(form.querySelectorAll("select"));
    var choices = Array.from(document.querySelectorAll(".choice"));

    // An answer that says nothing of a question fits any reply to it.
    function fits(choice) {
      return fields.every((field) => {
        var known = choice.dataset[field.name];
        return !field.value || !known || known.split(" ").indexOf(field.value) >= 0;
      });
    }

    // How many of the replies an answer speaks of; of those that fit, the one with most comes first.
    function weigh(choice) {
      return fields.filter((field) => field.value && choice.dataset[field.name]).length;
    }

    // How many answers fit, and of the first what to take, what that gave and at which work.
    function tell(asked, shown) {
      if (!asked || !shown) {
        output.textContent = asked ? form.dataset.none : form.dataset.open;
        return;
      }
      var row = document.querySelector(".choice-first");
      var take = document.createElement("strong");
      take.textContent = row.querySelector(".choice-advice").textContent;
      var gave = row.querySelector(".choice-told").textContent;
      var [head, tail] = form.dataset.answer.replace("{n}", shown).split("{first}");
      output.replaceChildren(head, take, `. ${gave}`, tail);
    }

    bind(form, () => {
      var asked = fields.some((field) => field.value);
      var shown = 0;
      choices.slice().sort((one, other) => weigh(other) - weigh(one)).forEach((choice) => {
        choice.parentElement.appendChild(choice);
        choice.hidden = !fits(choice);
        if (!choice.hidden) shown += 1;
        var isFirst = !choice.hidden && shown === 1;
        choice.open = isFirst;
        choice.classList.toggle("choice-first", asked && isFirst);
      });
      tell(asked, shown);
    }, () => {
      var target = document.getElementById(location.hash.slice(1));
      if (!target?.classList.contains("choice")) return;
      if (target.hidden) form.reset();
      setTimeout(() => { target.open = true; target.scrollIntoView(); });
    });
  }

  document.querySelectorAll(".claims-filter").forEach(bindClaims);
  document.querySelectorAll(".choices-form").forEach(bindChoices);
});
