// Filters of the Claims page, kept in the address; without this script all claims are shown.
document.addEventListener("DOMContentLoaded", () => {
  var form = document.querySelector(".claims-filter");
  if (!form) return;
  var output = form.querySelector("output");
  var claims = Array.from(document.querySelectorAll(".claims-list .claim"));
  var names = ["source", "topic", "status", "machine", "interpreter"];

  function read(address) {
    var query = new URLSearchParams(address);
    names.forEach((name) => {
      var field = form.elements[name];
      field.value = query.get(name) || "";
      if (field.selectedIndex < 0) field.value = ""; // a value that this build does not know
    });
  }

  function write() {
    var query = new URLSearchParams(location.search);
    names.forEach((name) => {
      if (form.elements[name].value) query.set(name, form.elements[name].value);
      else query.delete(name);
    });
    var text = query.toString();
    history.replaceState(null, "", location.pathname + (text ? `?${text}` : "") + location.hash);
  }

  // Status, machine and interpreter must meet in one and the same check.
  function fits(element, wanted) {
    return wanted.every((name) => {
      var value = form.elements[name].value;
      return !value || element.dataset[name] === value;
    });
  }

  function apply() {
    var shown = 0;
    claims.forEach((claim) => {
      var checks = Array.from(claim.querySelectorAll(".claim-checks > li"));
      var fit = fits(claim, ["source", "topic"]) && checks.some((check) => fits(check, ["status", "machine", "interpreter"]));
      claim.parentNode.hidden = !fit;
      shown += fit;
    });
    output.textContent = form.dataset.count.replace("{shown}", shown).replace("{all}", claims.length);
  }

  // A link to one claim shows it, whatever the filters in the address say.
  function reveal() {
    var target = location.hash && document.getElementById(location.hash.slice(1));
    if (!target || !target.classList.contains("evidence-claim")) return;
    target.hidden = false;
    target.scrollIntoView();
  }

  form.addEventListener("submit", (event) => { event.preventDefault(); });
  form.addEventListener("change", () => { write(); apply(); });
  form.addEventListener("reset", () => { setTimeout(() => { write(); apply(); }); });
  window.addEventListener("popstate", () => { read(location.search); apply(); });
  window.addEventListener("hashchange", reveal);
  read(location.search);
  apply();
  form.hidden = false;
  reveal();
});
