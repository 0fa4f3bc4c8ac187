// The search of a copy that is opened as files: there nothing can be fetched, so the index is a script.
window.loadOffline = async (root) => {
  var script = document.createElement("script");
  script.src = new URL("pagefind/files.js", root).href;
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
  var read = (name) => Uint8Array.from(atob(window.pagefindFiles[name]), (letter) => letter.charCodeAt(0));
  window.fetch = async (address) => new Response(read(String(address).split("/pagefind/")[1].split("?")[0]));
  window.Worker = undefined;
  var found = await import(URL.createObjectURL(new Blob([read("pagefind.js")], { type: "text/javascript" })));
  await found.options({ basePath: "/pagefind/" });
  return found;
};

// Nor is a folder opened as its page.
document.addEventListener("click", (event) => {
  var link = event.target.closest?.("a");
  if (link?.protocol === "file:") link.href = link.href.replace(/\/(?=[#?]|$)/, "/index.html");
}, true);
