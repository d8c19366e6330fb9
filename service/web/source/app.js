// The frame: header, the page of the address, and what every page needs.

import { Component, html, render, useEffect, useRef, useState } from "./vendor/htm-preact.js";
import { useAddress } from "./lib/router.js";
import { allArrived } from "./lib/api.js";
import { session } from "./lib/session.js";
import { ErrorNote, Loading, NameDialog, needPlayer, useSession } from "./lib/ui.js";
import Lobby from "./pages/lobby.js";

const styles = new Map();
for (const link of document.querySelectorAll("link[rel=stylesheet]")) {
  styles.set(link.href.match(/(\w+)\.css$/)[1], Promise.resolve());
}

/** Add a stylesheet, once; resolves when it is there, or can't be had. */
function style(name) {
  if (!styles.has(name)) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = new URL(`css/${name}.css`, import.meta.url).href;
    styles.set(name, new Promise((resolve) => ["load", "error"].forEach((event) => link.addEventListener(event, resolve))));
    document.head.append(link);
  }
  return styles.get(name);
}

/** A page that draws a table needs more style than the lobby. */
const withTable = async (page) => (await Promise.all([page, style("cards"), style("table")]))[0];

/** Each page by its address, and how it is fetched; the lobby is there at once. */
const toLobby = async () => ({ default: Lobby });
const PAGES = [
  [/^\/$/, toLobby],
  [/^\/new$/, () => import("./pages/create.js")],
  [/^\/verify$/, () => import("./pages/verify.js")],
  [/^\/tables\/([^/]+)$/, () => withTable(import("./pages/table.js"))],
  [/^\/tables\/([^/]+)\/replay$/, () => withTable(import("./pages/replay.js"))],
  [/^\/players\/([^/]+)$/, () => import("./pages/player.js")],
  [/^\/tournaments(?:\/(.+))?$/, () => withTable(import("./pages/tournaments.js"))],
];

const views = new Map([[toLobby, Lobby]]);

/** The page of an address: `[its id in the address, how it is fetched]`. */
function pageOf(path) {
  const [match, load] = PAGES.map(([pattern, fetches]) => [path.match(pattern), fetches]).find(([found]) => found) ?? [];
  return [match?.[1], load];
}

const open = async (load) => views.has(load) || views.set(load, (await load()).default);

/** The server writes it into the next document, so that no other theme is seen first. */
function rememberTheme(theme) {
  const lasts = theme === "system" ? 0 : 31536000;
  document.cookie = `starledger-theme=${theme}; path=/; max-age=${lasts}; samesite=lax`;
}

function ThemeButton() {
  const [theme, set] = useState(document.documentElement.dataset.theme || "system");
  const next = { system: "dark", dark: "light", light: "system" }[theme];
  const change = () => {
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    rememberTheme(next);
    set(next);
  };
  const face = { system: "◐", dark: "☾", light: "☀" }[theme];
  return html`<button class="icon-button" onClick=${change} title=${`Theme: ${theme}`}>
    <span aria-hidden="true">${face}</span><span class="sr">Theme: ${theme}. Change to ${next}.</span>
  </button>`;
}

function Who() {
  const player = useSession();
  if (!player) return html`<button class="small name-button" onClick=${needPlayer}><span>Choose a </span>name</button>`;
  return html`<a class="who" href=${`/players/${player.id}`}>
    <span class="avatar" aria-hidden="true">${[...player.name][0].toUpperCase()}</span>
    <span class="who-name">${player.name}</span>
  </a>`;
}

function Page({ path, query }) {
  const [id, load] = pageOf(path);
  const [View, setView] = useState(() => views.get(load));
  const [error, setError] = useState(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (View || !load) return undefined;
    let isCurrent = true;
    setError(null);
    open(load).then(
      () => isCurrent && setView(() => views.get(load)),
      () => isCurrent && setError(new Error("This part of the page could not be loaded.")),
    );
    return () => {
      isCurrent = false;
    };
  }, [tries]);
  // What can't be had twice may be of another edition than this tab, or be remembered as lost by the browser.
  const again = () => setTries(tries + 1);
  const retry = tries ? () => fetch(location.href).then(() => location.reload(), again) : again;
  if (error) return html`<${ErrorNote} error=${error} retry=${retry} />`;
  return View ? html`<${View} id=${id} query=${query} />` : html`<${Loading} />`;
}

