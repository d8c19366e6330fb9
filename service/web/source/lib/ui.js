// Small parts that every page uses.

import { html, useCallback, useEffect, useRef, useState } from "../vendor/htm-preact.js";
import { session } from "./session.js";
import { post } from "./api.js";
import { ago, exactTime } from "./words.js";

export function useSession() {
  const [current, set] = useState(session.current);
  useEffect(() => {
    const heard = () => set(session.current);
    session.addEventListener("change", heard);
    return () => session.removeEventListener("change", heard);
  }, []);
  return current;
}

/** Set the title, and give the heading the focus when a page opens, so that a screen reader begins there. */
export function usePage(title) {
  useEffect(() => {
    document.title = title ? `${title} · Starledger` : "Starledger";
  }, [title]);
}

export function Heading({ children, focus = true }) {
  const ref = useRef();
  useEffect(() => {
    if (focus && document.documentElement.dataset.moved) ref.current?.focus({ preventScroll: true });
  }, []);
  return html`<h1 tabindex="-1" ref=${ref}>${children}</h1>`;
}

export function ErrorNote({ error, retry }) {
  if (!error) return null;
  return html`<div class="note bad" role="alert">
    <span aria-hidden="true" class="note-mark">!</span>
    <span>
      ${error.message}
      ${error.ruling && html` <span class="ruling">Ruling ${error.ruling}</span>`}
      ${error.errors && html`<${FieldErrors} errors=${error.errors} />`}
    </span>
    ${retry && html`<button class="small" onClick=${retry}>Try again</button>`}
  </div>`;
}

/** How long ago; who points at it sees the time in full. */
export const Ago = ({ time }) =>
  html`<time datetime=${time} onPointerEnter=${(event) => (event.currentTarget.title = exactTime(time))}>${ago(time)}</time>`;

const TRY_AGAIN_S = 5;

/** A page that has nothing to show: why, and where to go on. What may pass is tried again by itself. */
export function Failed({ error, retry, home = ["/", "To the lobby"] }) {
  useEvery(TRY_AGAIN_S, () => error.retryable && retry?.(), [error]);
  const title = { 0: "No connection", 404: "There is nothing here", 429: "One moment" }[error.status] ?? "This can't be shown";
  usePage(title);
  return html`<section class="failed">
    <${Heading}>${title}<//>
    <p role="alert">${error.message}${error.retryable ? " The page goes on trying." : ""}</p>
    <div class="row center">
      ${retry && error.status !== 404 && html`<button class="primary" onClick=${retry}>Try again</button>`}
      <a class="button" href=${home[0]}>${home[1]}</a>
    </div>
  </section>`;
}

/** The problem's errors by field, however deep they are. */
export function FieldErrors({ errors }) {
  const lines = [];
  const walk = (value, path) => {
    if (typeof value === "string") lines.push([path, value]);
    else if (Array.isArray(value)) {
      value.forEach((each, at) => walk(each, typeof each === "string" ? path : `${path}[${at}]`));
    } else if (value && typeof value === "object") {
      if (typeof value.field === "string" && typeof (value.message ?? value.detail) === "string") {
        lines.push([value.field, value.message ?? value.detail]);
      } else for (const [name, each] of Object.entries(value)) walk(each, path ? `${path}.${name}` : name);
    }
  };
  walk(errors, "");
  return html`<ul class="field-errors">
    ${lines.map(([path, text]) => html`<li><code>${path || "body"}</code> ${text}</li>`)}
  </ul>`;
}

export function Loading({ children = "Loading" }) {
  return html`<p class="loading" role="status"><span class="orbit" aria-hidden="true"></span>${children}</p>`;
}

/** A modal window; Escape and the backdrop close it, and the focus goes back to where it was. */
export function Modal({ title, onClose, children }) {
  const ref = useRef();
  const close = useCallback(() => ref.current?.close(), []);
  useEffect(() => {
    const before = document.activeElement;
    ref.current.showModal();
    return () => before?.focus?.();
  }, []);
  return html`<dialog
    ref=${ref}
    class="modal"
    aria-labelledby="modal-title"
    onClose=${onClose}
    onClick=${(event) => event.target === ref.current && close()}
  >
    <div class="modal-body">
      <h2 id="modal-title">${title}</h2>
      ${children({ close })}
    </div>
  </dialog>`;
}

