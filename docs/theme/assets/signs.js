// What a verdict, a status or a flag means, on a tap or a click: not everybody has a pointer that can rest on it.
(() => {
  var signs = "article :is(abbr, .gain, .verdict, .claim-status)[title]";
  var note = document.createElement("span");
  note.className = "sign-help";
  note.setAttribute("role", "status");

  document.addEventListener("click", (event) => {
    var sign = event.target.closest?.(signs);
    var again = sign && (note.parentElement === sign || note.previousElementSibling === sign);
    note.remove();
    if (!sign || again) return;
    note.textContent = "";
    sign[sign.matches("td") ? "append" : "after"](note);
    note.textContent = sign.title;
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") note.remove(); });
})();
