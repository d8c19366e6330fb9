// The log of a table as it grows: Server-Sent Events over fetch, since EventSource can't send a token.

import { Problem, authorization, get, pause } from "./api.js";

const SILENCE_MS = 40_000;
const LONGEST_WAIT_MS = 10_000;

/** Give the messages of an event stream as `{event, id, data}`; comments come as `{event: "comment"}`. */
export async function* messages(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += value;
      const parts = rest.split(/\r\n\r\n|\n\n|\r\r/);
      rest = parts.pop();
      for (const part of parts) yield parsed(part);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parsed(part) {
  const message = { event: "comment", data: "" };
  for (const line of part.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") {
      message.data += (message.data ? "\n" : "") + value;
      if (message.event === "comment") message.event = "message";
    } else if (field === "event") message.event = value;
    else if (field === "id") message.id = value;
  }
  return message;
}

/**
 * Follow a log from behind version `after`, for ever or until its end.
 *
 * `onEntry(entry)` gets each entry once and in order, whatever breaks in between. `onReset()` says that the log can't
 * be followed from there: read it anew. `onState` gets "connecting", "live", "waiting" or "ended". What is not there
 * (any more) is not asked for again.
 * Gives a function that stops it.
 */
export function follow(path, after, { onEntry, onReset, onEnd, onState }) {
  const stop = new AbortController();
  let last = after;
  let failures = 0;

  async function connect() {
    const attempt = new AbortController();
    const abort = () => attempt.abort();
    stop.signal.addEventListener("abort", abort);
    let timer = setTimeout(abort, SILENCE_MS);
    try {
      const answer = await fetch(path, {
        headers: {
          Accept: "text/event-stream",
          ...(last > 0 ? { "Last-Event-ID": String(last) } : {}),
          ...authorization(),
        },
        signal: attempt.signal,
        cache: "no-store",
      });
      if (answer.status === 204) return "ended";
      if (answer.status === 503) return await askOnce(attempt.signal);
      if (!answer.ok) throw new Problem(answer.status, await answer.json().catch(() => ({})));
      onState("live");
      for await (const message of messages(answer.body)) {
        clearTimeout(timer);
        timer = setTimeout(abort, SILENCE_MS);
        failures = 0;
        if (message.event === "message") {
          const entry = JSON.parse(message.data);
          if (entry.version !== last + 1) return "reset";
          last = entry.version;
          onEntry(entry);
        } else if (message.event === "end") return "ended";
        else if (message.event === "reset") return "reset";
      }
      return "broken";
    } finally {
      clearTimeout(timer);
      stop.signal.removeEventListener("abort", abort);
      attempt.abort();
    }
  }

  /** All places for streams are taken: a page that waits does as well. */
  async function askOnce(signal) {
    const { items, status } = await get(`${path}?after=${last}&limit=200&wait=20`, { signal, tries: 1 });
    onState("live");
    for (const entry of items) {
      last = entry.version;
      onEntry(entry);
    }
    if (!items.length && (status === "finished" || status === "aborted")) return "ended";
    return "again";
  }

  async function run() {
    while (!stop.signal.aborted) {
      let outcome = "broken";
      onState(failures ? "waiting" : "connecting");
      try {
        outcome = await connect();
      } catch (reason) {
        outcome = reason.status === 404 ? "ended" : "broken";
      }
      if (stop.signal.aborted) return;
      if (outcome === "ended") {
        onState("ended");
        onEnd?.();
        return;
      }
      if (outcome === "reset") {
        onReset();
        return;
      }
      if (outcome === "again") continue;
      failures += 1;
      onState("waiting");
      const wait = Math.min(LONGEST_WAIT_MS, 250 * 2 ** failures) * (0.5 + Math.random() / 2);
      const online = new AbortController();
      addEventListener("online", () => online.abort(), { once: true, signal: stop.signal });
      await pause(wait, AbortSignal.any([stop.signal, online.signal]));
    }
  }

  run();
  return () => stop.abort();
}
