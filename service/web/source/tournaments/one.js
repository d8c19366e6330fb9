// One tournament: what it waits for, standings, crosstable, rounds, live tables, ratings, log.

import { html, useEffect, useRef, useState } from "../vendor/htm-preact.js";
import { get, getAll, getFirst } from "../lib/api.js";
import { follow } from "../lib/live.js";
import { navigate, withQuery } from "../lib/router.js";
import { ErrorNote, Failed, Heading, Loading, usePage, useSession } from "../lib/ui.js";
import { TIE_WORDS, WAIT_WORDS, ago, clockWords, plural, spoken } from "../lib/words.js";
import { gameTitle } from "../games/marks.js";
import { Crosstable, Ratings, Rounds, Standings, Tables, TournamentLog } from "./views.js";
import { Entrants, Organiser } from "./people.js";

const VIEWS = { standings: "Standings", tables: "Live tables", rounds: "Pairings", crosstable: "Crosstable", entrants: "Entrants", ratings: "Ratings", log: "Log" };
const LOOK_AGAIN_MS = 400;

/** A tournament with its standings, crosstable and tables, read anew when its log grows. */
function useTournament(id) {
  const path = `/v1/tournaments/${encodeURIComponent(id)}`;
  const [found, setFound] = useState(null);
  const [error, setError] = useState(null);
  const [state, setState] = useState("connecting");
  const [log, setLog] = useState([]);
  const [spoken, setSpoken] = useState("");
  const timer = useRef(null);
  const shown = useRef(0);
  const read = async () => {
    try {
      const tournament = await getFirst(path);
      const [standings, crosstable, tables] = await Promise.all([get(`${path}/standings`), get(`${path}/crosstable`), getAll(`${path}/tables`)]);
      shown.current = tournament.version;
      setFound({ tournament, standings: standings.standings, crosstable, tables });
      setError(null);
    } catch (reason) {
      setError(reason);
    }
  };
  useEffect(() => {
    read();
  }, [id]);
  // Only what is there has a log.
  const isThere = Boolean(found);
  useEffect(() => {
    if (!isThere) return undefined;
    const stop = follow(`${path}/events`, 0, {
      onEntry: (entry) => {
        setLog((old) => (entry.version > (old.at(-1)?.version ?? 0) ? [...old, entry] : old));
        if (entry.version <= shown.current) return;
        setSpoken(entry.summary);
        clearTimeout(timer.current);
        timer.current = setTimeout(read, LOOK_AGAIN_MS);
      },
      onReset: read,
      onState: setState,
    });
    return () => {
      stop();
      clearTimeout(timer.current);
    };
  }, [id, isThere]);
  return { ...found, path, error, state, log, spoken, read };
}

export function TournamentPage({ id, query }) {
  const me = useSession();
  const cup = useTournament(id);
  const { tournament, error } = cup;
  usePage(tournament?.name ?? "Tournament");
  if (!tournament) return error ? html`<${Failed} error=${error} retry=${cup.read} home=${["/tournaments", "To the tournaments"]} />` : html`<${Loading} />`;
  const view = VIEWS[query.get("view")] ? query.get("view") : tournament.status === "open" ? "entrants" : "standings";
  const names = Object.fromEntries(tournament.entrants.map((each) => [each.entry, each.name]));
  const shared = { cup, tournament, names, me };
  const View = { standings: Standings, tables: Tables, rounds: Rounds, crosstable: Crosstable, entrants: Entrants, ratings: Ratings, log: TournamentLog }[view];
  return html`
    <div class="table-head">
      <div>
        <${Heading}>${tournament.name}<//>
        <p class="muted">
          ${gameTitle(tournament.game)} · ${spoken(tournament.format)} · tables of ${tournament.seats_per_table} · ${plural(tournament.entrants.length, "entrant")}
          ${tournament.round > 0 ? ` · round ${tournament.round}${tournament.rounds ? ` of ${tournament.rounds}` : ""}` : ""} · ${clockWords(tournament.clock)}${tournament.status === "open" && tournament.starts_at ? ` · starts ${ago(tournament.starts_at)}` : ""}${tournament.rated ? " · rated" : ""}
        </p>
      </div>
      <div class="row">
        <span class="badge ${tournament.status === "running" ? "turn" : ""}">${tournament.status}</span>
        ${["finished", "cancelled"].includes(tournament.status) && html`<a class="button small" href=${`${cup.path}/record`} download=${`${tournament.id}.jsonl`}>Download the record</a>`}
      </div>
    </div>
    <p class="sr" role="status">${cup.spoken}</p>
    <${ErrorNote} error=${error} />
    <${MyTable} ...${shared} />
    ${tournament.waits_for.length > 0 &&
    html`<ul class="waits">${tournament.waits_for.map((each) => html`<li class="note" key=${each.code + each.detail}><span><b>${WAIT_WORDS[each.code] ?? spoken(each.code)}.</b> ${each.detail}${each.names.length ? ` (${each.names.map((name) => names[name] ?? name).join(", ")})` : ""}</span></li>`)}</ul>`}
    ${me?.id === tournament.organiser && html`<${Organiser} ...${shared} />`}
    <div class="tabs wrap" role="group" aria-label="What to show">
      ${Object.entries(VIEWS).map(([name, title]) => html`<button key=${name} aria-pressed=${String(name === view)} onClick=${() => navigate(withQuery({ view: name }), { replace: true })}>${title}</button>`)}
    </div>
    <section class="panel" aria-label=${VIEWS[view]}><${View} ...${shared} query=${query} /></section>
    <details class="facts"><summary>Rules and fairness</summary>
      <dl class="generic">
        <div><dt>Points</dt><dd>${tournament.points.by_place ? tournament.points.by_place.join(", ") : "one for each opponent who was beaten"}${tournament.points.win_bonus ? `, and ${tournament.points.win_bonus} for a win` : ""}; a bye is worth ${{ win: "a win", half: "half a win", none: "nothing" }[tournament.byes]}</dd></div>
        <div><dt>Ties</dt><dd>${tournament.tie_breaks.map((name) => TIE_WORDS[name] ?? spoken(name)).join(", ")}</dd></div>
        <div><dt>Missing players</dt><dd>after ${tournament.no_show.grace} s: ${tournament.no_show.policy === "bot" ? `the bot ${tournament.no_show.bot} plays` : "the game is lost"}</dd></div>
        <div><dt>Commitment</dt><dd><code class="hash">${tournament.commitment}</code></dd></div>
        ${tournament.secret && html`<div><dt>Revealed secret</dt><dd><code class="hash">${tournament.secret}</code></dd></div>`}
      </dl>
    </details>`;
}

/** Where the person at this browser is awaited. */
function MyTable({ cup, tournament, me }) {
  const mine = tournament.entrants.find((each) => each.player && each.player === me?.id);
  const table = mine && cup.tables.find((each) => !each.over && each.seats.includes(mine.entry));
  if (!table || tournament.status !== "running") return null;
  return html`<div class="note" role="status"><span><b>Your table is ready.</b> Sit down in time.</span><a class="button primary small" href=${`/tables/${table.table}`}>To your table</a></div>`;
}
