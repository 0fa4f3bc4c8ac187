// In a copy that is opened as files nothing can be fetched: each folder that a page fetches from has its files in a script.
window.offlineFiles = {};
window.fetch = async (address) => {
  var [, root, folder, name] = String(address).match(/^(.*)(pagefind|data\/explore)\/([^?]*)/);
  if (!(`${folder}/${name}` in window.offlineFiles)) await run(`${root}${folder}/files.js`);
  return new Response(read(`${folder}/${name}`));
};

var loads = {};
function run(source) {
  loads[source] ||= new Promise((resolve, reject) => {
    var script = document.createElement("script");
    Object.assign(script, { src: source, onload: resolve, onerror: reject });
    document.head.append(script);
  });
  return loads[source];
}

function read(path) {
  return Uint8Array.from(atob(window.offlineFiles[path]), (letter) => letter.charCodeAt(0));
}

// The search is a module, and of a file there is none.
window.loadOffline = async (root) => {
  window.Worker = undefined;
  await run(new URL("pagefind/files.js", root).href);
  var found = await import(URL.createObjectURL(new Blob([read("pagefind/pagefind.js")], { type: "text/javascript" })));
  await found.options({ basePath: "/pagefind/" });
  return found;
};

// Nor is a folder opened as its page.
document.addEventListener("click", (event) => {
  var link = event.target.closest?.("a");
  if (link?.protocol === "file:") link.href = link.href.replace(/\/(?=[#?]|$)/, "/index.html");
}, true);
