// Calls to the public API. It knows no game and no page.

import { session } from "./session.js";

/** A failure as the API tells it (RFC 9457), or one of the network (`code: "offline"`). */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || "Something went wrong.");
    this.status = status;
    this.code = body.code || "unknown";
    this.ruling = body.ruling;
    this.errors = body.errors;
    this.version = body.version;
    this.body = body;
    this.retryable = body.retryable === true || status === 0 || status === 503 || status === 429;
    this.afterMs = 0;
  }
}

/** A server that is busy says how long to wait (`Retry-After`); a person does not wait longer than this. */
const LONGEST_WAIT_MS = 10_000;

let skew = 0;

/** How far the server's clock is ahead of this one, in ms; from the `Date` of its answers. */
export const clockSkew = () => skew;

export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const pause = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });

export function authorization() {
  const token = session.current?.token;
  return token ? { Authorization: `Bearer ${token}` } : {};
}

async function once(method, path, { body, headers, signal, raw, type }) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: {
        Accept: "application/json, application/problem+json;q=0.9",
        ...(body === undefined ? {} : { "Content-Type": type || "application/json" }),
        ...authorization(),
        ...headers,
      },
      body: body === undefined ? undefined : type ? body : JSON.stringify(body),
      signal,
      cache: "no-store",
    });
  } catch (reason) {
    if (reason.name === "AbortError") throw reason;
    throw new Problem(0, { code: "offline", detail: "The server can't be reached. Trying again may help." });
  }
  const date = Date.parse(answer.headers.get("Date") || "");
  if (date) skew = date + 500 - Date.now();
  if (answer.ok) {
    if (raw) return answer;
    return answer.status === 204 ? null : answer.json();
  }
  const text = await answer.text();
  let problem = {};
  try {
    problem = JSON.parse(text);
  } catch {
    problem = { detail: `The server answered ${answer.status}.` };
  }
  if (answer.status === 401 && session.current) session.lost();
  const failed = new Problem(answer.status, problem);
  failed.afterMs = Math.min(LONGEST_WAIT_MS, 1000 * (Number(answer.headers.get("Retry-After")) || 0));
  throw failed;
}

/**
 * Call the API. What may be asked again is asked again up to `tries` times; a POST has one key for all of them, so
 * that it is done once.
 */
export async function api(method, path, options = {}) {
  const { tries = method === "GET" ? 3 : 4, ...rest } = options;
  const headers = { ...(method === "POST" ? { "Idempotency-Key": newKey() } : {}), ...rest.headers };
  for (let turn = 1; ; turn += 1) {
    try {
      return await once(method, path, { ...rest, headers });
    } catch (reason) {
      if (!(reason instanceof Problem) || !reason.retryable || turn >= tries) throw reason;
      await pause(Math.max(300 * 2 ** turn, reason.afterMs), rest.signal);
    }
  }
}

export const get = (path, options) => api("GET", path, options);
export const post = (path, body = {}, options = {}) => api("POST", path, { body, ...options });
export const remove = (path) => api("DELETE", path);

/** Read all items of a list, page by page. */
export async function getAll(path) {
  const items = [];
  for (let cursor = ""; cursor !== null; ) {
    const page = await get(`${path}?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

const early = globalThis.early ?? {};
const answers = {};
for (const [path, answer] of Object.entries(early)) answer.then((body) => (answers[path] = body));

/** What `early.js` asked for before this module was there, and has been answered; else undefined. */
export const arrived = (path) => answers[path] ?? undefined;

/** Read what `early.js` may have asked for; a second time it is asked anew. */
export async function getFirst(path, options) {
  const asked = early[path];
  delete early[path];
  const answer = await asked;
  delete answers[path];
  if (answer?.status === 404) throw new Problem(404, answer);
  return answer ?? get(path, options);
}

/** Wait until all that `early.js` asked for has come, but no longer than `ms`. */
export const allArrived = (ms) => Promise.race([Promise.all(Object.values(early)), pause(ms)]);

const games = new Map();

/** The catalogue's entry of a game; asked once. */
export function catalogue(game) {
  if (!games.has(game)) {
    const asked = get(`/v1/games/${encodeURIComponent(game)}`);
    asked.catch(() => games.delete(game));
    games.set(game, asked);
  }
  return games.get(game);
}
