// The questions of the Choose page, kept in the address; without this script the table stays whole.
document.addEventListener("DOMContentLoaded", () => {
  var form = document.querySelector(".choices-form");
  if (!form) return;
  var output = form.querySelector("output");
  var fields = Array.from(form.querySelectorAll("select"));
  var choices = Array.from(document.querySelectorAll(".choice"));

  function read() {
    var query = new URLSearchParams(location.search);
    fields.forEach((field) => {
      field.value = query.get(field.name) || "";
      if (field.selectedIndex < 0) field.value = "";
    });
  }

  function write() {
    var query = new URLSearchParams();
    fields.forEach((field) => { if (field.value) query.set(field.name, field.value); });
    var text = query.toString();
    history.replaceState(null, "", location.pathname + (text ? `?${text}` : "") + location.hash);
  }

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

  function apply() {
    var asked = fields.some((field) => field.value);
    var shown = 0;
    choices.slice().sort((one, other) => weigh(other) - weigh(one)).forEach((choice) => {
      var row = choice.closest("tr");
      row.parentElement.appendChild(row);
      row.hidden = !fits(choice);
      if (!row.hidden) shown += 1;
      row.classList.toggle("choice-first", asked && !row.hidden && shown === 1);
    });
    output.textContent = shown ? "" : form.dataset.none;
  }

  // A link to an answer shows it whatever was asked before.
  function reveal() {
    var target = document.getElementById(location.hash.slice(1));
    if (!target || !target.closest("tr") || !target.closest("tr").hidden) return;
    form.reset();
    setTimeout(() => { target.scrollIntoView(); });
  }

  form.hidden = false;
  form.addEventListener("change", () => { write(); apply(); });
  form.addEventListener("reset", () => { setTimeout(() => { write(); apply(); }); });
  window.addEventListener("hashchange", reveal);
  read();
  apply();
  reveal();
});
