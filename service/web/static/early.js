"use strict";
// What can't wait for the modules: the theme, so that the page does not flash in the other one, and the request for
// the games that the lobby begins with.
try {
  const theme = localStorage.getItem("starledger.theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden: the system's theme is shown.
}
if (location.pathname === "/") {
  globalThis.earlyGames = fetch("/v1/games").then(
    (answer) => (answer.ok ? answer.json() : null),
    () => null,
  );
}
