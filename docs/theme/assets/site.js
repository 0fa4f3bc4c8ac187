// The language switch keeps the section and what the address says, and is remembered; boxes that scroll can be reached by keyboard.
document.addEventListener("click", (event) => {
  var link = event.target.closest?.("a[hreflang]");
  if (!link) return;
  try { localStorage.setItem("language", link.hreflang); } catch (_) { /* private window */ }
  link.href = link.href.split(/[?#]/)[0] + location.search + location.hash;
}, true);

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll(".md-typeset :is(pre > code, .md-typeset__scrollwrap), .measured-scroll").forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  });
});
