// Written by `make page` from service/web/source: change it there.
// htm (Apache-2.0) and Preact (MIT) are in first.js; their licences stand in vendor/.
import { games_marks, lib_api, lib_live, lib_router, lib_session, lib_ui, lib_words, vendor_htm_preact } from "./first.js";
export const lib_feed = (() => {
const { get, getFirst, pause, post } = lib_api;
const { follow } = lib_live;
const { setting } = lib_session;

const DWELL_MS = 700;
const BEHIND = 6;
const FIRST_LOG = 120;
const TRY_AGAIN_MS = 2500;

class Feed {
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

  async #commandsOf(table) {
    if (!table.you || table.status !== "playing") return [];
    const answer = await get(`${this.path}/commands`, { signal: this.#stop.signal, tries: 8 });
    return answer.version === table.version ? answer.commands : [];
  }

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
return { Feed };
})();
export const lib_picker = (() => {
const { useMemo, useState } = vendor_htm_preact;

const has = (command, tokens) => tokens.every((token) => command.tokens.has(token));

function usePicker(commands, tokensOf, isSet, version) {
  const all = useMemo(
    () =>
      commands
        .filter((command) => command.type !== "resign" && !command.type.endsWith("_clock"))
        .map((command) => ({ command, tokens: new Set(tokensOf(command)) })),
    [commands],
  );
  const [choice, choose] = useState({ version, tokens: [] });
  const picked = choice.version === version ? choice.tokens : [];
  const setPicked = (tokens) => choose({ version, tokens });

  const live = picked.filter((token) => all.some((command) => command.tokens.has(token)));
  const fits = all.filter((command) => has(command, live));
  const known = useMemo(() => new Set(all.flatMap((command) => [...command.tokens])), [all]);
  const lit = new Set(fits.flatMap((command) => [...command.tokens]));
  const ready = live.length ? fits.find((command) => command.tokens.size === live.length)?.command ?? null : null;

  const state = (token) =>
    live.includes(token) ? "picked" : lit.has(token) ? "can" : known.has(token) ? "may" : "no";

  const toggle = (token) => {
    if (live.includes(token)) {
      if (ready && live.at(-1) === token && !isSet?.(ready)) return ready;
      setPicked(live.filter((each) => each !== token));
      return null;
    }
    let kept = [];
    for (const each of [...live].reverse()) {
      if (all.some((command) => has(command, [token, each, ...kept]))) kept = [each, ...kept];
    }
    setPicked([...kept, token]);
    const complete = all.filter((command) => has(command, [...kept, token]));
    const done = complete.find((command) => command.tokens.size === kept.length + 1)?.command ?? null;
    return done && complete.length === 1 && !isSet?.(done) ? { complete: done } : null;
  };

  const actions = fits
    .map(({ command, tokens }) => {
      const open = [...tokens].filter((token) => !live.includes(token));
      return open.length === 1 && open[0].startsWith("act:") ? { token: open[0], command } : null;
    })
    .filter(Boolean);

  return { state, toggle, ready, actions, picked: live, clear: () => setPicked([]), any: all.length > 0, all, fits: fits.map(({ command }) => command) };
}
return { usePicker };
})();
export const pages_log = (() => {
const { Component, html, useEffect, useRef } = vendor_htm_preact;
const { withNames } = lib_words;

const entryWords = (entry, names) => withNames(entry.summary || "", names);

class Row extends Component {
  shouldComponentUpdate(next) {
    return ["entry", "names", "rich", "isCurrent", "onJump"].some((name) => next[name] !== this.props[name]);
  }

  render({ entry, names, rich, isCurrent, onJump }) {
    const words = entryWords(entry, names) || "–";
    const body = html`<span class="log-version">${entry.version}</span><span class="log-words">${rich ? rich(words) : words}</span>`;
    return html`<li class=${entry.seat === undefined ? "" : `by-${entry.seat % 6}`} aria-current=${isCurrent ? "step" : undefined}>
      ${onJump ? html`<button class="log-jump" onClick=${() => onJump(entry.version)}>${body}</button>` : body}
    </li>`;
  }
}

function Log({ entries, names, rich, current, onEarlier, onJump }) {
  const list = useRef(null);
  const pinned = useRef(true);
  useEffect(() => {
    const box = list.current;
    if (!box) return;
    if (onJump) {
      const row = box.querySelector('[aria-current="step"]');
      if (row) box.scrollTop = row.offsetTop - box.clientHeight / 2;
    } else if (pinned.current) box.scrollTop = box.scrollHeight;
  }, [entries.length, current]);
  const scrolled = (event) => {
    const box = event.target;
    pinned.current = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  };
  const shown = onJump ? entries : entries.filter((entry) => entry.version <= current);
  return html`<div class="log">
    <h2>Log</h2>
    ${onEarlier && html`<button class="small quiet" onClick=${onEarlier}>Show earlier moves</button>`}
    <ol ref=${list} onScroll=${scrolled} tabindex="0" aria-label="What happened, the newest last">
      ${shown.map(
        (entry) => html`<${Row} key=${entry.version} entry=${entry} names=${names} rich=${rich} isCurrent=${entry.version === current} onJump=${onJump} />`,
      )}
    </ol>
  </div>`;
}
return { entryWords, Log };
})();
export const games_parts = (() => {
const { html } = vendor_htm_preact;
const { useNow } = lib_ui;
const { clockSkew } = lib_api;
const { clockFace, plural } = lib_words;

function Part({ token, pick, say, kind = "card", fresh, children }) {
  const state = token && pick ? pick.state(token) : "no";
  const classes = `part ${kind} ${state} ${fresh ? "fresh" : ""}`;
  const title = kind.startsWith("cell") ? say : undefined;
  if (state === "no") return html`<span class=${classes} role="img" aria-label=${say} title=${title}>${children}</span>`;
  return html`<button
    type="button"
    class=${classes}
    title=${title}
    data-token=${token}
    aria-pressed=${String(state === "picked")}
    aria-label=${say}
    disabled=${pick.busy}
    onClick=${() => pick.press(token)}
  >
    ${children}
    ${state === "picked" && html`<span class="tick" aria-hidden="true">✓</span>`}
  </button>`;
}

const Back = ({ count, say }) =>
  html`<span class="card-back" role="img" aria-label=${say || plural(count, "hidden card")}>
    <span aria-hidden="true">${count}</span>
  </span>`;

function HiddenHand({ count }) {
  return html`<span class="fan" role="img" aria-label=${`${plural(count, "card")} in hand`}>
    ${Array.from({ length: Math.min(count, 6) }, () => html`<i aria-hidden="true"></i>`)}
    <b aria-hidden="true">${count}</b>
  </span>`;
}

function Pile({ title, count, children, note }) {
  return html`<div class="pile">
    <span class="pile-face">${children ?? html`<span class="card-back ${count ? "" : "none"}" aria-hidden="true"></span>`}</span>
    <span class="pile-text"><b>${count}</b> ${title}${note ? html`<br /><span class="muted">${note}</span>` : ""}</span>
  </div>`;
}

function Countdown({ clock, seat }) {
  const deadline = clock?.deadlines?.find((each) => each.seat === seat);
  const now = useNow(Boolean(deadline) && !clock.paused);
  if (!clock) return null;
  if (deadline) {
    const left = (Date.parse(deadline.due) - now - clockSkew()) / 1000;
    if (clock.paused) return html`<span class="clock">paused</span>`;
    return html`<span class="clock ${left < 10 ? "low" : ""}" role="timer">${clockFace(left)}</span>`;
  }
  const bank = clock.banks?.[seat];
  return bank === undefined ? null : html`<span class="clock idle">${clockFace(bank)}</span>`;
}

function Plate({ ctx, seat, score, unit, children }) {
  const { table, names, me } = ctx;
  const facts = table.seats[seat];
  const acts = table.status === "playing" && table.to_act.includes(seat);
  const isBot = facts.kind === "ai" || Boolean(facts.played_by);
  const place = table.outcome?.places?.[seat];
  const won = table.outcome?.winners.includes(seat);
  return html`<div class="plate ${acts ? "acts" : ""} seat-${seat % 6}">
    <span class="avatar" aria-hidden="true">${isBot ? "◇" : [...names[seat]][0]?.toUpperCase()}</span>
    <span class="plate-name" title=${names[seat]}>
      ${names[seat]}${seat === me && !ctx.isPast ? html` <span class="you">you</span>` : ""}
    </span>
    ${facts.resigned && html`<span class="badge">gave up</span>`}
    ${won && html`<span class="badge turn">★ winner</span>`}
    ${place && !won ? html`<span class="badge">place ${place}</span>` : ""}
    ${acts &&
    html`<span class="badge turn"
      >${ctx.isPast ? "to move" : seat === me ? "your turn" : html`${isBot ? "thinking" : "to move"}<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>`}</span
    >`}
    <${Countdown} clock=${table.clock} seat=${seat} />
    ${children}
    ${score !== undefined && html`<span class="score"><b>${score}</b> <span class="unit">${unit}</span></span>`}
  </div>`;
}

function others(count, me) {
  if (me === null) return Array.from({ length: count }, (_, at) => at);
  return Array.from({ length: count - 1 }, (_, at) => (me + 1 + at) % count);
}

const touched = (entry, tokensOf) => new Set((entry?.events ?? []).flatMap(tokensOf).filter(Boolean));
return { Part, Back, HiddenHand, Pile, Countdown, Plate, others, touched };
})();
export const games_beam_me_up = (() => {
const { html } = vendor_htm_preact;
const { plural, spoken } = lib_words;
const { useNarrow } = lib_ui;
const { HiddenHand, Part, Pile, Plate, others, touched } = games_parts;

const ELEMENTALS = { A: "Air", E: "Earth", F: "Fire", W: "Water" };
const SIGNS = {
  A: () => html`<path d="M3 9h11a3 3 0 1 0-3-3M3 13h15a3 3 0 1 1-3 3M3 17h7" />`,
  E: () => html`<path d="M2 19 9 6l4 7 3-4 6 10z" />`,
  F: () => html`<path d="M12 2c1 5 6 7 6 13a6 6 0 0 1-12 0c0-3 2-4 2-7 2 1 3 2 3 4 1-3 1-6 1-10z" />`,
  W: () => html`<path d="M12 2c3 5 6 8 6 12a6 6 0 0 1-12 0c0-4 3-7 6-12z" />`,
};

const Sign = ({ kind }) => html`<svg class="sign el-${kind}" viewBox="0 0 24 24" aria-hidden="true">${SIGNS[kind]()}</svg>`;

const ALIENS = {
  A: () => html`<path d="M14 36c-5-3-6-20 10-20s15 17 10 20c-2 1-3-2-5-2s-3 4-5 4-3-4-5-4-3 3-5 2z" /><path class="thin" d="M18 17 13 9M30 17l5-8" /><circle class="eye" cx="20" cy="26" r="3.2" /><circle class="eye" cx="29" cy="26" r="3.2" /><circle class="dot" cx="20.6" cy="26.5" r="1.3" /><circle class="dot" cx="28.4" cy="26.5" r="1.3" />`,
  E: () => html`<path d="M10 37c-2-8 0-13 4-16-2-5 0-8 3-10 1 3 4 5 7 5s6-2 7-5c3 2 5 5 3 10 4 3 6 8 4 16z" /><ellipse class="eye" cx="24" cy="25" rx="6" ry="5" /><circle class="dot" cx="24" cy="25.5" r="2.2" /><path class="thin light" d="M17 33h14" />`,
  F: () => html`<path d="M24 8c3 5 4 6 8 5-1 4 4 7 4 14 0 8-5 11-12 11s-12-3-12-11c0-7 5-10 4-14 4 1 5 0 8-5z" /><path class="eye" d="M16 24l7 3-6 3zM32 24l-7 3 6 3z" /><path class="thin light" d="M19 34l2-2 3 2 3-2 2 2" />`,
  W: () => html`<path d="M12 26c0-9 5-14 12-14s12 5 12 14c0 3-1 5-2 6v6l-4-4-3 5-3-5-3 5-3-5-4 4v-6c-1-1-2-3-2-6z" /><circle class="eye" cx="18" cy="23" r="2.6" /><circle class="eye" cx="24" cy="20.5" r="2.6" /><circle class="eye" cx="30" cy="23" r="2.6" /><circle class="dot" cx="18" cy="23.4" r="1.1" /><circle class="dot" cx="24" cy="20.9" r="1.1" /><circle class="dot" cx="30" cy="23.4" r="1.1" />`,
};

const RACERS = {
  mercury: { number: 1, kind: "A", body: "#b6a99a", more: () => html`<circle cx="19" cy="20" r="2.5" fill="#8f8275" /><circle cx="28" cy="28" r="3.5" fill="#8f8275" /><circle cx="29" cy="18" r="1.5" fill="#8f8275" />` },
  venus: { number: 2, kind: "E", body: "#e6c27a", more: () => html`<path d="M12 20c8-4 16 3 24-1M13 29c8-3 14 3 22 0" stroke="#c19a4c" stroke-width="2.5" fill="none" />` },
  earth: { number: 3, kind: "*", body: "#3f83d6", more: () => html`<path d="M15 18c4-5 9-4 10-1s-3 3-3 6-5 3-7 0zM27 27c3-3 7-1 7 1s-4 6-6 5-3-4-1-6z" fill="#63b365" />` },
  mars: { number: 4, kind: "F", body: "#cf5a37", more: () => html`<path d="M14 27c6-4 12 2 20-2" stroke="#9c3d22" stroke-width="2.5" fill="none" /><path d="M20 13h8l-3 2h-3z" fill="#fbe9df" />` },
  jupiter: { number: 5, kind: "F", body: "#dcae7d", more: () => html`<path d="M13 19h22M12 24h24M13 29h22" stroke="#a9703f" stroke-width="2" /><ellipse cx="29" cy="27" rx="3.5" ry="2.2" fill="#c0502f" />` },
  saturn: { number: 6, kind: "E", body: "#e5cf97", more: () => html`<ellipse cx="24" cy="24" rx="20" ry="5" fill="none" stroke="#b89a5a" stroke-width="2.5" transform="rotate(-15 24 24)" />` },
  uranus: { number: 7, kind: "A", body: "#8fd9dc", more: () => html`<ellipse cx="24" cy="24" rx="4" ry="18" fill="none" stroke="#5aa6ab" stroke-width="1.5" transform="rotate(12 24 24)" />` },
  neptune: { number: 8, kind: "W", body: "#3d5fd0", more: () => html`<path d="M14 20c7 3 13-2 20 1" stroke="#7f9bf0" stroke-width="2" fill="none" /><circle cx="20" cy="28" r="2" fill="#2a44a5" />` },
  pluto: { number: 9, kind: "W", body: "#c9b8a8", more: () => html`<path d="M24 33c-5-4-7-6-6-9 1-2 4-2 6 0 2-2 5-2 6 0 1 3-1 5-6 9z" fill="#f0e4d8" />` },
};

const cardName = (card) => `${ELEMENTALS[card[0]]} ${card.slice(1)}`;
const racerName = (racer) => `${spoken(racer)}, ${RACERS[racer]?.kind === "*" ? "all elementals" : ELEMENTALS[RACERS[racer]?.kind] ?? ""}`;

function Alien({ card }) {
  const kind = card[0];
  const number = card.slice(1);
  return html`<span class="face bmu el-${kind}" aria-hidden="true">
    <span class="corner">${number}<${Sign} kind=${kind} /></span>
    <svg class="alien" viewBox="0 0 48 48">${ALIENS[kind]()}</svg>
    <span class="corner foot">${number}</span>
  </span>`;
}

function Racer({ racer }) {
  const { kind, body, more, number } = RACERS[racer] ?? { kind: "*", body: "#888", more: () => null, number: "" };
  return html`<span class="racer-face" aria-hidden="true">
    <svg viewBox="0 0 48 48"><circle cx="24" cy="24" r="13" fill=${body} />${more()}</svg>
    <span class="racer-kind">
      ${(kind === "*" ? ["A", "E", "F", "W"] : [kind]).map((each) => html`<${Sign} kind=${each} />`)}
    </span>
    <span class="racer-name">${spoken(racer)}</span>
    <span class="racer-number">${number}</span>
  </span>`;
}

const Card = ({ card, where, pick, fresh, owner }) =>
  html`<${Part}
    token=${where && `${where}:${card}`}
    pick=${pick}
    fresh=${fresh}
    say=${owner ? `${cardName(card)}, laid by ${owner}` : cardName(card)}
    ><${Alien} card=${card}
  /><//>`;

function Line({ seat, ctx, fresh }) {
  const own = seat.seat === ctx.me;
  if (!seat.line) return html`<span class="line"><span class="muted">${plural(seat.line_count, "hidden card")} in line</span></span>`;
  const free = Math.max(0, 3 - seat.line.length);
  return html`<span class="line" role="group" aria-label=${`Line of ${ctx.names[seat.seat]}: ${seat.line.map(cardName).join(", ") || "empty"}`}>
    ${seat.line.map((card) => html`<${Card} card=${card} where=${own && "line"} pick=${ctx.pick} fresh=${fresh.has(`c:${card}`)} key=${card} />`)}
    ${Array.from({ length: free }, () => html`<span class="stand" aria-hidden="true"></span>`)}
  </span>`;
}

const Won = ({ racers }) =>
  racers.length > 0 &&
  html`<span class="won" role="group" aria-label="Space Racers">
    ${racers.map(
      (racer) => html`<span class="won-racer" role="img" aria-label=${racerName(racer)} title=${racerName(racer)}>
        <svg viewBox="8 8 32 32" aria-hidden="true">
          <circle cx="24" cy="24" r="13" fill=${RACERS[racer]?.body ?? "#888"} />${RACERS[racer]?.more()}
        </svg>
      </span>`,
    )}
  </span>`;

function Seat({ seat, ctx, fresh }) {
  return html`<section class="seat" aria-label=${ctx.names[seat.seat]}>
    <${Plate} ctx=${ctx} seat=${seat.seat} score=${seat.racers.length} unit=${seat.racers.length === 1 ? "racer" : "racers"}
      ><${Won} racers=${seat.racers}
    /><//>
    <div class="seat-row">
      <${Line} seat=${seat} ctx=${ctx} fresh=${fresh} />
      ${seat.hand
        ? html`<span class="open-hand" role="group" aria-label="Hand">
            ${seat.hand.map((card) => html`<${Card} card=${card} key=${card} />`)}
          </span>`
        : html`<${HiddenHand} count=${seat.hand_count} />`}
    </div>
  </section>`;
}

function Trick({ view, ctx, fresh }) {
  const { trick } = view;
  const last = trick.layers.length - 1;
  return html`<section class="trick" aria-label=${`Trick ${trick.number}`}>
    <h2 class="zone-title">
      Trick ${trick.number}${trick.layers.length > 1 ? html` · layer ${trick.layers.length}` : ""}
      ${trick.winner !== null && html`<span class="badge turn">${ctx.names[trick.winner]} takes it</span>`}
    </h2>
    ${trick.layers.length === 0 && html`<p class="muted">No card is laid yet.</p>`}
    ${trick.layers.map(
      (layer, at) => html`<div class="layer" key=${at}>
        ${last > 0 && html`<span class="layer-number muted">Layer ${at + 1}</span>`}
        ${layer.map(({ seat, card }) => {
          const gone = !trick.on_table.includes(card);
          return html`<figure class="laid ${gone ? "gone" : ""} ${trick.winner === seat && at === last ? "wins" : ""}" key=${card}>
            ${gone
              ? html`<span class="stand" role="img" aria-label=${`${cardName(card)} was taken`}></span>`
              : html`<${Card} card=${card} where="table" pick=${ctx.pick} fresh=${fresh.has(`c:${card}`)} owner=${ctx.names[seat]} />`}
            <figcaption class="seat-${seat % 6}">${ctx.names[seat]}</figcaption>
          </figure>`;
        })}
      </div>`,
    )}
  </section>`;
}

function Board({ ctx }) {
  const { table, me, pick } = ctx;
  const { view } = table;
  const fresh = touched(ctx.last, (event) => {
    if (event.type === "card_played" || event.type === "card_collected") return [`c:${event.card}`];
    return event.type === "racer_launched" ? [`r:${event.racer}`] : [];
  });
  const own = me === null ? null : view.seats[me];
  const rest = others(view.seats.length, me);
  const isNarrow = useNarrow();
  const opponents = html`<div class="opponents of-${rest.length}" key="opponents">
    ${rest.map((at) => html`<${Seat} seat=${view.seats[at]} ctx=${ctx} fresh=${fresh} key=${at} />`)}
  </div>`;
  const racers = html`<section class="racers" aria-label="Space Racers still to be had" key="racers">
    <h2 class="zone-title">Space Racers</h2>
    <div class="racer-row">
      ${view.racers.map(
        (racer) => html`<${Part} kind="racer" token=${`racer:${racer}`} pick=${pick} say=${racerName(racer)} key=${racer}
          ><${Racer} racer=${racer}
        /><//>`,
      )}
      ${view.racers.length === 0 && html`<p class="muted">All are launched.</p>`}
    </div>
  </section>`;
  const trick = html`<${Trick} view=${view} ctx=${ctx} fresh=${fresh} key="trick" />`;
  const middle = html`<div class="middle bmu-middle" key="middle">
      ${isNarrow && view.phase !== "launch" ? [trick, racers] : [racers, trick]}
      <div class="piles" key="piles">
        <${Pile} title="to draw" count=${view.draw_count} />
        <${Pile} title="discarded" count=${view.discard_count}
          >${view.discard_top ? html`<${Part} say=${`Discard pile, top: ${cardName(view.discard_top)}`}><${Alien} card=${view.discard_top} /><//>` : undefined}<//
        >
        <${Pile} title="at home" count=${view.home_count}><span class="home-mark" aria-hidden="true">⌂</span><//>
      </div>
    </div>`;
  const side =
    own &&
    html`<section class="own" aria-label=${ctx.isPast ? `Side of ${ctx.names[me]}` : "Your side"} key="own">
      <${Plate} ctx=${ctx} seat=${me} score=${own.racers.length} unit=${own.racers.length === 1 ? "racer" : "racers"}><${Won} racers=${own.racers} /><//>
      <div class="seat-row">
        <h2 class="zone-title">${ctx.isPast ? "Line" : "Your line"}</h2>
        <${Line} seat=${own} ctx=${ctx} fresh=${fresh} />
      </div>
    </section>`;
  return html`<div class="board bmu-board">${isNarrow ? [middle, side, opponents] : [opponents, middle, side]}</div>`;
}

function Hand({ ctx }) {
  const drawn = touched(ctx.last, (event) => (event.type === "cards_drawn" ? event.cards ?? [] : []));
  return html`<div class="hand" role="group" aria-label=${ctx.isPast ? `Hand of ${ctx.names[ctx.me]}` : "Your hand"}>
    ${(ctx.table.view.seats[ctx.me].hand ?? []).map(
      (card) => html`<${Card} card=${card} where="hand" pick=${ctx.pick} fresh=${drawn.has(card)} key=${card} />`,
    )}
  </div>`;
}

function tokens(command) {
  switch (command.type) {
    case "play_card":
      return [`hand:${command.card}`];
    case "collect_card":
      return [`table:${command.card}`, ...(command.replace ? [`line:${command.replace}`] : [])];
    case "launch_racer":
      return [`racer:${command.racer}`];
    default:
      return [`act:${command.type}`];
  }
}

function say(command) {
  switch (command.type) {
    case "play_card":
      return `Lay ${cardName(command.card)}`;
    case "collect_card":
      return command.replace
        ? `Take ${cardName(command.card)}, put ${cardName(command.replace)} away`
        : `Take ${cardName(command.card)}`;
    case "decline_card":
      return "Take no more cards";
    case "launch_racer":
      return `Beam me up: launch ${spoken(command.racer)}`;
    default:
      return spoken(command.type);
  }
}

function prompt({ table, picked, me }) {
  const { phase, trick } = table.view;
  if (phase === "play") return trick.layers.length ? "Lay a card on the trick." : "Lead the trick with a card.";
  if (phase === "launch") return "Three alike! Choose a Space Racer.";
  const full = (table.view.seats[me]?.line_count ?? 0) === 3;
  if (full && picked.some((token) => token.startsWith("table:"))) return "Which card of your line makes room?";
  const left = trick.picks_left > 1 ? `You may take ${trick.picks_left} cards.` : "You may take a card of the trick.";
  return full ? `${left} Your line is full: a card goes for each.` : left;
}

const theDefault = { Board, Hand, tokens, say, prompt };
return { cardName, default: theDefault };
})();
export const games_planet_pioneer = (() => {
const { html } = vendor_htm_preact;
const { plural, spoken } = lib_words;
const { HiddenHand, Part, Pile, Plate, others, touched } = games_parts;

const ROWS = 4;
const COLUMNS = 5;

const ICONS = {
  oxygen: "M8 4h8v3H8zM7 9a3 3 0 0 1 3-2h4a3 3 0 0 1 3 2v11H7zM9.5 13.500a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0",
  water: "M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11zM9 14a3 3 0 0 0 3 3",
  crops: "M12 21V9M12 13c-4 0-6-2-6-6 4 0 6 2 6 6zM12 11c0-4 2-6 6-6 0 4-2 6-6 6zM5 21h14",
  shelter: "M3 20a9 9 0 0 1 18 0zM9 20v-4a3 3 0 0 1 6 0v4",
  solar_panel: "M5 4h14l2 10H3zM4 9h16M10 4l-1 10M14 4l1 10M12 14v6M8 20h8",
  storage: "M4 8l8-4 8 4v9l-8 4-8-4zM4 8l8 4 8-4M12 12v9",
  rover: "M4 12h13l3 4H4zM8 12V7h5l2 5M16 7h3M5 18.500a2 2 0 1 0 4 0 2 2 0 1 0-4 0M15 18.500a2 2 0 1 0 4 0 2 2 0 1 0-4 0",
  greenhouse: "M4 20V11a8 8 0 0 1 16 0v9zM4 12h16M12 3v17M12 16c-2 0-3-1-3-3 2 0 3 1 3 3z",
  workshop: "M14 6a4 4 0 0 0 5 5l-9 9-4-4 9-9zM5 17l2 2M14 6l3-3",
  landing_pad: "M3 18a9 3 0 1 0 18 0 9 3 0 1 0-18 0M12 3v9M8.5 8.5 12 12l3.5-3.500M9 17v3M15 17v3M9 18.500h6",
  comms_tower: "M12 9v12M8 21l4-12 4 12M9.5 17h5M7 4a7 7 0 0 0 0 8M17 4a7 7 0 0 1 0 8M11 8a1 1 0 1 0 2 0 1 1 0 1 0-2 0",
  medical_bay: "M5 5h14v14H5zM12 8v8M8 12h8",
  defense_battery: "M4 20h16M7 20v-5a5 5 0 0 1 10 0v5M11 10 17 4l2 2-6 6M4 8l3 1M8 4l1 3",
  laboratory: "M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M8 15h8",
  mine: "M3 20h18M5 20 9 8h6l4 12M9 14h6M12 8V3M8 5c2-2 6-2 8 0",
  power_plant: "M13 2 5 13h6l-1 9 9-13h-6z",
  habitat_dome: "M2 19a10 10 0 0 1 20 0zM2 19h20M12 9v10M5.5 12c4 3 9 3 13 0M7 19c0-4 2-8 5-10M17 19c0-4-2-8-5-10",
  force_field: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM8 12l3 3 5-6",
  factory: "M3 21V11l6 4v-4l6 4V4h4l2 17zM7 18h2M12 18h2M17 18h1",
  observatory: "M5 21v-6h14v6zM5 15a7 7 0 0 1 14 0M12 8l5-5 3 3-5 4M12 8v7",
  school: "M2 9l10-5 10 5-10 5zM6 11v6c3 3 9 3 12 0v-6M22 9v6",
  water_works: "M4 21V8a3 3 0 0 1 6 0v3h7a3 3 0 0 1 3 3v1M20 18a1 1 0 0 1-2 0c0-1 1-1 1-2 0 1 1 1 1 2zM2 21h12M10 14h7M7 5V3",
  spaceport: "M12 2c3 3 4 6 4 9v4H8v-4c0-3 1-6 4-9zM8 12l-4 4v2h4M16 12l4 4v2h-4M10 15v4M14 15v4M12 15v6M11 8h2",
  research_centre: "M12 12m-2 0a2 2 0 1 0 4 0 2 2 0 1 0-4 0M3 12c0-3 18-3 18 0s-18 3-18 0M7.5 4.200c2.6-1.5 11.6 14 9 15.600s-11.6-14-9-15.600M16.5 4.200c-2.6-1.5-11.6 14-9 15.600s11.6-14 9-15.6",
  hospital: "M4 21V6h16v15zM2 21h20M12 8.500v6M9 11.500h6M9 21v-3h6v3",
  city_hall: "M3 9l9-6 9 6zM4 21h16M5 18h14M6 9v9M10 9v9M14 9v9M18 9v9",
  terraformer: "M3 12a9 9 0 1 0 18 0 9 9 0 1 0-18 0M12 3c-4 4-4 14 0 18M12 3c4 4 4 14 0 18M4 9h16M4 15h16M12 3V1M12 23v-2",
  base_station: "M12 3v4M8 7h8l3 5v8H5v-8zM9 20v-5h6v5M5 12h14M3 20h18M12 3l4-1",
};
const KIND_ICONS = {
  structure: "M4 21V8l8-5 8 5v13zM9 21v-6h6v6",
  defense: ICONS.force_field,
  visit: "M3 14c0-2 4-4 9-4s9 2 9 4-4 4-9 4-9-2-9-4zM8 10.500a4 4 0 0 1 8 0M9 20l-1 2M15 20l1 2M12 20v2",
  attack: "M3 12c0-2 4-4 9-4s9 2 9 4-4 4-9 4-9-2-9-4zM8 8.500a4 4 0 0 1 8 0M12 16l-2 3h4l-2 3",
  strike: "M14 14m-5 0a5 5 0 1 0 10 0 5 5 0 1 0-10 0M10 10 3 3M13 9 9 4M9 13 4 9M15 13h.01M13 16h.01",
  cap: "M4 16h16M6 16a6 5 0 0 1 12 0M3 19h18M12 11V7M9 7h6",
  base: ICONS.base_station,
};

const PLACES = ["first", "second", "third", "fourth", "fifth"];
const where = ([row, column]) => `row ${row + 1}, column ${column + 1}`;

function factsOf(ctx, card) {
  if (card === "base_station") return { kind: "base", level: 0 };
  const { deck } = ctx.table.options;
  const own = Array.isArray(deck) && deck.find((each) => each.name === card);
  return own || ctx.game?.cards.find((each) => each.card === card)?.facts || { kind: "structure", level: 0 };
}

function nameOf(ctx, kind) {
  const { deck } = ctx.table.options;
  const own = Array.isArray(deck) && deck.find((each) => each.kind === kind);
  return own ? own.name : { visit: "alien_visit", attack: "alien_attack", strike: "meteor_strike", cap: "meteor_cap" }[kind];
}

const Icon = ({ card, kind }) => {
  const path = ICONS[card] || KIND_ICONS[kind] || KIND_ICONS.structure;
  return html`<svg class="pp-icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;
};

function Face({ card, ctx }) {
  const { kind, level } = factsOf(ctx, card);
  return html`<span class="face pp k-${kind}" aria-hidden="true">
    ${level > 0 ? html`<span class="level">${level}</span>` : html`<span class="level none">${{ visit: "+", attack: "!", strike: "✹" }[kind] ?? "·"}</span>`}
    <${Icon} card=${card} kind=${kind} />
    <span class="pp-name">${spoken(card).split(" ").map((word) => html`<span>${parted(word)}</span> `)}</span>
  </span>`;
}

const PARTED = new Map(
  "bat-tery de-fense fac-tory green-house habi-tat hos-pital lab-ora-tory ob-serva-tory re-search space-port terra-former work-shop"
    .split(" ")
    .map((word) => [word.replaceAll("-", ""), word.replaceAll("-", "\u00ad")]),
);
const parted = (word) => word[0] + (PARTED.get(word.toLowerCase()) ?? word).slice(1);

const cardWords = (ctx, card) => {
  const { kind, level } = factsOf(ctx, card);
  return `${spoken(card)}${level > 0 && kind !== "cap" ? `, Level ${level}` : ""}${kind === "defense" ? ", a defense" : ""}`;
};

function stateOf(ctx, card) {
  const { kind } = factsOf(ctx, card);
  return { strike: "crater", cap: "capped crater", attack: "attacked", visit: "visit", base: "base" }[kind] ?? null;
}

function Cell({ ctx, owner, row, column, covered, fresh }) {
  const token = `cell:${owner}:${row},${column}`;
  const top = covered?.cards.at(-1);
  const crater = top && stateOf(ctx, top) === "crater";
  const say = top
    ? `${spoken(top)}${crater ? " (a crater)" : covered.level ? `, counts ${covered.level}` : ""}, ${where([row, column])}`
    : `Free cell, ${where([row, column])}`;
  return html`<${Part} kind=${`cell ${top ? "full" : "free"}`} token=${token} pick=${ctx.pick} say=${say} fresh=${fresh.has(token)}>
    ${top ? html`<${Face} card=${top} ctx=${ctx} />` : html`<span class="free-mark" aria-hidden="true">+</span>`}
  <//>`;
}

function Colony({ ctx, seat, fresh }) {
  const { view } = ctx.table;
  const facts = view.seats[seat];
  const cells = new Map(facts.colony.map((each) => [each.cell.join(","), each]));
  const own = seat === ctx.me;
  return html`<section class="colony ${own ? "mine" : ""}" aria-label=${`Colony of ${ctx.names[seat]}`}>
    <${Plate} ctx=${ctx} seat=${seat} score=${facts.colony_level} unit="Levels">
      ${facts.waiting && html`<span class="badge">waits a turn</span>`}
      ${view.final?.full.includes(seat) && html`<span class="badge turn">colony complete</span>`}
    <//>
    <div class="grid" role="group" aria-label=${`${facts.covered} of ${ROWS * COLUMNS} cells covered`}>
      ${Array.from({ length: ROWS * COLUMNS }, (_, at) => {
        const [row, column] = [Math.floor(at / COLUMNS), at % COLUMNS];
        return html`<${Cell}
          key=${at}
          ctx=${ctx}
          owner=${seat}
          row=${row}
          column=${column}
          covered=${cells.get(`${row},${column}`)}
          fresh=${fresh}
        />`;
      })}
    </div>
    <div class="colony-foot">
      <span class="muted">${facts.covered} of ${ROWS * COLUMNS} cells</span>
      ${own
        ? null
        : facts.hand
          ? html`<span class="open-hand wrap" role="group" aria-label="Hand">
              ${facts.hand.map((card, at) => html`<span class="mini-card" key=${at}>${spoken(card)}</span>`)}
            </span>`
          : html`<${HiddenHand} count=${facts.hand_count} />`}
    </div>
  </section>`;
}

function grouped(hand) {
  const counts = new Map();
  for (const card of hand) counts.set(card, (counts.get(card) ?? 0) + 1);
  return [...counts];
}

function Board({ ctx }) {
  const { table, me } = ctx;
  const { view } = table;
  const fresh = touched(ctx.last, (event) => {
    switch (event.type) {
      case "card_built":
      case "visit_laid":
      case "cap_laid":
        return [`cell:${event.seat}:${event.cell.join(",")}`];
      case "attack_laid":
      case "strike_laid":
        return [`cell:${event.opponent}:${event.cell.join(",")}`];
      default:
        return [];
    }
  });
  return html`<div class="board pp-board">
    <div class="pp-status">
      <span class="badge">Round ${view.round}${view.lap > 1 ? `, lap ${view.lap}` : ""}</span>
      ${view.round < 6 && view.phase === "play" && html`<span class="muted">Cards up to Level ${view.round}</span>`}
      ${view.final && view.phase === "final" && html`<span class="badge turn">Final turns: ${view.final.still_to_play.map((seat) => ctx.names[seat]).join(", ")}</span>`}
      ${view.turn?.extra && html`<span class="badge">Extra turn</span>`}
      <span class="piles inline-piles">
        <${Pile} title="to draw" count=${view.draw_count} />
        <${Pile} title="discarded" count=${view.discard_count} note=${view.discard_top ? `top: ${spoken(view.discard_top)}` : undefined} />
      </span>
    </div>
    <div class="colonies n-${view.seats.length}">
      ${[...(me === null ? [] : [me]), ...others(view.seats.length, me)].map(
        (seat) => html`<${Colony} ctx=${ctx} seat=${seat} fresh=${fresh} key=${seat} />`,
      )}
    </div>
  </div>`;
}

function Hand({ ctx }) {
  const drawn = touched(ctx.last, (event) => (event.type === "cards_drawn" ? event.cards ?? [] : []));
  return html`<div class="hand" role="group" aria-label=${ctx.isPast ? `Hand of ${ctx.names[ctx.me]}` : "Your hand"}>
    ${grouped(ctx.table.view.seats[ctx.me].hand ?? []).map(
      ([card, count]) => html`<${Part}
        key=${card}
        token=${`hand:${card}`}
        pick=${ctx.pick}
        fresh=${drawn.has(card)}
        say=${`${cardWords(ctx, card)}${count > 1 ? `, ${plural(count, "copy", "copies")}` : ""}`}
      >
        <${Face} card=${card} ctx=${ctx} />
        ${count > 1 && html`<span class="copies" aria-hidden="true">×${count}</span>`}
      <//>`,
    )}
  </div>`;
}

function tokens(command, ctx) {
  const cell = command.cell?.join(",");
  switch (command.type) {
    case "build":
      return [`hand:${command.card}`, `cell:${ctx.me}:${cell}`];
    case "visit":
    case "cap":
      return [`hand:${nameOf(ctx, command.type)}`, `cell:${ctx.me}:${cell}`];
    case "attack":
    case "strike":
      return [`hand:${nameOf(ctx, command.type)}`, `cell:${command.opponent}:${cell}`];
    case "discard":
      return [`hand:${command.card}`, "act:discard"];
    default:
      return [`act:${command.type}`];
  }
}

function say(command, ctx) {
  const at = command.cell && where(command.cell);
  switch (command.type) {
    case "build":
      return `Build ${spoken(command.card)} at ${at}`;
    case "visit":
      return `Receive the visit at ${at}`;
    case "cap":
      return `Cap the crater at ${at}`;
    case "attack":
      return `Attack ${ctx.names[command.opponent]} at ${at}`;
    case "strike": {
      const target = ctx.table.view.seats[command.opponent].colony.find((each) => each.cell.join() === command.cell.join());
      return `Strike ${target ? spoken(target.cards.at(-1)) : ""} of ${ctx.names[command.opponent]} at ${at}`;
    }
    case "discard":
      return `Discard ${spoken(command.card)}`;
    default:
      return spoken(command.type);
  }
}

function prompt({ picked, fits }) {
  const card = picked.find((token) => token.startsWith("hand:"));
  if (card && fits.every(({ type }) => type === "discard")) return `${spoken(card.slice(5))} has no place now: discard it, or choose another card.`;
  if (card) return `${spoken(card.slice(5))}: choose where it goes.`;
  if (picked.length) return "Which card goes there?";
  return "Choose a card of your hand, then where it goes.";
}

const rich = (text) => text.replace(/\[(\d+), (\d+)\]/g, (_, row, column) => `the ${PLACES[row]} row, ${PLACES[column]} column`);

function scored(table, seat) {
  const { colony_level: level } = table.view.seats[seat];
  return `${level} Levels − ${level - table.outcome.scores[seat]} in hand`;
}

const theDefault = { Board, Hand, tokens, say, prompt, rich, scored };
return { default: theDefault };
})();
export const games_universal_match = (() => {
const { html } = vendor_htm_preact;
const { listWords, plural, spoken } = lib_words;
const { useNarrow } = lib_ui;
const { HiddenHand, Part, Pile, Plate, others, touched } = games_parts;

const SUITS = {
  E: { name: "Earth", value: 3, body: "#3f83d6", more: () => html`<path d="M15 18c4-5 9-4 10-1s-3 3-3 6-5 3-7 0zM27 27c3-3 7-1 7 1s-4 6-6 5-3-4-1-6z" fill="#63b365" />` },
  J: { name: "Jupiter", value: 2, body: "#dcae7d", more: () => html`<path d="M13 19h22M12 24h24M13 29h22" stroke="#a9703f" stroke-width="2" /><ellipse cx="29" cy="27" rx="3.5" ry="2.2" fill="#c0502f" />` },
  M: { name: "Mars", value: 1, body: "#cf5a37", more: () => html`<path d="M14 27c6-4 12 2 20-2" stroke="#9c3d22" stroke-width="2.5" fill="none" /><circle cx="20" cy="19" r="2" fill="#9c3d22" />` },
  N: { name: "Neptune", value: 3, body: "#3d5fd0", more: () => html`<path d="M14 20c7 3 13-2 20 1M14 28c7 2 12-2 20 0" stroke="#8ea8f5" stroke-width="2" fill="none" />` },
  S: { name: "Saturn", value: 2, body: "#e5cf97", more: () => html`<ellipse cx="24" cy="24" rx="20" ry="5" fill="none" stroke="#9c7f3e" stroke-width="2.5" transform="rotate(-15 24 24)" />` },
  V: { name: "Venus", value: 1, body: "#e0a9c0", more: () => html`<path d="M12 20c8-4 16 3 24-1M13 29c8-3 14 3 22 0" stroke="#b5688c" stroke-width="2.5" fill="none" />` },
};
const FOOTS = { J: "Ju\u00adpi\u00adter", N: "Nep\u00adtune", S: "Sat\u00adurn" };
const RANKS = { G: "Galaxy", S: "Sun", M: "Moon" };
const RANK_ART = {
  G: () => html`<path d="M12 12c2-2 5 0 4 3s-6 3-8 0-1-8 4-9 9 3 8 8" />`,
  S: () => html`<circle cx="12" cy="12" r="4.5" /><path d="M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2" />`,
  M: () => html`<path d="M16 4a8.5 8.5 0 1 0 4 11A7 7 0 0 1 16 4z" />`,
};

const cardName = (card) => `${RANKS[card[0]] ?? card[0]} of ${SUITS[card[1]].name}`;
const cardWords = (card) => `${cardName(card)}, ${plural(SUITS[card[1]].value, "point")}`;

const Planet = ({ suit }) =>
  html`<svg class="planet" viewBox="3 3 42 42" aria-hidden="true"><circle cx="24" cy="24" r="13" fill=${SUITS[suit].body} />${SUITS[suit].more()}</svg>`;

const RankMark = ({ rank }) =>
  RANK_ART[rank] ? html`<svg class="rank-art" viewBox="0 0 24 24" aria-hidden="true">${RANK_ART[rank]()}</svg>` : rank;

function Face({ card }) {
  const [rank, suit] = card;
  return html`<span class="face um su-${suit}" aria-hidden="true">
    <span class="um-rank"><${RankMark} rank=${rank} /></span>
    <${Planet} suit=${suit} />
    <span class="pips">${"●".repeat(SUITS[suit].value)}</span>
    <b class="um-foot">${FOOTS[suit] ?? SUITS[suit].name}</b>
  </span>`;
}

const Card = ({ card, token, pick, fresh, say }) =>
  html`<${Part} token=${token} pick=${pick} fresh=${fresh} say=${say || cardWords(card)}><${Face} card=${card} /><//>`;

const Chip = ({ card }) =>
  html`<span class="um-chip su-${card[1]}" role="img" aria-label=${cardName(card)} title=${cardName(card)}
    ><span aria-hidden="true"><${RankMark} rank=${card[0]} /><i>${card[1]}</i><${Planet} suit=${card[1]} /></span
  ></span>`;

const KINDS = { three_of_a_kind: "three of a kind", suited_run: "suited run", rainbow_run: "rainbow run" };

function Matches({ matches, names }) {
  if (!matches.length) return null;
  return html`<details class="matches">
    <summary title="Matches put aside">${plural(matches.length, "match", "matches")}</summary>
    <ul>
      ${matches.map(
        (match, at) => html`<li key=${at}>
          ${match.cards.map((card) => html`<${Chip} card=${card} />`)}
          <span>
            ${KINDS[match.kind] ?? match.kind}${match.perfect ? ", perfect" : ""}: ${match.points}${match.bonus ? ` + ${match.bonus}` : ""}
            ${match.taken_from !== null ? ` (taken from ${names[match.taken_from]})` : ""}
          </span>
        </li>`,
      )}
    </ul>
  </details>`;
}

function BoardCards({ ctx, seat, fresh }) {
  const facts = ctx.table.view.seats[seat];
  const chosen = facts.chosen_count > 0 && !facts.board.length;
  if (chosen && facts.chosen?.length) {
    return html`<div class="um-cards" role="group" aria-label="Chosen for the board">
      ${facts.chosen.map((card) => html`<${Card} card=${card} key=${card} />`)}
    </div>`;
  }
  if (!facts.board.length) {
    return html`<div class="um-cards">
      ${Array.from({ length: 3 }, () => html`<span class="${chosen ? "card-back" : "stand"}" aria-hidden="true"></span>`)}
      <span class="sr">${chosen ? "Board chosen, not yet shown" : "No board yet"}</span>
    </div>`;
  }
  return html`<div class="um-cards" role="group" aria-label=${`Board of ${ctx.names[seat]}`}>
    ${facts.board.map(
      (card) => html`<${Card} card=${card} key=${card} token=${`board:${seat}:${card}`} pick=${ctx.pick} fresh=${fresh.has(card)} />`,
    )}
  </div>`;
}

const Dealer = () => html`<span class="badge dealer" title="Dealer"><span aria-hidden="true">D</span><span class="sr">deals</span></span>`;

const pointsWords = ({ hand_points: points }) => (points ? html`<span class="unit-word">points,</span> +${points} this hand` : html`<span class="unit-word">points</span>`);

function Seat({ ctx, seat, fresh }) {
  const { view } = ctx.table;
  const facts = view.seats[seat];
  return html`<section class="seat um-seat" aria-label=${ctx.names[seat]}>
    <${Plate} ctx=${ctx} seat=${seat} score=${facts.total} unit=${pointsWords(facts)}>
      ${view.dealer === seat && html`<${Dealer} />`}
      ${view.offer?.answered.includes(seat) && html`<span class="badge">answered</span>`}
    <//>
    <${BoardCards} ctx=${ctx} seat=${seat} fresh=${fresh} />
    <div class="seat-row">
      ${facts.hand
        ? html`<span class="open-hand" role="group" aria-label="Hand">${facts.hand.map((card) => html`<${Chip} card=${card} key=${card} />`)}</span>`
        : html`<${HiddenHand} count=${facts.hand_count} />`}
      <${Matches} matches=${facts.matches} names=${ctx.names} />
    </div>
  </section>`;
}

function Offer({ ctx }) {
  const { offer } = ctx.table.view;
  if (!offer) return null;
  const waits = offer.asked.filter((seat) => !offer.answered.includes(seat)).map((seat) => ctx.names[seat]);
  return html`<section class="offer" aria-label="Match on offer">
    <h2 class="zone-title">${ctx.names[offer.seat]} offers a match</h2>
    <div class="um-cards">
      ${offer.cards.map((card) => html`<${Card} card=${card} key=${card} token=${`match:${card}`} pick=${ctx.pick} />`)}
    </div>
    <p class="muted">${waits.length ? `Still to answer: ${listWords(waits)}.` : "All have answered."}</p>
  </section>`;
}

function Board({ ctx }) {
  const { table, me, pick } = ctx;
  const { view } = table;
  const fresh = touched(ctx.last, (event) => {
    switch (event.type) {
      case "boards_switched":
      case "hand_switched":
      case "own_switched":
        return [event.give, event.take];
      case "board_refilled":
        return event.cards;
      case "card_discarded":
        return [event.card];
      default:
        return [];
    }
  });
  const own = me === null ? null : view.seats[me];
  const rest = others(view.seats.length, me);
  const top = view.discard.at(-1);
  const isNarrow = useNarrow();
  const opponents = html`<div class="opponents of-${rest.length}" key="opponents">
    ${rest.map((seat) => html`<${Seat} ctx=${ctx} seat=${seat} fresh=${fresh} key=${seat} />`)}
  </div>`;
  const middle = html`<div class="middle um-middle" key="middle">
      <div class="piles">
        <${Pile} title="in the stock" count=${view.stock_count}
          ><${Part} kind="pile-card" token="act:draw_card" pick=${pick} say=${`Stock, ${plural(view.stock_count, "card")}`}
            ><span class="card-back ${view.stock_count ? "" : "none"}" aria-hidden="true"></span><//
          ><//
        >
        <${Pile} title="discarded" count=${view.discard.length}
          >${top
            ? html`<${Card} card=${top} token="discard" pick=${pick} fresh=${fresh.has(top)} say=${`Discard pile, top: ${cardWords(top)}`} />`
            : html`<span class="stand" aria-hidden="true"></span>`}<//
        >
      </div>
      <div class="um-notes">
        <span class="badge">Hand ${view.hand_number}</span>
        <span class="muted">Target: ${table.options.target === "one_hand" ? "one hand" : `${table.options.target} points`}</span>
        ${view.forced_draw && html`<span class="badge turn">A card must be drawn</span>`}
        ${view.discard.length > 1 &&
        html`<details><summary>All discards</summary><div class="chips">${view.discard.map((card) => html`<${Chip} card=${card} key=${card} />`)}</div></details>`}
        ${view.banned_pairs.length > 0 &&
        html`<details>
          <summary>${plural(view.banned_pairs.length, "pair")} not to be switched again</summary>
          <ul class="pairs">${view.banned_pairs.map(([a, b]) => html`<li key=${a + b}><${Chip} card=${a} /> ⇄ <${Chip} card=${b} /></li>`)}</ul>
        </details>`}
      </div>
      <${Offer} ctx=${ctx} />
    </div>`;
  const side =
    own &&
    html`<section class="own" aria-label=${ctx.isPast ? `Side of ${ctx.names[me]}` : "Your side"} key="own">
      <${Plate} ctx=${ctx} seat=${me} score=${own.total} unit=${pointsWords(own)}>
        ${view.dealer === me && html`<${Dealer} />`}
      <//>
      <div class="seat-row">
        <h2 class="zone-title">${ctx.isPast ? "Board" : "Your board"}</h2>
        <${BoardCards} ctx=${ctx} seat=${me} fresh=${fresh} />
        <${Matches} matches=${own.matches} names=${ctx.names} />
      </div>
    </section>`;
  return html`<div class="board um-board">${isNarrow ? [side, middle, opponents] : [opponents, middle, side]}</div>`;
}

function Hand({ ctx }) {
  const drawn = touched(ctx.last, (event) => (event.type === "cards_drawn" ? event.cards ?? [] : [event.take]));
  return html`<div class="hand" role="group" aria-label=${ctx.isPast ? `Hand of ${ctx.names[ctx.me]}` : "Your hand"}>
    ${(ctx.table.view.seats[ctx.me].hand ?? []).map(
      (card) => html`<${Card} card=${card} key=${card} token=${`hand:${card}`} pick=${ctx.pick} fresh=${drawn.has(card)} />`,
    )}
  </div>`;
}

const from = (command) => (command.from === "discard" ? "discard" : `board:${command.from}:${command.take}`);

function tokens(command, ctx) {
  const { me } = ctx;
  switch (command.type) {
    case "choose_board":
      return command.cards.map((card) => `hand:${card}`);
    case "discard":
      return [`hand:${command.card}`];
    case "switch_boards":
      return [`board:${me}:${command.give}`, from(command)];
    case "switch_own":
      return [`hand:${command.give}`, `board:${me}:${command.take}`];
    case "switch_hand":
      return [`hand:${command.give}`, from(command)];
    case "take_match": {
      const inHand = ctx.table.view.seats[me].hand?.includes(command.give);
      return [inHand ? `hand:${command.give}` : `board:${me}:${command.give}`, `match:${command.take}`];
    }
    default:
      return [`act:${command.type}`];
  }
}

function say(command, ctx) {
  const source = command.from === "discard" ? "the discard pile" : command.from !== undefined ? `${ctx.names[command.from]}'s board` : "";
  switch (command.type) {
    case "choose_board":
      return `Lay ${listWords(command.cards.map(cardName))} on your board`;
    case "draw_card":
      return "Draw a card";
    case "discard":
      return `Discard ${cardName(command.card)}`;
    case "switch_boards":
      return `Board to board: give ${cardName(command.give)} for ${cardName(command.take)} (${source})`;
    case "switch_own":
      return `Lay ${cardName(command.give)} on your board, take ${cardName(command.take)} into your hand`;
    case "switch_hand":
      return `From your hand: give ${cardName(command.give)} for ${cardName(command.take)} (${source})`;
    case "take_match":
      return `Take the match: put ${cardName(command.give)} in for ${cardName(command.take)}`;
    case "decline_match":
      return "Leave the match";
    default:
      return spoken(command.type);
  }
}

function prompt({ table, picked, me }) {
  const { phase } = table.view;
  if (phase === "choose") {
    return picked.length < 3 ? `Choose three cards for your board (${picked.length} of 3).` : "These three go on your board.";
  }
  if (phase === "discard") return "Choose a card of your hand to discard.";
  if (phase === "offer") return "Make the match perfect and take it, or leave it.";
  if (picked.some((token) => token.startsWith("hand:"))) return "Choose the card that you want for it: on any board, or the discard pile.";
  if (picked.some((token) => token.startsWith(`board:${me}:`))) return "Choose what to switch it with.";
  if (picked.length) return "Choose the card that you give for it.";
  return "Draw a card, or choose two cards to switch.";
}

function rich(text) {
  return text
    .split(/\b([GSM1-7][EJMNSV])\b/)
    .map((part, at) => (at % 2 ? html`<${Chip} card=${part} />` : part));
}

const theDefault = { Board, Hand, tokens, say, prompt, rich, isSet: (command) => command.type === "choose_board" };
return { cardName, Chip, default: theDefault };
})();
export const games_generic = (() => {
const { html } = vendor_htm_preact;
const { spoken } = lib_words;
const { Plate } = games_parts;

function Value({ value }) {
  if (value === null || value === undefined) return html`<span class="muted">none</span>`;
  if (Array.isArray(value)) {
    if (!value.length) return html`<span class="muted">none</span>`;
    if (value.every((each) => each === null || typeof each !== "object")) {
      return html`<span class="chips">${value.map((each) => html`<span class="chip">${String(each)}</span>`)}</span>`;
    }
    return html`<ol class="generic-list">${value.map((each) => html`<li><${Value} value=${each} /></li>`)}</ol>`;
  }
  if (typeof value === "object") {
    return html`<dl class="generic">
      ${Object.entries(value).map(([name, each]) => html`<div><dt>${spoken(name)}</dt><dd><${Value} value=${each} /></dd></div>`)}
    </dl>`;
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}

function Board({ ctx }) {
  const { seats, ...rest } = ctx.table.view;
  return html`<div class="board generic-board">
    ${ctx.table.seats.map(
      (each) => html`<section class="seat" aria-label=${ctx.names[each.seat]}>
        <${Plate} ctx=${ctx} seat=${each.seat} />
        <${Value} value=${seats?.[each.seat]} />
      </section>`,
    )}
    <section class="seat"><${Value} value=${rest} /></section>
  </div>`;
}

const shown = (value) => (value !== null && typeof value === "object" ? JSON.stringify(value) : String(value));

const say = ({ type, ...rest }) =>
  [spoken(type), ...Object.entries(rest).map(([name, value]) => `${spoken(name).toLowerCase()} ${shown(value)}`)].join(", ");

const theDefault = { Board, tokens: () => [], say, prompt: () => "Choose a move.", isListOnly: true };
return { default: theDefault };
})();
export const games_index = (() => {
const { default: beamMeUp } = games_beam_me_up;
const { default: planetPioneer } = games_planet_pioneer;
const { default: universalMatch } = games_universal_match;
const { default: generic } = games_generic;

const MODULES = { "beam-me-up": beamMeUp, "planet-pioneer": planetPioneer, "universal-match": universalMatch };

const moduleOf = (game) => MODULES[game] ?? generic;
return { moduleOf };
})();
export const pages_game = (() => {
const { useEffect, useState } = vendor_htm_preact;
const { catalogue } = lib_api;
const { moduleOf } = games_index;

function useGame(name) {
  const [found, set] = useState(null);
  useEffect(() => {
    let isCurrent = true;
    catalogue(name)
      .catch(() => null)
      .then((facts) => isCurrent && set({ module: moduleOf(name), facts }));
    return () => {
      isCurrent = false;
    };
  }, [name]);
  return found;
}
return { useGame };
})();
export const pages_table = (() => {
const { html, useEffect, useMemo, useRef, useState } = vendor_htm_preact;
const { post, remove } = lib_api;
const { Feed } = lib_feed;
const { usePicker } = lib_picker;
const { navigate } = lib_router;
const { setting } = lib_session;
const { ErrorNote, Failed, Heading, Loading, Modal, sitDown, useAction, usePage, useSession } = lib_ui;
const { STATUS_WORDS, clockWords, listWords, placeWords, reasonWords, seatNames, spoken, winnerWords } = lib_words;
const { gameTitle } = games_marks;
const { Log, entryWords } = pages_log;
const { useGame } = pages_game;

function useFeed(id, player) {
  const [, draw] = useState(0);
  const ref = useRef(null);
  useEffect(() => {
    const feed = new Feed(id);
    ref.current = feed;
    const off = feed.subscribe(() => draw((count) => count + 1));
    draw((count) => count + 1);
    return () => {
      off();
      feed.close();
    };
  }, [id, player]);
  return ref.current;
}

const STATES = {
  live: ["Live", "ok"],
  connecting: ["Connecting", "wait"],
  waiting: ["Connection lost, trying again", "bad"],
  ended: ["Finished", "ok"],
};

function Connection({ state, status }) {
  const [text, mark] = status === "aborted" ? ["Called off", "ok"] : STATES[state];
  return html`<span class="connection ${mark}" role="status"><i aria-hidden="true"></i>${text}</span>`;
}

function TablePage({ id }) {
  const me = useSession();
  const feed = useFeed(id, me?.id);
  const table = feed?.table;
  usePage(table ? titleOf(table) : "Table");
  if (!table) {
    return feed?.error
      ? html`<${Failed} error=${feed.error} retry=${() => feed.open()} />`
      : html`<${Loading}>Looking for the table<//>`;
  }
  return html`<${Table} feed=${feed} table=${table} />`;
}

function titleOf(table) {
  const mine = table.you && table.status === "playing" && table.to_act.includes(table.you.seat);
  return `${mine ? "● Your turn · " : ""}${gameTitle(table.game)}`;
}

function Table({ feed, table }) {
  const game = useGame(table.game);
  const names = useMemo(() => seatNames(table.seats), [table.seats]);
  return html`
    <div class="table-head">
      <div>
        <${Heading}>${gameTitle(table.game)}<//>
        <p class="muted small-text">
          ${STATUS_WORDS[table.status]} · ${clockWords(table.clock)}
          ${table.visibility === "unlisted" ? " · unlisted" : ""}${table.rated ? " · rated" : ""}
          ${table.you || table.status === "open" ? "" : " · you watch"}
        </p>
      </div>
      <div class="row">
        <${Connection} state=${feed.state} status=${table.status} />
        <${Menu} feed=${feed} table=${table} names=${names} />
      </div>
    </div>
    <${ErrorNote} error=${feed.error} retry=${() => feed.open()} />
    ${table.status === "open" || (table.status === "aborted" && !table.view)
      ? html`<${Waiting} table=${table} names=${names} feed=${feed} />`
      : !game
        ? html`<${Loading}>Laying the table<//>`
        : html`<${Play} feed=${feed} table=${table} names=${names} game=${game} />`}
  `;
}

function Waiting({ table, names, feed }) {
  const me = useSession();
  const mine = me && table.seats.find((seat) => seat.player?.id === me.id && !seat.reserved);
  const [sit, busy, error] = useAction(async (seat) => {
    if (await sitDown(table, seat)) feed.open();
  });
  const [leave, , leaveError] = useAction(async (seat) => {
    await remove(`/v1/tables/${table.id}/seats/${seat}`);
    feed.open();
  });
  const [callOff, , offError] = useAction(async () => {
    await remove(`/v1/tables/${table.id}`);
    feed.open();
  });
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(location.href);
    setCopied(true);
  };
  if (table.status === "aborted") return html`<p class="empty">This table was called off before it began. <a href="/">Back to the lobby</a></p>`;
  return html`<section class="panel waiting" aria-labelledby="seats">
    <h2 id="seats">Waiting for players</h2>
    <p class="muted">The game begins by itself when the last seat is taken.</p>
    <ol class="seat-list">
      ${table.seats.map((seat) => {
        const free = seat.kind === "open" || (seat.reserved && me && seat.player?.id === me.id);
        const own = seat.seat === mine?.seat;
        return html`<li key=${seat.seat}>
          <span class="avatar seat-${seat.seat % 6}" aria-hidden="true">${seat.seat + 1}</span>
          <span class="grow">${seat.kind === "open" ? html`<span class="muted">Free seat</span>` : names[seat.seat]}${seat.reserved ? html` <span class="badge">invited</span>` : ""}</span>
          ${free && !mine && html`<button class="primary small" disabled=${busy} onClick=${() => sit(seat.seat)}>Sit down</button>`}
          ${!free && (own || table.creator === me?.id) && seat.kind !== "open" &&
          html`<button class="small" onClick=${() => leave(seat.seat)}>${own ? "Leave" : "Make free"}<span class="sr"> seat ${seat.seat + 1}</span></button>`}
        </li>`;
      })}
    </ol>
    <div class="row">
      <button onClick=${copy}>${copied ? "Copied" : "Copy the address to invite"}</button>
      ${table.creator === me?.id && html`<button class="danger" onClick=${callOff}>Call the table off</button>`}
    </div>
    <${ErrorNote} error=${error || leaveError || offError} />
    <${Facts} table=${table} />
  </section>`;
}

function Facts({ table }) {
  const { fairness } = table;
  return html`<details class="facts">
    <summary>Options and fairness</summary>
    <dl class="generic">
      ${Object.entries(table.options).map(
        ([name, value]) => html`<div><dt>${spoken(name)}</dt><dd><code>${Array.isArray(value) ? `${value.length} cards listed` : JSON.stringify(value)}</code></dd></div>`,
      )}
      <div><dt>Commitment to the deal</dt><dd><code class="hash">${fairness.commitment}</code></dd></div>
      ${fairness.chosen_seed && html`<div><dt>Chosen seed</dt><dd><code>${fairness.chosen_seed}</code> (the deal is known to who chose it)</dd></div>`}
      ${fairness.secret && html`<div><dt>Revealed secret</dt><dd><code class="hash">${fairness.secret}</code></dd></div>`}
      ${table.origin && html`<div><dt>Forked from</dt><dd><a href=${`/tables/${table.origin.table}/replay?at=${table.origin.version}`}>version ${table.origin.version} of another table</a></dd></div>`}
    </dl>
  </details>`;
}

function Menu({ feed, table, names }) {
  const [open, setOpen] = useState(false);
  const [oneTap, setOneTap] = useState(setting.get("one-tap") === "yes");
  const change = (event) => {
    setOneTap(event.target.checked);
    setting.set("one-tap", event.target.checked ? "yes" : null);
    dispatchEvent(new Event("starledger:one-tap"));
  };
  const [fast, setFast] = useState(setting.get("pace") === "fast");
  const changePace = (event) => {
    setFast(event.target.checked);
    setting.set("pace", event.target.checked ? "fast" : null);
  };
  const clocks = feed.commands.filter((command) => command.type.endsWith("_clock"));
  const canResign = table.you && table.status === "playing" && !table.seats[table.you.seat].resigned;
  return html`<button class="icon-button" aria-haspopup="dialog" onClick=${() => setOpen(true)}>
      <span aria-hidden="true">⋯</span><span class="sr">Table menu</span>
    </button>
    ${open &&
    html`<${Modal} title="This table" onClose=${() => setOpen(false)}>
      ${({ close }) => html`<div class="stack">
        <label class="check"><input type="checkbox" checked=${oneTap} onChange=${change} /> Send a move as soon as it is complete, without asking</label>
        <label class="check"><input type="checkbox" checked=${fast} onChange=${changePace} /> Show the others' moves at once, not one after the other</label>
        ${clocks.map(
          (command) => html`<button onClick=${() => feed.act(command).then(close, close)}>${command.type === "pause_clock" ? "Ask to stop the clocks" : "Ask to go on"}</button>`,
        )}
        ${canResign && html`<${Resign} feed=${feed} close=${close} others=${table.seats.length - 1} />`}
        <${Facts} table=${table} />
        <p class="small-text muted">Table <code>${table.id}</code>, version ${table.version}. At it: ${listWords(names)}.</p>
        <div class="row end"><button class="primary" onClick=${close}>Close</button></div>
      </div>`}
    <//>`}`;
}

function Resign({ feed, close, others }) {
  const [sure, setSure] = useState(false);
  const [run, busy, error] = useAction(async () => {
    await feed.act({ type: "resign" });
    close();
  });
  if (!sure) return html`<button class="danger" onClick=${() => setSure(true)}>Give up</button>`;
  return html`<div class="note" role="alertdialog" aria-label="Give up?">
    <span>${others > 1 ? "A bot will play your seat on, and you can't win any more." : "The other player wins at once."} This can't be taken back.</span>
    <span class="row"><button class="danger" disabled=${busy} onClick=${run}>Yes, give up</button><button onClick=${() => setSure(false)}>No, play on</button></span>
    <${ErrorNote} error=${error} />
  </div>`;
}

function useOneTap() {
  const [on, set] = useState(setting.get("one-tap") === "yes");
  useEffect(() => {
    const heard = () => set(setting.get("one-tap") === "yes");
    addEventListener("starledger:one-tap", heard);
    return () => removeEventListener("starledger:one-tap", heard);
  }, []);
  return on;
}

function Play({ feed, table, names, game }) {
  const { module, facts } = game;
  const me = table.you ? table.you.seat : null;
  const base = { table, names, me, game: facts, last: feed.last };
  const oneTap = useOneTap();
  const picker = usePicker(feed.commands, (command) => module.tokens(command, base), module.isSet, table.version);
  const [send, , error, clearError] = useAction((command) => feed.act(command));
  const press = (token) => {
    clearError();
    const action = token.startsWith("act:") && picker.actions.find((each) => each.token === token);
    if (action) return send(action.command);
    const told = picker.toggle(token);
    if (told?.type) return send(told);
    if (told?.complete && oneTap) return send(told.complete);
    return undefined;
  };
  const ctx = { ...base, pick: { state: picker.state, press, busy: feed.sending } };
  useEffect(() => {
    const escape = (event) => {
      if (event.key === "Escape" && !document.querySelector("dialog[open]")) picker.clear();
    };
    addEventListener("keydown", escape);
    return () => removeEventListener("keydown", escape);
  }, []);
  const { Board } = module;
  const acts = me !== null && table.status === "playing" && table.to_act.includes(me);
  return html`<div class="table-layout" data-version=${table.version} data-acts=${acts ? "me" : "others"}>
    <div class="table-main">
      <${LastThing} feed=${feed} names=${names} module=${module} />
      ${table.outcome && html`<${Result} table=${table} names=${names} module=${module} />`}
      <${Board} ctx=${ctx} />
      ${me !== null &&
      (table.status === "playing"
        ? html`<${Dock} ctx=${ctx} picker=${picker} module=${module} send=${send} error=${error} acts=${acts} feed=${feed} />`
        : module.Hand && html`<section class="own hand-flow"><h2 class="zone-title">Your hand</h2><${module.Hand} ctx=${ctx} /></section>`)}
    </div>
    <aside class="table-side" aria-label="Log">
      <${Log} entries=${feed.log} names=${names} rich=${module.rich} current=${table.version} onEarlier=${feed.log[0]?.version > 1 ? () => feed.earlier() : null} />
    </aside>
  </div>`;
}

function LastThing({ feed, names, module }) {
  const words = feed.last ? entryWords(feed.last, names) : "";
  return html`<p class="last-thing" aria-live="polite" aria-atomic="true">${module.rich ? module.rich(words) : words}</p>`;
}

const MOST_OF_THE_WINDOW = 0.6;

function useCover(bar) {
  useEffect(() => {
    const measure = () => {
      const list = bar.current.querySelector(".all-moves ul")?.offsetHeight ?? 0;
      const isTall = bar.current.offsetHeight - list > innerHeight * MOST_OF_THE_WINDOW;
      bar.current.toggleAttribute("data-tall", isTall);
      document.documentElement.style.setProperty("--covered", `${isTall ? 0 : bar.current.offsetHeight}px`);
    };
    const watcher = new ResizeObserver(measure);
    watcher.observe(bar.current);
    addEventListener("resize", measure);
    return () => {
      watcher.disconnect();
      document.documentElement.style.removeProperty("--covered");
      removeEventListener("resize", measure);
    };
  }, []);
}

function Dock({ ctx, picker, module, send, error, acts, feed }) {
  const { table, names, me } = ctx;
  const bar = useRef(null);
  useCover(bar);
  const wasActing = useRef(acts);
  useEffect(() => {
    if (document.activeElement === document.body && wasActing.current !== acts && document.documentElement.dataset.played) {
      bar.current?.focus({ preventScroll: true });
    }
    wasActing.current = acts;
  }, [acts, table.version]);
  const doIt = (command) => {
    document.documentElement.dataset.played = "yes";
    send(command);
  };
  const waitsFor = table.to_act.filter((seat) => seat !== me).map((seat) => names[seat]);
  const text = !acts
    ? waitsFor.length ? `Waiting for ${listWords(waitsFor)}.` : "One moment."
    : feed.sending ? "Sending."
    : picker.ready ? `${module.say(picker.ready, ctx)}?`
    : picker.any ? module.prompt({ ...ctx, picked: picker.picked, fits: picker.fits }) : "One moment.";
  return html`<section class="dock ${acts ? "on" : ""}" aria-label="Your hand and your move" tabindex="-1" ref=${bar}>
    ${module.Hand && html`<${module.Hand} ctx=${ctx} />`}
    <div class="dock-text">
    <p class="prompt" role="status">${acts ? html`<b class="your-turn-mark">Your turn</b> ` : ""}${text}</p>
    <div class="row">
      ${picker.ready && html`<button class="primary" data-action="confirm" disabled=${feed.sending} onClick=${() => doIt(picker.ready)}>Do it</button>`}
      ${picker.actions.map(
        ({ token, command }) => html`<button key=${token} data-action=${command.type} disabled=${feed.sending} onClick=${() => doIt(command)}>${module.say(command, ctx)}</button>`,
      )}
      ${picker.picked.length > 0 && html`<button class="quiet" onClick=${picker.clear}>Clear</button>`}
      ${acts && picker.any && html`<${AllMoves} picker=${picker} module=${module} ctx=${ctx} doIt=${doIt} open=${module.isListOnly} />`}
    </div>
    <${ErrorNote} error=${error} />
    </div>
  </section>`;
}

function AllMoves({ picker, module, ctx, doIt, open }) {
  const [shown, setShown] = useState(Boolean(open));
  const list = picker.all.map(({ command }) => command);
  const fits = list.filter((command) => picker.picked.every((token) => module.tokens(command, ctx).includes(token)));
  return html`<details class="all-moves" open=${shown} onToggle=${(event) => setShown(event.target.open)}>
    <summary>${fits.length === 1 ? "The one move" : `All ${fits.length} moves`}</summary>
    ${shown &&
    html`<ul>
      ${fits.map((command) => html`<li key=${JSON.stringify(command)}><button class="small" onClick=${() => doIt(command)}>${module.say(command, ctx)}</button></li>`)}
    </ul>`}
  </details>`;
}

function Result({ table, names, module }) {
  const { outcome } = table;
  const ref = useRef();
  useEffect(() => {
    if (document.documentElement.dataset.played && document.activeElement === document.body) ref.current?.focus({ preventScroll: true });
  }, []);
  const [rematch, busy, error] = useAction(async () => {
    const next = await post(`/v1/tables/${table.id}/rematch`);
    navigate(`/tables/${next.id}`);
  });
  const order = names.map((_, seat) => seat).sort((a, b) => outcome.places[a] - outcome.places[b] || a - b);
  return html`<section class="panel result" aria-labelledby="result" tabindex="-1" ref=${ref}>
    <h2 id="result">${winnerWords(outcome, names)}</h2>
    <p class="muted">${reasonWords(outcome.reason)}.</p>
    <ol class="places">
      ${order.map(
        (seat) => html`<li key=${seat} class=${outcome.winners.includes(seat) ? "winner" : ""}>
          <span class="place">${placeWords(outcome.places[seat])}</span>
          <span class="grow">${names[seat]}${outcome.resigned.includes(seat) ? html` <span class="badge">gave up</span>` : ""}</span>
          ${module.scored && html`<span class="muted small-text">${module.scored(table, seat)}</span>`}
          <b>${outcome.scores[seat]}</b>
        </li>`,
      )}
    </ol>
    <div class="row">
      ${table.you && html`<button class="primary" disabled=${busy} onClick=${rematch}>Play again</button>`}
      <a class="button" href=${`/tables/${table.id}/replay`}>Replay</a>
      ${table.fairness.seed_withheld_until
        ? html`<span class="muted">The record is there when the other tables with this deal have ended.</span>`
        : html`<a class="button" href=${`/v1/tables/${table.id}/record`} download=${`${table.id}.slr.jsonl`}>Download the record</a>
            <a class="button" href=${`/verify?table=${table.id}`}>Verify the deal</a>`}
    </div>
    <${ErrorNote} error=${error} />
  </section>`;
}
return { Connection, default: TablePage };
})();
export const lib_frames = (() => {
const { get } = lib_api;

const PART = 40;

class Frames {
  #parts = new Map();

  constructor(table, eyes) {
    this.path = `/v1/tables/${encodeURIComponent(table)}`;
    this.eyes = eyes;
  }

  #part(number) {
    if (!this.#parts.has(number)) {
      const from = number * PART + 1;
      const asked = get(`${this.path}/replay?as=${this.eyes}&from=${from}&limit=${PART}`).then(({ items }) => {
        const found = new Map(items.map((frame) => [frame.version, frame]));
        this.#parts.set(number, found);
        return found;
      });
      asked.catch(() => this.#parts.delete(number));
      this.#parts.set(number, asked);
    }
    return this.#parts.get(number);
  }

  now(version) {
    const part = this.#parts.get(Math.floor((version - 1) / PART));
    return part instanceof Map ? part.get(version) : undefined;
  }

  async at(version, last) {
    const number = Math.floor((version - 1) / PART);
    const part = await this.#part(number);
    if (version % PART > PART - 10 && (number + 1) * PART < last) this.#part(number + 1);
    return part.get(version);
  }

  async log(last) {
    const entries = [];
    while (entries.length < last) {
      const { items } = await get(`${this.path}/events?as=${this.eyes}&after=${entries.length}&limit=200`);
      if (!items.length) break;
      entries.push(...items);
    }
    return entries;
  }
}
return { Frames };
})();
export const pages_replay = (() => {
const { html, useCallback, useEffect, useMemo, useRef, useState } = vendor_htm_preact;
const { getFirst, post } = lib_api;
const { Frames } = lib_frames;
const { navigate, withQuery } = lib_router;
const { ErrorNote, Failed, Heading, Loading, Modal, needPlayer, useAction, usePage, useSession } = lib_ui;
const { BOT_TITLES, seatNames } = lib_words;
const { gameTitle } = games_marks;
const { Log, entryWords } = pages_log;
const { useGame } = pages_game;

const SPEEDS = [["0.5", 2400], ["1", 1200], ["2", 600], ["4", 300]];

function ReplayPage({ id, query }) {
  const me = useSession();
  const [table, setTable] = useState(null);
  const [error, setError] = useState(null);
  const load = () => getFirst(`/v1/tables/${encodeURIComponent(id)}`).then((found) => (setTable(found), setError(null)), setError);
  useEffect(() => {
    load();
  }, [id, me?.id]);
  usePage(table ? `Replay of ${gameTitle(table.game)}` : "Replay");
  if (error) return html`<${Failed} error=${error} retry=${load} />`;
  if (!table) return html`<${Loading}>Looking for the table<//>`;
  return html`<${Replay} table=${table} query=${query} />`;
}

function eyesOf(table, names) {
  if (table.status === "finished" && !table.fairness.seed_withheld_until) {
    return [["all", "All cards open"], ["public", "A spectator's eyes"], ...names.map((name, seat) => [String(seat), `${name}'s eyes`])];
  }
  return [["public", "A spectator's eyes"], ...(table.you ? [[String(table.you.seat), "My own eyes"]] : [])];
}

function Replay({ table, query }) {
  const game = useGame(table.game);
  const names = useMemo(() => seatNames(table.seats), [table.seats]);
  const choices = eyesOf(table, names);
  const last = table.version;
  const [{ at, eyes }, setPlace] = usePlace(query, last, choices, table.you ? String(table.you.seat) : "all");
  const frames = useMemo(() => new Frames(table.id, eyes), [table.id, eyes]);
  const [shown, setShown] = useState(null);
  const [log, setLog] = useState([]);
  const [error, setError] = useState(null);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const go = useCallback(
    (version) => setPlace((old) => ({ ...old, at: Math.max(1, Math.min(last, version)) })),
    [setPlace, last],
  );

  useEffect(() => {
    let isCurrent = true;
    frames.at(at, last).then(
      (frame) => isCurrent && (setShown({ frame, eyes }), setError(null)),
      (reason) => isCurrent && setError(reason),
    );
    return () => {
      isCurrent = false;
    };
  }, [frames, at]);
  useEffect(() => {
    let isCurrent = true;
    frames.log(last).then((entries) => isCurrent && setLog(entries), () => {});
    return () => {
      isCurrent = false;
    };
  }, [frames]);
  const next = useRef();
  next.current = () => (at >= last ? setPlaying(false) : go(at + 1));
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setInterval(() => next.current(), SPEEDS[speed][1]);
    return () => clearInterval(timer);
  }, [playing, speed]);
  useEffect(() => {
    const keyed = (event) => {
      if (event.target.closest?.("input, select, textarea, dialog")) return;
      if (event.key === "ArrowRight") go(at + 1);
      else if (event.key === "ArrowLeft") go(at - 1);
    };
    addEventListener("keydown", keyed);
    return () => removeEventListener("keydown", keyed);
  });

  const entry = log[at - 1];
  const words = entry ? entryWords(entry, names) : "";
  const rich = game?.module.rich;
  const toggle = () => {
    if (!playing && at >= last) go(1);
    setPlaying(!playing);
  };
  return html`
    <div class="table-head">
      <div>
        <${Heading}>Replay of ${gameTitle(table.game)}<//>
        <p class="muted small-text">${names.join(" · ")}</p>
      </div>
      <div class="row">
        <span class="inline">
          <select aria-label="Through whose eyes" data-control="eyes" value=${eyes} onChange=${(event) => setPlace({ at, eyes: event.target.value })}>
            ${choices.map(([value, text]) => html`<option value=${value} selected=${value === eyes}>${text}</option>`)}
          </select>
        </span>
        <${More} table=${table} at=${at} names=${names} bots=${game?.facts?.bots ?? ["greedy"]} />
      </div>
    </div>
    <div class="replay-bar" role="group" aria-label="Replay controls">
      <div class="row">
        <button class="small" onClick=${() => go(1)} disabled=${at === 1} title="First"><span aria-hidden="true">|◀</span><span class="sr">First move</span></button>
        <button class="small" data-control="back" onClick=${() => go(at - 1)} disabled=${at === 1}><span aria-hidden="true">◀</span><span class="sr">One move back</span></button>
        <button class="small primary" data-control="play" onClick=${toggle}>${playing ? "Pause" : "Play"}</button>
        <button class="small" data-control="next" onClick=${() => go(at + 1)} disabled=${at === last}><span aria-hidden="true">▶</span><span class="sr">One move on</span></button>
        <button class="small" onClick=${() => go(last)} disabled=${at === last} title="Last"><span aria-hidden="true">▶|</span><span class="sr">Last move</span></button>
        <span class="inline">
          <select aria-label="Speed" class="speed" value=${speed} onChange=${(event) => setSpeed(Number(event.target.value))}>
            ${SPEEDS.map(([name], index) => html`<option value=${index} selected=${index === speed}>${name}×</option>`)}
          </select>
        </span>
        <span class="counter" data-at=${at} data-last=${last}>${at} / ${last}</span>
      </div>
      <input type="range" min="1" max=${last} value=${at} aria-label="Move" aria-valuetext=${`Move ${at} of ${last}: ${words}`} onInput=${(event) => go(Number(event.target.value))} />
    </div>
    <${ErrorNote} error=${error} />
    <div class="table-layout">
      <div class="table-main">
        <p class="last-thing" aria-live=${playing ? "off" : "polite"}>${rich ? rich(words) : words}</p>
        ${shown?.frame && game
          ? html`<${Position} key=${table.id} table=${table} frame=${shown.frame} eyes=${shown.eyes} names=${names} game=${game} last=${last} />`
          : !error && html`<${Loading}>Laying the table<//>`}
      </div>
      <aside class="table-side" aria-label="Log">
        <${Log} entries=${log} names=${names} rich=${rich} current=${at} onJump=${go} />
      </aside>
    </div>`;
}

const WRITE_MS = 250;

function usePlace(query, last, choices, usual) {
  const number = Number(query.get("at"));
  const isAllowed = choices.some(([value]) => value === query.get("as"));
  const asked = {
    at: Number.isInteger(number) && number >= 1 ? Math.min(number, last) : last,
    eyes: isAllowed ? query.get("as") : choices.some(([value]) => value === usual) ? usual : choices[0][0],
  };
  const key = ({ at, eyes }) => `${at} ${eyes}`;
  const [place, setPlace] = useState(asked);
  const written = useRef(key(asked));
  useEffect(() => {
    if (key(asked) !== written.current) setPlace(asked);
    written.current = key(asked);
  }, [key(asked)]);
  useEffect(() => {
    if (key(place) === written.current && isAllowed) return undefined;
    const timer = setTimeout(() => {
      written.current = key(place);
      navigate(withQuery({ at: place.at, as: place.eyes }), { replace: true });
    }, WRITE_MS);
    return () => clearTimeout(timer);
  }, [key(place)]);
  return [place, setPlace];
}

function Position({ table, frame, eyes, names, game, last }) {
  if (!frame.view) return html`<p class="empty">The table waits for players.</p>`;
  const { module, facts } = game;
  const me = /^\d+$/.test(eyes) ? Number(eyes) : null;
  const isEnd = frame.version === last;
  const then = {
    ...table,
    version: frame.version,
    view: frame.view,
    to_act: frame.to_act,
    status: isEnd ? table.status : "playing",
    outcome: isEnd ? table.outcome : null,
    clock: null,
  };
  const ctx = { table: then, names, me, game: facts, last: frame, pick: null, isPast: true };
  const { Board, Hand } = module;
  return html`<div data-frame=${frame.version} data-eyes=${eyes}>
    <${Board} ctx=${ctx} />
    ${me !== null && Hand && html`<section class="own hand-flow" aria-label="Hand"><h2 class="zone-title">Hand of ${names[me]}</h2><${Hand} ctx=${ctx} /></section>`}
  </div>`;
}

function More({ table, at, names, bots }) {
  const [open, setOpen] = useState(false);
  const isOver = table.status === "finished" && !table.fairness.seed_withheld_until;
  return html`<button onClick=${() => setOpen(true)} aria-haspopup="dialog">Fork, record…</button>
    ${open &&
    html`<${Modal} title="From here" onClose=${() => setOpen(false)}>
      ${({ close }) => html`<div class="stack">
        ${isOver && html`<${Fork} table=${table} at=${at} names=${names} bots=${bots} />`}
        ${isOver &&
        html`<div class="row">
          <a class="button" href=${`/v1/tables/${table.id}/record`} download=${`${table.id}.slr.jsonl`}>Download the record</a>
          <a class="button" href=${`/verify?table=${table.id}`}>Verify it</a>
        </div>`}
        <a href=${`/tables/${table.id}`}>To the table</a>
        <div class="row end"><button class="primary" onClick=${close}>Close</button></div>
      </div>`}
    <//>`}`;
}

function Fork({ table, at, names, bots }) {
  const [seats, setSeats] = useState(() => table.seats.map((_, seat) => (seat === (table.you?.seat ?? 0) ? "me" : "ai:greedy")));
  const [fork, busy, error] = useAction(async (event) => {
    event.preventDefault();
    if (!(await needPlayer())) return;
    const made = await post(`/v1/tables/${table.id}/forks`, {
      at,
      seats: seats.map((kind) => (kind.startsWith("ai:") ? { kind: "ai", bot: kind.slice(3) } : { kind })),
    });
    navigate(`/tables/${made.id}`);
  });
  const change = (at, kind) => setSeats(seats.map((old, where) => (where === at ? kind : kind === "me" && old === "me" ? "open" : old)));
  return html`<form onSubmit=${fork} class="stack">
    <h3>Play on from move ${at}</h3>
    <p class="muted small-text">A new table begins as this one stood. Hidden cards lie where they lay, so whoever has read the replay knows them.</p>
    <ol class="seat-list">
      ${seats.map(
        (kind, seat) => html`<li key=${seat}>
          <span class="grow">${names[seat]}</span>
          <span class="inline">
            <select aria-label=${`Who plays seat ${seat + 1}`} value=${kind} onChange=${(event) => change(seat, event.target.value)}>
              <option value="me" selected=${kind === "me"}>Me</option>
              <option value="open" selected=${kind === "open"}>Free</option>
              ${bots.map((name) => html`<option value=${`ai:${name}`} selected=${kind === `ai:${name}`}>${BOT_TITLES[name] ?? name} bot</option>`)}
            </select>
          </span>
        </li>`,
      )}
    </ol>
    <${ErrorNote} error=${error} />
    <button class="primary" disabled=${busy}>Fork at move ${at}</button>
  </form>`;
}
return { default: ReplayPage };
})();