let asking = null;
const askers = new EventTarget();

/** Give the player at this browser; asks for a name where there is none. Null: the person would rather not. */
export function needPlayer() {
  if (session.current) return Promise.resolve(session.current);
  return new Promise((resolve) => {
    asking = resolve;
    askers.dispatchEvent(new Event("ask"));
  });
}

export function NameDialog() {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState("");
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const heard = () => setOpen(true);
    askers.addEventListener("ask", heard);
    return () => askers.removeEventListener("ask", heard);
  }, []);
  if (!open) return null;
  const closed = () => {
    setOpen(false);
    setError(null);
    asking?.(session.current);
    asking = null;
  };
  return html`<${Modal} title="Choose a name" onClose=${closed}>
    ${({ close }) => {
      const submit = async (event) => {
        event.preventDefault();
        setBusy(true);
        try {
          const { id, name: given, token } = await post("/v1/players", { name: name.trim(), kind: "human" });
          session.set({ id, name: given, token });
          close();
        } catch (reason) {
          setError(reason);
        }
        setBusy(false);
      };
      return html`<form onSubmit=${submit} class="stack">
        <p class="muted">The others at the table see it. It can't be changed later, and this browser remembers it.</p>
        <label class="field">
          <span>Name</span>
          <input
            name="name"
            required
            maxlength="40"
            autocomplete="nickname"
            value=${name}
            onInput=${(event) => setName(event.target.value)}
          />
        </label>
        <${ErrorNote} error=${error} />
        <div class="row end">
          <button type="button" class="quiet" onClick=${close}>Not now</button>
          <button type="submit" class="primary" disabled=${busy || !name.trim()}>Use this name</button>
        </div>
      </form>`;
    }}
  <//>`;
}

const entropy = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24)))).replace(/\+/g, "-").replace(/\//g, "_");

/**
 * Take a seat, or the first free one, with fresh bytes of one's own for the deal (docs/fairness.md); null where the
 * person would rather have no name.
 */
export async function sitDown(table, seat) {
  if (!(await needPlayer())) return null;
  return post(`/v1/tables/${table.id}/seats`, {
    ...(seat === undefined ? {} : { seat }),
    ...(table.fairness?.chosen_seed || table.fairness?.seed_withheld_until ? {} : { entropy: entropy() }),
  });
}

/** Run something that may fail, once at a time: `[run, busy, error, clear]`. */
export function useAction(action) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  const latest = useRef(action);
  latest.current = action;
  const run = useCallback(async (...args) => {
    setBusy(true);
    setError(null);
    try {
      return await latest.current(...args);
    } catch (reason) {
      if (reason.name !== "AbortError") setError(reason);
      return undefined;
    } finally {
      setBusy(false);
    }
  }, []);
  return [run, busy, error, () => setError(null)];
}

const NARROW = matchMedia("(max-width: 620px)");

/** Whether there is no more room than a phone has; what is seen first then also comes first for the keyboard. */
export function useNarrow() {
  const [isNarrow, set] = useState(NARROW.matches);
  useEffect(() => {
    const heard = () => set(NARROW.matches);
    heard();
    NARROW.addEventListener("change", heard);
    return () => NARROW.removeEventListener("change", heard);
  }, []);
  return isNarrow;
}

/** Call again every `seconds` while the page is looked at. */
export function useEvery(seconds, action, inputs = []) {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && latest.current(), seconds * 1000);
    const seen = () => document.visibilityState === "visible" && latest.current();
    document.addEventListener("visibilitychange", seen);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, inputs);
}

/** Seconds of the wall clock, ticking. */
export function useNow(active) {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    if (!active) return undefined;
    const timer = setInterval(() => set(Date.now()), 500);
    return () => clearInterval(timer);
  }, [active]);
  return now;
}
