// The language switch keeps the section and what the address says, and is remembered; what an address links to is opened, and copied by its sign; folds fill when they open.
(() => {
  var places = "article :is(h2, h3, h4)[id], .evidence-claim[id], .claim[id], figure.chart[id], .choice[id]";

  // What is folded waits as text, which a phone need not lay out, until it is opened or linked to.
  function fill(fold) {
    var kept = fold.querySelector(":scope > noscript");
    if (!kept) return;
    kept.outerHTML = kept.textContent;
    fold.querySelectorAll("pre:not(:has(nav)) > code").forEach(offerCopy);
  }

  // The theme gives its button to the code that it finds when the page is opened.
  function offerCopy(code) {
    var own = document.querySelector("nav.md-code__nav")?.cloneNode(true);
    if (!own) return;
    code.parentElement.id ||= `folded-${document.querySelectorAll("pre[id]").length}`;
    own.querySelector("button").dataset.clipboardTarget = `#${code.parentElement.id} > code`;
    code.before(own);
  }

  function locate() {
    var id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch (_) { /* no place is called so */ }
    var waiting = Array.from(document.querySelectorAll("details > noscript"));
    var kept = id && !document.getElementById(id) && waiting.find((one) => one.textContent.includes(` id="${id}"`));
    if (kept) fill(kept.parentElement);
    return document.getElementById(id);
  }

  function isSeen(element) {
    var box = element.getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight;
  }

  // What the address links to, while it is on the screen; else the section that one reads.
  function findSection() {
    var target = locate();
    if (target && isSeen(target)) return location.hash;
    var above = Array.from(document.querySelectorAll(places)).filter((one) => one.offsetParent && one.getBoundingClientRect().top < 160);
    return above.length ? `#${above.pop().id}` : "";
  }

  // A question with its answer, and whatever is folded around the place; what has moved is followed.
  function reveal() {
    var target = locate();
    if (!target) return follow();
    var section = target.closest("article li")?.querySelector("a.section"); // a page of its own now
    if (section) return leadTo(section, section === target);
    var answer = target.nextElementSibling;
    if (answer?.matches("details.question")) answer.open = true;
    if (!target.closest("details:not([open])")) return;
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target.scrollIntoView();
  }

  function leadTo(link, isItself) {
    var to = new URL(link.href);
    to.search = location.search;
    if (!isItself) to.hash = location.hash;
    location.replace(to);
  }

  function follow() {
    var moved = JSON.parse(document.getElementById("moved-anchors")?.textContent || "{}");
    var anchor = location.hash.slice(1);
    if (Object.hasOwn(moved, anchor)) location.replace(new URL(moved[anchor], location.href.split(/[?#]/)[0]).href.replace(/(?=#|$)/, location.search));
  }

  // A picture as Markdown: a README, a forum or a wiki shows it, and it leads to its place.
  function writeMarkdown(link) {
    var caption = document.getElementById(link.hash.slice(1)).querySelector("figcaption").cloneNode(true);
    caption.querySelector(".claim-anchor")?.remove();
    var title = caption.textContent.trim().replace(/[[\]\\]/g, "\\$&");
    return `[![${title}](${new URL(link.dataset.picture, location.href.split(/[?#]/)[0])})](${link.href})`;
  }

  // What a link leads to, the page or a picture as Markdown.
  function copy(link) {
    var said = JSON.parse(document.getElementById("__config").textContent).translations["clipboard.copied"];
    var text = link.matches(".copy-page") ? fetch(link.href).then((answer) => answer.text()) : Promise.resolve(link.dataset.picture ? writeMarkdown(link) : link.href);
    text.then((found) => navigator.clipboard.writeText(found)).then(() => {
      var note = document.createElement("span");
      note.className = "copied";
      note.setAttribute("role", "status");
      link.after(note);
      note.textContent = said;
      setTimeout(() => { note.remove(); }, 2000);
    }, () => { /* not allowed: the address bar has it */ });
  }

  var printing = false; // when the theme opens all folds: what nobody has opened is not filled, or the next print would be longer
  window.addEventListener("beforeprint", () => { printing = true; });
  window.addEventListener("afterprint", () => { printing = false; });
  document.addEventListener("toggle", (event) => { if (event.target.open && !printing) fill(event.target); }, true);
  document.addEventListener("click", (event) => {
    var link = event.target.closest?.("a[hreflang], a.headerlink, a.claim-anchor, a.copy-page, a[data-picture]");
    if (!link) return;
    if (link.dataset.picture || (link.matches(".copy-page") && location.protocol !== "file:")) event.preventDefault();
    if (!link.hreflang) return copy(link);
    try { localStorage.setItem("language", link.hreflang); } catch (_) { /* private window */ }
    link.href = link.href.split(/[?#]/)[0] + location.search + findSection();
  }, true);

  document.addEventListener("DOMContentLoaded", () => {
    reveal();
    var wide = new ResizeObserver((seen) => { // all are measured before any is changed
      seen.filter(({ target }) => target.scrollWidth > target.clientWidth).forEach(({ target }) => { target.tabIndex = 0; }); // reached by keyboard
    });
    document.querySelectorAll(".md-typeset :is(pre > code, .md-typeset__scrollwrap), .measured-scroll").forEach((box) => { wide.observe(box); });
  });
  window.addEventListener("hashchange", reveal);
})();
