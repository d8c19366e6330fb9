// The list of tournaments, and the ratings of each game.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { get } from "../lib/api.js";
import { navigate, withQuery } from "../lib/router.js";
import { Ago, ErrorNote, Heading, Loading, useAction, useEvery, usePage } from "../lib/ui.js";
import { BOT_TITLES, plural, spoken } from "../lib/words.js";
import { GameMark, gameTitle } from "../games/marks.js";

const STATUSES = ["all", "open", "running", "finished"];

export function TournamentList({ query }) {
  usePage("Tournaments");
  const status = STATUSES.includes(query.get("status")) ? query.get("status") : "all";
  const path = `/v1/tournaments?limit=20${status === "all" ? "" : `&status=${status}`}`;
  const [list, setList] = useState(null);
  const [error, setError] = useState(null);
  const load = () =>
    get(path).then((found) => (setList((old) => (old?.isLonger && old.path === path ? old : { ...found, path })), setError(null)), setError);
  useEffect(() => {
    load();
  }, [path]);
  useEvery(6, load, [path]);
  const [more, busy, moreError] = useAction(async () => {
    const next = await get(`${path}&cursor=${encodeURIComponent(list.next_cursor)}`);
    setList({ ...next, path, isLonger: true, items: [...list.items, ...next.items] });
  });
  const current = list?.path === path ? list : null;
  return html`<div class="row between">
      <${Heading}>Tournaments<//>
      <a class="button primary" href="/tournaments/new">New tournament</a>
    </div>
    <div class="tabs" role="group" aria-label="Which tournaments">
      ${STATUSES.map((name) => html`<button aria-pressed=${String(name === status)} onClick=${() => navigate(withQuery({ status: name }), { replace: true })}>${spoken(name)}</button>`)}
    </div>
    <${ErrorNote} error=${error || moreError} retry=${load} />
    ${!current
      ? !error && html`<${Loading} />`
      : current.items.length
        ? html`<ul class="rows">
            ${current.items.map(
              (each) => html`<li class="card-row" key=${each.id}>
                <${GameMark} game=${each.game} />
                <div class="card-row-text">
                  <a class="card-row-title" href=${`/tournaments/${each.id}`}>${each.name}</a>
                  <span class="small-text">${gameTitle(each.game)}, ${spoken(each.format).toLowerCase()}, tables of ${each.seats_per_table}</span>
                  <span class="muted small-text">${plural(each.entrants, "entrant")}${each.round ? `, round ${each.round}${each.rounds ? ` of ${each.rounds}` : ""}` : ""} · <${Ago} time=${each.created_at} /></span>
                </div>
                <span class="badge ${each.status === "running" ? "turn" : ""}">${each.status}</span>
              </li>`,
            )}
          </ul>`
        : html`<p class="empty">There is none here yet.</p>`}
    ${current?.next_cursor && html`<div class="row center"><button disabled=${busy} onClick=${more}>Show more</button></div>`}
    <${Leaderboard} query=${query} />`;
}

function Leaderboard({ query }) {
  const [games, setGames] = useState([]);
  const [rows, setRows] = useState(null);
  const [names, setNames] = useState({});
  const game = query.get("game") || games[0]?.game;
  const loadGames = () => get("/v1/games").then(({ items }) => setGames(items), () => {});
  useEffect(() => {
    loadGames();
  }, []);
  useEvery(6, () => games.length || loadGames(), [games]);
  useEffect(() => {
    if (!game) return;
    setRows(null);
    get(`/v1/ratings?game=${encodeURIComponent(game)}`).then(({ items }) => {
      setRows(items.slice(0, 50));
      for (const { player, name } of items.slice(0, 50)) {
        if (name || player.startsWith("ai:")) continue;
        get(`/v1/players/${encodeURIComponent(player)}`).then((found) => setNames((old) => ({ ...old, [player]: found.name })), () => {});
      }
    }, () => setRows([]));
  }, [game]);
  return html`<section aria-labelledby="ratings">
    <div class="row between">
      <h2 id="ratings">Ratings</h2>
      <select class="narrow" aria-label="Ratings of which game" value=${game} onChange=${(event) => navigate(withQuery({ game: event.target.value }), { replace: true })}>
        ${games.map((each) => html`<option value=${each.game} selected=${each.game === game}>${each.title}</option>`)}
      </select>
    </div>
    ${!rows
      ? html`<${Loading} />`
      : rows.length
        ? html`<div class="scroll-x" tabindex="0" role="group" aria-label="Ratings"><table class="figures">
            <thead><tr><th scope="col">#</th><th scope="col">Player</th><th scope="col">Rating</th><th scope="col">Likely between</th><th scope="col">Games</th></tr></thead>
            <tbody>
              ${rows.map(
                (row, at) => html`<tr key=${row.player}>
                  <td>${at + 1}</td>
                  <td><a href=${`/players/${encodeURIComponent(row.player)}`}>${row.player.startsWith("ai:") ? `${BOT_TITLES[row.player.slice(3)] ?? spoken(row.player.slice(3))} bot` : row.name ?? names[row.player] ?? row.player.slice(0, 8)}</a></td>
                  <td><b>${row.rating.mu.toFixed(1)}</b></td><td>${row.rating.low.toFixed(1)} to ${row.rating.high.toFixed(1)}</td><td>${row.games}</td>
                </tr>`,
              )}
            </tbody>
          </table></div>`
        : html`<p class="empty">No rated game yet.</p>`}
  </section>`;
}
