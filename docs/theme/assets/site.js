// The language switch keeps the section and is remembered; the search dialog gets its name.
document.addEventListener("click", function (event) {
  var link = event.target.closest && event.target.closest("a[hreflang]");
  if (!link) return;
  try { localStorage.setItem("language", link.hreflang); } catch (_) { /* private window */ }
  link.href = link.href.split("#")[0] + location.hash;
}, true);

document.addEventListener("DOMContentLoaded", function () {
  var dialog = document.querySelector(".md-search[role=dialog]");
  var input = document.querySelector(".md-search__input");
  if (dialog && input) dialog.setAttribute("aria-label", input.getAttribute("aria-label") || input.placeholder);
  document.querySelectorAll(".md-typeset pre > code, .measured-scroll").forEach(function (box) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  });
});
