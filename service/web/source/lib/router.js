// Addresses of the page: links are followed without loading it anew.

import { useEffect, useState } from "../vendor/htm-preact.js";

const moved = new EventTarget();

export function navigate(url, { replace = false } = {}) {
  const target = new URL(url, location.href);
  if (replace) history.replaceState(null, "", target);
  else history.pushState(null, "", target);
  moved.dispatchEvent(new CustomEvent("move", { detail: { quiet: replace } }));
}

addEventListener("popstate", () => moved.dispatchEvent(new CustomEvent("move", { detail: { quiet: false } })));

const OWN = /^\/($|new$|verify$|tables\/|players\/|tournaments($|\/))/;

addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (link.hash && link.pathname === location.pathname) return;
  if (!OWN.test(link.pathname)) return;
  event.preventDefault();
  navigate(link.href);
});

/** The current address as `{path, query}`; `moves` counts steps to another page. */
export function useAddress() {
  const read = () => ({ path: location.pathname, query: new URLSearchParams(location.search) });
  const [address, set] = useState(read);
  useEffect(() => {
    const heard = () => set(read());
    moved.addEventListener("move", heard);
    return () => moved.removeEventListener("move", heard);
  }, []);
  return address;
}

/** Give an address with some query values changed; null takes one away. */
export function withQuery(values) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, String(value));
  }
  return url.pathname + url.search;
}
