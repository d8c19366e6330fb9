// A table as this browser sees it: what is shown now, the log, what may be done, and the connection.
//
// Entries are shown one after the other, slow enough to be seen; who falls behind catches up at once.

import { get, getFirst, pause, post } from "./api.js";
import { follow } from "./live.js";
import { setting } from "./session.js";

const DWELL_MS = 700;
const BEHIND = 6;
const FIRST_LOG = 120;
const TRY_AGAIN_MS = 2500;

export class Feed {
  table = null;
  commands = [];
  log = [];
  last = null;
  state = "connecting";
  error = null;
  sending = false;
  #queue = [];
  #listeners = new Set();
  #stop = new AbortController();
  #unfollow = null;
  #pumping = false;
  #turn = 0;

  constructor(id) {
    this.path = `/v1/tables/${encodeURIComponent(id)}`;
    this.open();
  }

  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close() {
    this.#stop.abort();
    this.#unfollow?.();
  }

  #tell() {
    for (const listener of this.#listeners) listener();
  }

  /** Read everything anew, then follow; where the server can't be reached, again and again. */
  async open() {
    const turn = (this.#turn += 1);
    const isLate = () => turn !== this.#turn || this.#stop.signal.aborted;
    this.#unfollow?.();
    this.#queue = [];
    try {
      const { signal } = this.#stop;
      const table = await getFirst(this.path, { signal, tries: 2 });
      const after = Math.max(0, table.version - FIRST_LOG);
      const [{ items }, commands] = await Promise.all([
        get(`${this.path}/events?after=${after}&limit=200`, { signal }),
        this.#commandsOf(table),
      ]);
      if (isLate()) return;
      this.log = items.filter((entry) => entry.version <= table.version);
      this.last = this.log.at(-1) ?? null;
      this.table = table;
      this.commands = commands;
      this.error = null;
      this.#unfollow = follow(`${this.path}/events`, table.version, {
        onEntry: (entry) => {
          this.#queue.push(entry);
          this.#pump();
        },
        onReset: () => this.open(),
        onState: (state) => {
          this.state = state;
          this.#tell();
        },
      });
    } catch (reason) {
      if (reason.name === "AbortError" || isLate()) return;
      this.error = reason;
      if (reason.retryable) {
        this.state = "waiting";
        pause(TRY_AGAIN_MS, this.#stop.signal).then(() => isLate() || this.open());
      }
    }
    this.#tell();
  }

  /** Read the log before what is known of it. */
  async earlier() {
    const first = this.log[0]?.version ?? 1;
    const after = Math.max(0, first - 1 - 200);
    const { items } = await get(`${this.path}/events?after=${after}&limit=200`);
    this.log = [...items.filter((entry) => entry.version < first), ...this.log];
    this.#tell();
  }

  #keep(entry) {
    if (entry.version > (this.log.at(-1)?.version ?? 0)) this.log = [...this.log, entry];
  }

  async #pump() {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#queue.length && !this.#stop.signal.aborted) {
        const behind = this.#queue.length;
        const entry = this.#queue.shift();
        this.#keep(entry);
        if (entry.version <= this.table.version) continue;
        if (behind > BEHIND) continue;
        const table = await get(`${this.path}?at=${entry.version}`, { signal: this.#stop.signal, tries: 8 });
        // The answer to a command of one's own may have come before it: what is chosen since then stays chosen.
        if (table.version <= this.table.version) continue;
        this.table = table;
        this.last = entry;
        this.commands = [];
        if (!this.#queue.length) {
          const commands = await this.#commandsOf(table);
          if (this.table === table) this.commands = commands;
        }
        this.#tell();
        const isCalm = document.visibilityState === "visible" && setting.get("pace") !== "fast";
        if (isCalm) await pause(DWELL_MS, this.#stop.signal);
      }
    } catch (reason) {
      if (reason.name !== "AbortError") {
        this.#pumping = false;
        this.error = reason;
        this.#tell();
        await pause(2000, this.#stop.signal);
        if (!this.#stop.signal.aborted) this.open();
      }
    }
    this.#pumping = false;
  }

  /** What the person may do at a table; nothing where it has gone on since. */
  async #commandsOf(table) {
    if (!table.you || table.status !== "playing") return [];
    const answer = await get(`${this.path}/commands`, { signal: this.#stop.signal, tries: 8 });
    return answer.version === table.version ? answer.commands : [];
  }

  /** Send a command; its answer is shown at once. Throws what the API refuses. */
  async act(command) {
    if (this.sending) return;
    this.sending = true;
    this.#tell();
    try {
      const answer = await post(`${this.path}/commands`, command, { tries: 8 });
      const own = answer.entries.at(-1);
      if (answer.version > this.table.version) {
        this.#queue = this.#queue.filter((entry) => {
          if (entry.version < answer.version) this.#keep(entry);
          return entry.version > answer.version;
        });
        if (own && own.version === (this.log.at(-1)?.version ?? 0) + 1) this.#keep(own);
        this.last = own ?? this.last;
        this.commands = answer.commands;
        this.table = {
          ...this.table,
          version: answer.version,
          view: answer.view,
          to_act: answer.to_act,
          outcome: answer.outcome ?? null,
          seats: this.table.seats.map((seat) => ({ ...seat, to_act: answer.to_act.includes(seat.seat) })),
        };
        this.#tell();
        const whole = await get(`${this.path}?at=${answer.version}`, { signal: this.#stop.signal });
        if (whole.version === this.table.version) this.table = whole;
      }
    } catch (reason) {
      if (reason.status === 409 || reason.status === 412) this.open();
      throw reason;
    } finally {
      this.sending = false;
      this.#tell();
    }
  }
}
