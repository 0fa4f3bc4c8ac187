// Search in a dialog: the index is Pagefind's, made of the built pages and loaded when first needed.
document.addEventListener("DOMContentLoaded", () => {
  var source = document.getElementById("search-words");
  var header = document.querySelector(".md-header__inner");
  if (!source || !header || !window.HTMLDialogElement) return;
  var words = JSON.parse(source.textContent);
  var base = JSON.parse(document.getElementById("__config").textContent).base;
  var root = new URL(`${base}/../`, document.baseURI);
  var worths = [[/^(answers\/\w|questions\b|messages\b|choose\b)/, 1.4], [/^(theory|mistakes|glossary)\b/, 1.2], [/^(claims|sources|machines|machine|method|notebook|explore)\b|\/code\/|\/p\d\w*\/|#(code|table|sources|elsewhere|p\d\w*)$/, 0.4]];
  var absent = location.protocol === "file:" && !window.loadOffline ? words.file : words.absent;
  var most = 40, length = 20, longest = 16; // pages that are looked into, words of an excerpt and of a question
  var NOISE = /^(0x[\da-f]+|\d{5,}|[^\p{L}\d]+)$/u; // of a pasted message: addresses, long numbers, signs
  var pause = 120; // milliseconds without a key, after which a question is looked up
  var engine, vocabulary, timer, latest = 0, listed = 0, chosen = -1; // numbers of questions: the last, and that of the list

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
    var fetched = window.loadOffline || ((folder) => import(new URL("pagefind/pagefind.js", folder).href));
    engine = engine || fetched(root).then((found) => found.options({ baseUrl: root.pathname }).then(() => found));
    return engine;
  }

  function open() {
    if (dialog.open) return;
    dialog.showModal();
    field.select();
    loadWords();
    load().catch(() => { engine = null; status.textContent = absent; });
  }

  // In the index the parts of a dotted name stand apart, behind a word joiner.
  function part(text) { return text.replace(/([.(])(?=[^\s\d])/g, "$1 "); }
  function join(text) { return text.replace(/\u2060 ?/g, ""); }

  // The words of the pages, the most frequent first: Pagefind does not tell those that it has.
  function loadWords() {
    vocabulary = vocabulary || fetch(new URL(`pagefind/words.${document.documentElement.lang}.txt`, root)).then((answer) => (answer.ok ? answer.text() : "")).then((text) => text.split(" "), () => []);
    return vocabulary;
  }

  // The words of a question that say what it is about, each with its place in it and its other names; one with a slip of
  // a letter is the nearest that there is.
  async function readTerms(text) {
    var known = (await loadWords()).concat(words.alike.split(/[ ;]+/));
    var asked = part(shorten(text)).split(/[\s:;,!?"«»`…=~^|]+|['’](?!\p{L})|(?<!\p{L})['’]/u).map((word) => word.replace(/[.)\]>]+$|^[([<]+|^python(?=\d)/gi, ""));
    var lower = asked.map((word) => word.toLowerCase());
    var said = telling(lower.filter((word) => word && !NOISE.test(word)).join(" "));
    return Array.from(new Set(said)).slice(0, longest).map((word) => {
      var isKnown = !/^[\p{L}-]{6,}$/u.test(word) || known.some((one) => one.startsWith(word));
      var name = isKnown ? word : known.find((one) => isNear(one, word)) || word;
      var place = lower.indexOf(word);
      return { place, isCode: /\p{Ll}\p{Lu}|_/u.test(asked[place]), names: [name, ...nameOtherwise(name, text)] };
    });
  }

  // A pasted message: of a traceback what stands before it and after its last file, without objects and paths.
  function shorten(text) {
    var files = text.split(/File "[^"]*", line \d+(?:, in \S+)?/);
    var message = files.length > 1 ? `${text.split("Traceback (most")[0]} ${files.at(-1)}` : text;
    var object = /<[^<>]*(=| at )[^<>]*>/; // one inside another
    while (object.test(message)) message = message.replace(object, " ");
    return message.replace(/\S*[\\/]\S*\.\w+(:\d+)*/g, " ").trim() || text;
  }

  // What this site calls a thing that is known by other names too. A message in another language is asked for as it is.
  function nameOtherwise(term, text) {
    if (document.documentElement.lang === "ru" && !/[а-яё]/i.test(text)) return [];
    var named = words.alike.split("; ").map((names) => names.split(" ")).find(([, ...others]) => others.some((name) => term.startsWith(name)));
    return named ? named.slice(0, 1) : [];
  }

  // The words of a text that say something, or all if none does.
  function telling(text) {
    var all = text.toLowerCase().split(/\s+/);
    var some = all.filter((word) => !words.stops.split(" ").includes(word));
    return some.length ? some : all;
  }

  // Whether one letter more, less or other, or two that changed places, are all that differs.
  function isNear(one, other) {
    if (one[0] !== other[0] || Math.abs(one.length - other.length) > 1) return false;
    var start = 0, end = 0;
    while (start < one.length && one[start] === other[start]) start += 1;
    while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
    var [left, right] = [one, other].map((word) => word.slice(start, word.length - end));
    return Math.max(left.length, right.length) < 2 || (left.length === 2 && left === right[1] + right[0]);
  }

  // Each word is looked up by itself, so that one that a section lacks does not hide it; rare words count for more.
  // Nothing is found, and little done in vain, for a question that is not the latest any more.
  async function find(text, isLatest) {
    var found = await load();
    var terms = await readTerms(text);
    if (!isLatest()) return null;
    var asked = terms.flatMap(({ names }, term) => names.map((name) => ({ name, term })));
    var answers = (await Promise.all(asked.map(({ name, term }) => found.search(name).then((answer) => ({ name, term, results: answer.results }))))).filter(({ results }) => results.length);
    if (!isLatest()) return null;
    var pages = new Map();
    answers.forEach(({ results }) => {
      results.forEach((one) => { pages.set(one.id, (pages.get(one.id) || 0) + Math.log(1 + most / results.length) * (1 + one.score / results[0].score)); });
    });
    var best = Array.from(pages.keys()).sort((one, other) => pages.get(other) - pages.get(one)).slice(0, most);
    var hits = [], those; // the pages with a word
    for (var { name, term, results } of answers) { // one word after another: Pagefind has one object for a page, and puts into it where the last word stands
      if (!isLatest()) return null;
      those = await Promise.all(results.filter((one) => best.includes(one.id)).map((one) => one.data().then((page) => ({ ...page }))));
      if (those.some((page) => hasWord(page, name))) hits.push({ term, pages: those });
    }
    return isLatest() ? rank(hits, terms) : null;
  }

  // Whether a page has a form of a word: of one that no page has, Pagefind finds the beginning, be it a letter.
  function hasWord(page, word) {
    var parts = (text) => [text, ...text.split(/(?<=\p{Ll})(?=\p{Lu})/u)].map((one) => one.normalize("NFD").replace(/[^\p{L}\d_]/gu, "").toLowerCase());
    var found = page.content.split(/[\r\n\s]+/), [whole] = parts(word);
    var start = whole.slice(0, Math.max(3, Math.ceil(whole.length * 0.4)));
    return page.weighted_locations.some((one) => parts(found[one.location] || "").some((text) => text.startsWith(start)));
  }

  // Sections, those first that have most of the words, in their titles above all. `hits` are the pages with each word,
  // or with another name for it.
  function rank(hits, terms) {
    var sections = new Map(), rarities = [];
    hits.forEach(({ term, pages }) => {
      var here = pages.flatMap((page) => page.sub_results.map((section) => ({ page, section })));
      var rarity = Math.min(Math.log(1 + 100 / here.length), rarities[term] ?? Infinity);
      rarities[term] = rarity;
      here.forEach(({ page, section }) => {
        var known = sections.get(section.url) || { page, section, scores: [], titled: [], run: [], places: [], last: [], ...locate(page, section) };
        var weight = section.weighted_locations.reduce((sum, one) => sum + one.balanced_score, 0);
        // Of a word once in the text it is 512, in a title many times that; a long section has to have it more often.
        var score = rarity * weight / (weight + 2500 + 2500 * (known.end - known.start) / 150);
        // Words that stand as close together here as in the question, but for a small one between them.
        var at = section.weighted_locations.map((one) => one.location);
        var before = known.last[term - 1] || [], gap = Math.min(4, terms[term].place - terms[term - 1]?.place);
        if (at.some((one) => before.some((other) => one > other && one <= other + gap + 1))) {
          score += rarity * 0.8;
          known.run[term] = 1;
        }
        known.last[term] = at.concat(known.last[term] || []);
        known.scores[term] = Math.max(score, known.scores[term] || 0);
        if (section.weighted_locations.some((one) => one.weight > 7)) known.titled[term] = 1;
        known.places.push(...section.weighted_locations);
        sections.set(section.url, known);
      });
    });
    var rarest = Math.log(1 + 100); // the weight of a word that no page has
    var sum = (found) => found.reduce((one, other) => one + other, 0);
    var ranked = Array.from(sections.values(), (one) => {
      // A title with several of the words, or of which they are most, says that it is about just this; so does a
      // section that lacks none of them.
      var titled = sum(one.titled), covered = sum(rarities.filter((_, term) => one.scores[term])) / sum(rarities);
      var fill = titled / telling(join(one.section.title || one.page.meta.title)).length;
      var weights = terms.map((_, term) => rarities[term] ?? rarest);
      // A section is about a question if it has three of its words, a name of code, or half of what the words weigh; two
      // fifths of that if it has two.
      var has = one.scores.filter(Boolean).length;
      one.isAbout = terms.some(({ isCode }, term) => isCode && one.scores[term]) || has > 2 || sum(one.scores) >= sum(weights) * (has > 1 ? 0.4 : 0.5);
      var whole = terms.length > 2 && sum(one.run) === terms.length - 1 ? 2 : 1; // the very question
      one.rate = whole * sum(one.scores) * (0.5 + covered) * (1 + Math.max(0, titled - 1) / 3) * (1 + Math.min(1, fill)) * weigh(one.section.url);
      return one;
    }).sort((one, other) => other.rate - one.rate);
    if (!ranked.slice(0, 3).some((one) => one.isAbout)) return [];
    return ranked.filter((one, place) => place < 5 || one.rate >= ranked[0].rate / 2.5).slice(0, 50);
  }

  // What answers comes before what explains, and that before programs and lists.
  function weigh(address) {
    var path = new URL(address, root).href.slice(root.href.length).replace(/^\w+\//, "");
    var found = worths.find(([pattern]) => pattern.test(path));
    return found ? found[1] : 1;
  }

  // Which words of its page a section has.
  function locate(page, section) {
    var start = section.anchor?.location || 0;
    var later = page.anchors.map((one) => one.location).filter((one) => one > start);
    return { start, end: Math.min(...later, page.word_count ?? Infinity, page.content.length) };
  }

  // Twenty words of a section around most of what was found, those marked; not of the words by which others ask for it.
  function excerpt({ page, places, start: first, end }, parent) {
    var words = page.content.split(/[\r\n\s]+/);
    var start = Math.max(first, words.slice(0, end).findLastIndex((word) => word.includes("\u2063")) + 1);
    var marked = new Set(places.map((one) => one.location));
    var worth = (from) => places.reduce((sum, one) => sum + (one.location >= from && one.location < from + length ? 1 : 0), 0);
    var from = places.map((one) => Math.max(start, Math.min(one.location - 3, end - length))).reduce((one, other) => (worth(other) > worth(one) ? other : one), start);
    words.slice(from, Math.min(from + length, end)).forEach((word, place) => {
      var text = word.replace(/\u2060/g, "");
      if (place && !words[from + place - 1].endsWith("\u2060")) parent.append(" ");
      if (marked.has(from + place)) make("mark", "", parent).textContent = text;
      else parent.append(text);
    });
  }

  // Looks up what is typed after a pause; until its list is there, the old one is for the eye alone.
  function search(delay) {
    var text = field.value.trim();
    var mine = ++latest, isLatest = () => mine === latest;
    clearTimeout(timer);
    if (!text) return show([], "");
    list.setAttribute("aria-busy", "true");
    status.textContent = words.searching;
    timer = setTimeout(() => {
      find(text, isLatest).then((results) => {
        if (results) show(results, results.length ? words.count.replace("{n}", results.length) : words.nothing);
      }, () => { engine = null; if (isLatest()) show([], absent); });
    }, delay);
  }

  function show(results, text) {
    listed = latest;
    list.removeAttribute("aria-busy");
    chosen = -1;
    list.textContent = "";
    status.textContent = text;
    field.setAttribute("aria-expanded", String(results.length > 0));
    field.removeAttribute("aria-activedescendant");
    results.forEach((result, place) => {
      var item = make("li", "", list);
      item.setAttribute("role", "presentation");
      var link = make("a", "", item);
      var { page, section } = result;
      set(link, { role: "option", id: `search-result-${place}`, "aria-selected": "false", href: section.url, tabindex: "-1" });
      make("strong", "", link).textContent = join(section.title || page.meta.title);
      if (section.title !== page.meta.title) make("small", "", link).textContent = join(page.meta.title);
      excerpt(result, make("span", "", link));
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

  // What the page of a lost reader asks for.
  var asked = new URLSearchParams(location.search).get("q");
  if (asked) {
    open();
    field.value = asked;
    search(0);
  }

  button.addEventListener("click", open);
  close.addEventListener("click", () => { dialog.close(); });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  list.addEventListener("click", (event) => { if (event.target.closest("a")) dialog.close(); });
  field.addEventListener("input", () => { search(pause); });
  field.addEventListener("keydown", (event) => {
    var step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step && event.key !== "Enter") return;
    event.preventDefault();
    if (listed !== latest) return; // the list is of an earlier question
    if (step) choose(chosen + step);
    else if (list.children[chosen]) list.children[chosen].firstChild.click();
  });
  document.addEventListener("keydown", (event) => {
    var slash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey;
    var control = event.code === "KeyK" && (event.ctrlKey || event.metaKey);
    if (!control && !(slash && !isTyping(event.target))) return;
    event.preventDefault();
    open();
  });
});
