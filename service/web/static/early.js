"use strict";
// What can't wait for the rest: the requests that the page's first view begins with. `lib/api.js` takes their answers.
(() => {
  // A document with the lobby in it is painted first: what is seen can be used.
  if (!document.querySelector("script[type=module]")) {
    requestAnimationFrame(() => setTimeout(() => import("./first.js")));
  }

  const ask = (path, options) =>
    fetch(path, options).then(
      (answer) => (answer.ok ? answer.json() : null),
      () => null,
    );
  const early = (globalThis.early = {});
  // As plain as the shell asks for them already: the same answers are taken.
  for (const link of document.querySelectorAll("link[rel=preload][as=fetch]")) {
    const path = link.getAttribute("href");
    early[path] = ask(path);
  }
  // Whose eyes see a table only this browser knows.
  const table = location.pathname.match(/^\/tables\/[^/]+/);
  if (table) {
    const path = `/v1${table[0]}`;
    let token;
    try {
      ({ token } = JSON.parse(localStorage.getItem("starledger.player")));
    } catch {
      token = undefined; // Nobody has chosen a name here, or storage is forbidden.
    }
    early[path] = ask(path, { cache: "no-store", headers: token ? { Authorization: `Bearer ${token}` } : {} });
  }
})();
