"use strict";
// What can't wait for the rest: the theme, so that the page does not flash in the other one, and the requests that its
// first view begins with. `lib/api.js` takes their answers.
(() => {
  const kept = (name) => {
    try {
      return localStorage.getItem(`starledger.${name}`);
    } catch {
      return null; // Storage is forbidden.
    }
  };
  const theme = kept("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;

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
      ({ token } = JSON.parse(kept("player")));
    } catch {
      token = undefined;
    }
    early[path] = ask(path, { cache: "no-store", headers: token ? { Authorization: `Bearer ${token}` } : {} });
  }
})();
