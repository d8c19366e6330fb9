"use strict";
// What can't wait for the rest: the requests that the page's first view begins with. `lib/api.js` takes their answers.
(() => {
  // What does not come is said, and asked for again: the note that waits in the document is shown at once.
  const bring = () =>
    import("./first.js").catch(() => {
      document.querySelector(".late")?.classList.add("now");
      setTimeout(bring, 3000);
    });
  // A document with the lobby in it is painted first: what is seen can be used. A tab in the background paints nothing.
  if (document.querySelector("script[type=module]") || document.hidden) bring();
  else requestAnimationFrame(() => setTimeout(bring));

  // Null: it is asked anew, after the time that a busy server wants, ten seconds at most.
  const later = (answer) => new Promise((done) => setTimeout(done, Math.min(10, answer.headers.get("Retry-After")) * 1000, null));
  const ask = (path, options) =>
    fetch(path, options).then(
      // That there is nothing is an answer as well: its body says so.
      (answer) => (answer.ok || answer.status === 404 ? answer.json() : later(answer)),
      () => null,
    );
  const early = (globalThis.early = {});
  // As plain as the shell asks for them already: the same answers are taken.
  for (const link of document.querySelectorAll("link[rel=preload][as=fetch]")) {
    const path = link.getAttribute("href");
    early[path] = ask(path);
  }
  // Whose eyes see a table, or a tournament, only this browser knows.
  const one = location.pathname.match(/^\/(tables|tournaments(?!\/new$))\/[^/]+/);
  if (one) {
    const path = `/v1${one[0]}`;
    let token;
    try {
      ({ token } = JSON.parse(localStorage.getItem("starledger.player")));
    } catch {
      token = undefined; // Nobody has chosen a name here, or storage is forbidden.
    }
    early[path] = ask(path, { cache: "no-store", headers: token ? { Authorization: `Bearer ${token}` } : {} });
  }
})();
