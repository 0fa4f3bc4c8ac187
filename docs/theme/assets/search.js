// Search in a dialog: the index is Pagefind's, made of the built pages and loaded when first needed.
document.addEventListener("DOMContentLoaded", () => {
  var source = document.getElementById("search-words");
  var header = document.querySelector(".md-header__inner");
  if (!source || !header || !window.HTMLDialogElement) return;
  var words = JSON.parse(source.textContent);
  var base = JSON.parse(document.getElementById("__config").textContent).base;
  var root = new URL(`${base}/../`, document.baseURI);
  var most = 12;
  var engine, latest = 0, chosen = -1;

  var button = make("button", "search-open", header);
  set(button, { type: "button", "aria-label": words.open, "aria-keyshortcuts": "/ Control+K" });
  button.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M9.5 3A6.5 6.5 0 0 1 16 9.5c0 1.61-.59 3.09-1.56 4.23l.27.27h.79l5 5-1.5 1.5-5-5v-.79l-.27-.27A6.5 6.5 0 1 1 9.5 3m0 2a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9"/></svg>';
  make("span", "", button).textContent = words.open;
  make("kbd", "", button).textContent = "/";

  var dialog = make("dialog", "search-dialog", document.body);
  dialog.setAttribute("aria-label", words.open);
  var field = make("input", "", dialog);
  set(field, { type: "search", role: "combobox", placeholder: words.placeholder, "aria-label": words.placeholder,
    "aria-controls": "search-results", "aria-expanded": "false", "aria-autocomplete": "list",
    autocomplete: "off", spellcheck: "false", enterkeyhint: "go" });
  var close = make("button", "search-close", dialog);
  set(close, { type: "button", "aria-label": words.close });
  close.textContent = "×";
  var status = make("p", "search-status", dialog);
  status.setAttribute("role", "status");
  var list = make("ul", "search-results", dialog);
  set(list, { id: "search-results", role: "listbox", "aria-label": words.results });

  function make(name, kind, parent) {
    var element = document.createElement(name);
    if (kind) element.className = kind;
    return parent.appendChild(element);
  }

  function set(element, attributes) {
    Object.keys(attributes).forEach((name) => { element.setAttribute(name, attributes[name]); });
  }

  function load() {
    engine = engine || import(new URL("pagefind/pagefind.js", root).href).then((found) => found.options({ baseUrl: root.pathname, excerptLength: 20 }).then(() => found));
    return engine;
  }

  function open() {
    if (dialog.open) return;
    dialog.showModal();
    field.select();
    load().catch(() => { engine = null; status.textContent = words.absent; });
  }

  // Headings that fit are results of their own, so that a term leads to its paragraph.
  function spread(page) {
    var parts = page.sub_results.length ? page.sub_results : [page];
    return parts.slice(0, 3).map((part) => {
      var whole = part.title && part.title !== page.meta.title ? part.title : "";
      return { url: part.url, page: page.meta.title, title: whole || page.meta.title, excerpt: part.excerpt };
    });
  }

  // In the index the parts of a dotted name stand apart, behind a word joiner.
  function part(text) { return text.replace(/([.(])(?=[^\s\d])/g, "$1 "); }
  function join(excerpt) { return excerpt.replace(/\u2060(<\/mark>)? ?/g, "$1").replace(/<\/mark><mark>/g, ""); }

  function search() {
    var text = part(field.value.trim());
    var mine = ++latest;
    if (!text) return show([], "");
    load().then((found) => found.search(text)).then((answer) => {
      if (mine !== latest) return null;
      return Promise.all(answer.results.slice(0, most).map((one) => one.data()));
    }).then((pages) => {
      if (!pages || mine !== latest) return;
      var results = [].concat.apply([], pages.map(spread)).slice(0, 2 * most);
      show(results, results.length ? words.count.replace("{n}", results.length) : words.nothing);
    }).catch(() => { engine = null; show([], words.absent); });
  }

  function show(results, text) {
    chosen = -1;
    list.textContent = "";
    status.textContent = text;
    field.setAttribute("aria-expanded", String(results.length > 0));
    field.removeAttribute("aria-activedescendant");
    results.forEach((result, place) => {
      var item = make("li", "", list);
      item.setAttribute("role", "presentation");
      var link = make("a", "", item);
      set(link, { role: "option", id: `search-result-${place}`, "aria-selected": "false", href: result.url, tabindex: "-1" });
      make("strong", "", link).textContent = result.title;
      if (result.title !== result.page) make("small", "", link).textContent = result.page;
      make("span", "", link).innerHTML = join(result.excerpt); // Pagefind's own markup: text and <mark>
    });
    if (results.length) choose(0);
  }

  function choose(place) {
    var items = list.querySelectorAll("a");
    if (!items.length) return;
    if (items[chosen]) items[chosen].setAttribute("aria-selected", "false");
    chosen = (place + items.length) % items.length;
    items[chosen].setAttribute("aria-selected", "true");
    items[chosen].scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", items[chosen].id);
  }

  function isTyping(target) {
    return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  }

  button.addEventListener("click", open);
  close.addEventListener("click", () => { dialog.close(); });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  list.addEventListener("click", (event) => { if (event.target.closest("a")) dialog.close(); });
  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Enter" && list.children[chosen]) list.children[chosen].firstChild.click();
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    var slash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey;
    var control = event.code === "KeyK" && (event.ctrlKey || event.metaKey);
    if (!control && !(slash && !isTyping(event.target))) return;
    event.preventDefault();
    open();
  });
});
