// The lobby: your tables, open ones, running ones, finished ones.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { arrived, get, getFirst, post } from "../lib/api.js";
import { navigate, withQuery } from "../lib/router.js";
import { Ago, ErrorNote, Heading, Loading, needPlayer, sitDown, useAction, useEvery, usePage, useSession } from "../lib/ui.js";
import { seatNames, winnerWords } from "../lib/words.js";
import { GAME_LINES, KNOWN, GameMark, gameTitle } from "../games/marks.js";

const STATUSES = [
  ["open", "Open", "Nobody waits for a player right now. Make a table, and it will be listed here."],
  ["playing", "Playing", "Nothing is being played right now."],
  ["finished", "Finished", "No table has been finished yet."],
];

function TableCard({ table, me }) {
  const names = seatNames(table.seats);
  const mine = me && table.seats.find((seat) => seat.player?.id === me.id);
  const isMyTurn = mine && table.to_act.includes(mine.seat);
  const free = table.seats.filter((seat) => seat.kind === "open" || (seat.reserved && me && seat.player?.id === me.id));
  const [join, busy, error] = useAction(async () => {
    const sat = await sitDown(table);
    if (sat) navigate(`/tables/${table.id}`);
  });
  return html`<li class="card-row ${isMyTurn ? "your-turn" : ""}">
    <${GameMark} game=${table.game} />
    <div class="card-row-text">
      <a class="card-row-title" href=${`/tables/${table.id}`}>
        ${gameTitle(table.game)}<span class="sr">, ${names.join(", ")}</span>
      </a>
      <span class="seats-line" aria-hidden="true">
        ${table.seats.map(
          (seat, at) => html`<span class="chip ${seat.kind}">${seat.kind === "open" ? "free seat" : names[at]}</span>`,
        )}
      </span>
      <span class="muted small-text">
        ${table.status === "finished" && table.outcome ? html`<b>${winnerWords(table.outcome, names)}</b> · ` : ""}
        ${table.status === "playing" ? `move ${table.version} · ` : ""}
        <${Ago} time=${table.created_at} />
        ${table.rated ? " · rated" : ""}${table.imported ? " · imported" : ""}
      </span>
      <${ErrorNote} error=${error} />
    </div>
    <div class="card-row-end">
      ${isMyTurn && html`<span class="badge turn">Your turn</span>`}
      ${table.status === "open" && !mine && free.length > 0
        ? html`<button class="primary small" disabled=${busy} onClick=${join}>
            Sit down<span class="sr"> at this table of ${gameTitle(table.game)}</span>
          </button>`
        : html`<a class="button small" href=${`/tables/${table.id}`}
            >${mine && table.status === "playing" ? "Play" : table.status === "playing" ? "Watch" : "Look"}<span class="sr">
              at ${gameTitle(table.game)}, ${names.join(", ")}</span
            ></a
          >`}
    </div>
  </li>`;
}

const FIRST_OWN = 6;

function MyTables({ me }) {
  const [items, setItems] = useState([]);
  const [all, showAll] = useState(false);
  const load = async () => {
    const lists = await Promise.all(
      ["playing", "open"].map((status) => get(`/v1/tables?player=${me.id}&status=${status}&limit=20`)),
    );
    const found = lists.flatMap((list) => list.items);
    const waits = (table) => table.seats.some((seat) => seat.player?.id === me.id && table.to_act.includes(seat.seat));
    setItems([...found.filter(waits), ...found.filter((table) => !waits(table))]);
  };
  useEffect(() => {
    load().catch(() => {});
  }, [me.id]);
  useEvery(5, () => load().catch(() => {}), [me.id]);
  if (!items.length) return null;
  return html`<section aria-labelledby="mine">
    <h2 id="mine">Your tables</h2>
    <ul class="rows">
      ${(all ? items : items.slice(0, FIRST_OWN)).map((table) => html`<${TableCard} key=${table.id} table=${table} me=${me} />`)}
    </ul>
    ${!all && items.length > FIRST_OWN && html`<div class="row center"><button onClick=${() => showAll(true)}>Show all ${items.length} of them</button></div>`}
  </section>`;
}

function QuickStart({ games }) {
  return html`<ul class="games">
    ${games.map(
      (game) => html`<li class="game-card" key=${game.game}>
        <${GameMark} game=${game.game} large />
        <h2>${game.title}</h2>
        <p class="muted">${GAME_LINES[game.game] || `For ${game.seats[0]} to ${game.seats.at(-1)} players.`}</p>
        <${QuickButtons} game=${game} />
      </li>`,
    )}
  </ul>`;
}

