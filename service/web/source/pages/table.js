// A table: waiting for players, being played, or finished.

import { html, useEffect, useMemo, useRef, useState } from "../vendor/htm-preact.js";
import { post, remove } from "../lib/api.js";
import { Feed } from "../lib/feed.js";
import { usePicker } from "../lib/picker.js";
import { navigate } from "../lib/router.js";
import { setting } from "../lib/session.js";
import { ErrorNote, Failed, Heading, Loading, Modal, sitDown, useAction, usePage, useSession } from "../lib/ui.js";
import { STATUS_WORDS, clockWords, listWords, placeWords, reasonWords, seatNames, spoken, winnerWords } from "../lib/words.js";
import { gameTitle } from "../games/marks.js";
import { Log, entryWords } from "./log.js";
import { useGame } from "./game.js";

/** Keep a feed for a table, and draw anew whenever it says so. */
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

export function Connection({ state, status }) {
  const [text, mark] = status === "aborted" ? ["Called off", "ok"] : STATES[state];
  return html`<span class="connection ${mark}" role="status"><i aria-hidden="true"></i>${text}</span>`;
}

export default function TablePage({ id }) {
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

/** What happened last, seen and heard. */
function LastThing({ feed, names, module }) {
  const words = feed.last ? entryWords(feed.last, names) : "";
  return html`<p class="last-thing" aria-live="polite" aria-atomic="true">${module.rich ? module.rich(words) : words}</p>`;
}

const MOST_OF_THE_WINDOW = 0.6;

/** Tell the style how much of the window a bar covers; one that would cover most of it, its list apart, lies in the flow. */
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

/** Own hand and what to do, always in sight. */
function Dock({ ctx, picker, module, send, error, acts, feed }) {
  const { table, names, me } = ctx;
  const bar = useRef(null);
  useCover(bar);
  const wasActing = useRef(acts);
  // Where the focus was on a part that is no button any more, it comes here; nothing else is disturbed.
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

/** Every legal move in words: for the keyboard, for screen readers, and for games without a drawing. */
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
