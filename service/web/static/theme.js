"use strict";
// Before the first paint, so that the page does not flash in the other theme.
try {
  const theme = localStorage.getItem("starledger.theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden: the system's theme is shown.
}