/** What a page can't draw is said; the frame stays. */
class Guard extends Component {
  componentDidCatch(error) {
    console.error(error);
    this.setState({ failed: true });
  }

  render({ children }, { failed }) {
    if (!failed) return children;
    return html`<h1>This can't be shown</h1>
      <p>Something here is not as this page expects it. Loading it anew may help.</p>
      <button class="primary" onClick=${() => location.reload()}>Load anew</button>`;
  }
}

function Lost() {
  useSession();
  if (!session.wasLost) return null;
  return html`<div class="note" role="status">
    This server does not know your name any more. Choose a new one to play.
    <button class="small" onClick=${needPlayer}>Choose a name</button>
  </div>`;
}

function App() {
  const { path, query } = useAddress();
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) {
      document.documentElement.dataset.moved = "yes";
      scrollTo(0, 0);
    }
    first.current = false;
  }, [path]);
  const at = (start) => (path === start || (start !== "/" && path.startsWith(`${start}/`)) ? "page" : undefined);
  return html`
    <a class="skip" href="#main">Skip to the content</a>
    <header class="top">
      <a class="brand" href="/" aria-label="Starledger, lobby">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <circle cx="15" cy="17" r="8" fill="var(--accent)" />
          <path d="M3 22c6 2 19-3 26-11" fill="none" stroke="var(--gold)" stroke-width="2.6" stroke-linecap="round" />
          <path d="M25 2l1.3 3.200L29.5 6.500l-3.2 1.300L25 11l-1.3-3.2-3.2-1.3 3.2-1.300z" fill="var(--text)" />
        </svg>
        <span>Starledger</span>
      </a>
      <nav aria-label="Main">
        <a href="/" aria-current=${at("/")}>Lobby</a>
        <a href="/tournaments" aria-current=${at("/tournaments")}>Tournaments</a>
        <a href="/verify" aria-current=${at("/verify")}>Verify</a>
      </nav>
      <div class="top-end"><${ThemeButton} /><${Who} /></div>
    </header>
    <main id="main" tabindex="-1"><${Lost} /><${Guard} key=${path}><${Page} path=${path} query=${query} /><//></main>
    <footer class="bottom">
      <span>Every deal can be checked, every move is on the record.</span>
      <nav aria-label="More"><a href="/docs">API reference</a><a href="/openapi.yaml">openapi.yaml</a></nav>
    </footer>
    <${NameDialog} />
  `;
}

/** Wait until nothing is pressed: a press that begins on a link and ends on what was drawn in its place would be none. */
const letGo = () =>
  document.querySelector("a:active") &&
  new Promise((resolve) => {
    for (const event of ["pointerup", "pointercancel", "dragend", "keyup"]) addEventListener(event, () => setTimeout(resolve), { once: true });
  });

/** The first drawing waits for what is on its way already: one drawing with all in it is sooner there than two. */
const LONGEST_WAIT_MS = 300;
const [, load] = pageOf(location.pathname);
Promise.all([allArrived(LONGEST_WAIT_MS), load && open(load).catch(() => {})]).then(letGo).then(() => {
  // What the document has drawn already is taken over as it stands, with what a screen reader or the keyboard is at.
  const root = document.getElementById("app");
  for (const note of document.querySelectorAll(".boot, .late")) note.remove();
  for (const link of root.querySelectorAll("a.primary")) {
    const button = document.createElement("button");
    const isHeld = link === document.activeElement;
    button.append(...link.childNodes);
    link.replaceWith(button);
    if (isHeld) button.focus({ preventScroll: true });
  }
  render(html`<${App} />`, root);
});