function QuickButtons({ game }) {
  const [start, busy, error] = useAction(async () => {
    if (!(await needPlayer())) return;
    const bot = game.bots.includes("greedy") ? "greedy" : game.bots.at(-1);
    const table = await post("/v1/tables", { game: game.game, seats: [{ kind: "me" }, { kind: "ai", bot }] });
    navigate(`/tables/${table.id}`);
  });
  return html`<div class="row">
      <button class="primary" disabled=${busy} onClick=${start}>
        Play a bot<span class="sr"> at ${game.title}</span>
      </button>
      <a class="button" href=${`/new?game=${game.game}`}>New table<span class="sr"> of ${game.title}</span></a>
    </div>
    <${ErrorNote} error=${error} />`;
}

export default function Lobby({ query }) {
  usePage("Lobby");
  const me = useSession();
  const status = STATUSES.some(([name]) => name === query.get("status")) ? query.get("status") : "open";
  const game = query.get("game") || "";
  const [catalogue, setCatalogue] = useState(null);
  const games = catalogue ?? KNOWN;
  const [error, setError] = useState(null);
  const path = `/v1/tables?status=${status}&limit=20${game ? `&game=${encodeURIComponent(game)}` : ""}`;
  const [list, setList] = useState(() => arrived(path) && { path, ...arrived(path) });

  const loadGames = () => get("/v1/games").then((answer) => setCatalogue(answer.items), setError);
  useEffect(() => {
    loadGames();
  }, []);
  const load = async () => {
    try {
      const first = await getFirst(path);
      setError(null);
      // What was read further down stays below the new first page.
      setList((old) => {
        if (!old || old.path !== path || !old.isLonger) return { path, ...first };
        const fresh = new Set(first.items.map((table) => table.id));
        return { ...old, items: [...first.items, ...old.items.filter((table) => !fresh.has(table.id))] };
      });
    } catch (reason) {
      setError(reason);
    }
  };
  useEffect(() => {
    if (list?.path !== path) load();
  }, [path]);
  useEvery(5, () => Promise.all([load(), catalogue ?? loadGames()]), [path, catalogue]);
  const [more, moreBusy] = useAction(async () => {
    const next = await get(`${path}&cursor=${encodeURIComponent(list.next_cursor)}`);
    const known = new Set(list.items.map((table) => table.id));
    setList({
      ...next,
      path,
      isLonger: true,
      items: [...list.items, ...next.items.filter((table) => !known.has(table.id))],
    });
  });
  const current = list?.path === path ? list : null;
  const [, , empty] = STATUSES.find(([name]) => name === status);
  return html`
    <section class="hero">
      <${Heading}>Play among the stars<//>
      <p>Three card games, against friends or bots. Every deal is fair and can be checked; every move is on the record.</p>
    </section>
    <${QuickStart} games=${games} />
    ${me && html`<${MyTables} me=${me} />`}
    <section aria-labelledby="tables">
      <div class="row between">
        <h2 id="tables">Tables</h2>
        <span class="inline">
          <select aria-label="Game" value=${game} onChange=${(event) => navigate(withQuery({ game: event.target.value || null }), { replace: true })}>
            <option value="">All games</option>
            ${games.map((each) => html`<option value=${each.game}>${each.title}</option>`)}
          </select>
        </span>
      </div>
      <div class="tabs" role="group" aria-label="Which tables">
        ${STATUSES.map(
          ([name, title]) => html`<button
            aria-pressed=${String(name === status)}
            onClick=${() => navigate(withQuery({ status: name }), { replace: true })}
          >
            ${title}
          </button>`,
        )}
      </div>
      <${ErrorNote} error=${error} retry=${() => Promise.all([load(), catalogue ?? loadGames()])} />
      ${!current
        ? !error && html`<${Loading} />`
        : current.items.length
          ? html`<ul class="rows">
              ${current.items.map((table) => html`<${TableCard} key=${table.id} table=${table} me=${me} />`)}
            </ul>`
          : html`<p class="empty">${empty}</p>`}
      ${current?.next_cursor &&
      html`<div class="row center"><button disabled=${moreBusy} onClick=${more}>Show more</button></div>`}
    </section>
  `;
}

