// The replay of a table: any version, through any eyes, with the log beside it.

import { html, useCallback, useEffect, useMemo, useRef, useState } from "../vendor/htm-preact.js";
import { getFirst, post } from "../lib/api.js";
import { Frames } from "../lib/frames.js";
import { navigate, withQuery } from "../lib/router.js";
import { ErrorNote, Failed, Heading, Loading, Modal, needPlayer, useAction, usePage, useSession } from "../lib/ui.js";
import { BOT_TITLES, seatNames } from "../lib/words.js";
import { gameTitle } from "../games/marks.js";
import { Log, entryWords } from "./log.js";
import { useGame } from "./game.js";

const SPEEDS = [["0.5", 2400], ["1", 1200], ["2", 600], ["4", 300]];

export default function ReplayPage({ id, query }) {
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

/** The eyes that are allowed here, as `[value, words]`. */
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

/**
 * The version and the eyes that are shown, as they stand in the address. The address follows a moment later: a browser
 * takes only so many changes of it in a while.
 */
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

/** The table as it stood, drawn by the game as if it were now. */
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

/** A new table that begins as this one stood. */
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
