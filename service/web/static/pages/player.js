// A player: name, id, ratings, tables; one's own with the way to leave this browser.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { get } from "../lib/api.js";
import { navigate } from "../lib/router.js";
import { session } from "../lib/session.js";
import { ErrorNote, Heading, Loading, useAction, usePage, useSession } from "../lib/ui.js";
import { STATUS_WORDS, ago, exactTime, seatNames, winnerWords } from "../lib/words.js";
import { GameMark, gameTitle } from "../games/marks.js";

export default function PlayerPage({ id }) {
  const me = useSession();
  const [player, setPlayer] = useState(null);
  const [list, setList] = useState(null);
  const [error, setError] = useState(null);
  const path = `/v1/tables?player=${encodeURIComponent(id)}&limit=20`;
  const load = () => {
    setError(null);
    get(`/v1/players/${encodeURIComponent(id)}`).then(setPlayer, setError);
    get(path).then(setList, setError);
  };
  useEffect(load, [id]);
  usePage(player?.name ?? "Player");
  const [more, busy, moreError] = useAction(async () => {
    const next = await get(`${path}&cursor=${encodeURIComponent(list.next_cursor)}`);
    setList({ ...next, items: [...list.items, ...next.items] });
  });
  if (error && !player) return html`<${ErrorNote} error=${error} retry=${load} />`;
  if (!player) return html`<${Loading} />`;
  return html`<${Heading}>${player.name}<//>
    <p class="muted">${player.kind === "bot" ? "A bot" : "A person"} · id <code>${player.id}</code></p>
    ${me?.id === id && html`<${Leave} />`}
    <${Ratings} ratings=${player.ratings} />
    <h2>Tables</h2>
    ${!list
      ? html`<${Loading} />`
      : list.items.length
        ? html`<ul class="rows">${list.items.map((table) => html`<${Row} key=${table.id} table=${table} />`)}</ul>`
        : html`<p class="empty">No table yet.</p>`}
    <${ErrorNote} error=${moreError} />
    ${list?.next_cursor && html`<div class="row center"><button disabled=${busy} onClick=${more}>Show more</button></div>`}`;
}

function Row({ table }) {
  const names = seatNames(table.seats);
  return html`<li class="card-row">
    <${GameMark} game=${table.game} />
    <div class="card-row-text">
      <a class="card-row-title" href=${`/tables/${table.id}${table.status === "finished" ? "/replay" : ""}`}>${gameTitle(table.game)}<span class="sr">, ${names.join(", ")}</span></a>
      <span class="small-text">${names.join(" · ")}</span>
      <span class="muted small-text">
        ${table.outcome ? winnerWords(table.outcome, names) : STATUS_WORDS[table.status]} ·
        <time datetime=${table.created_at} title=${exactTime(table.created_at)}> ${ago(table.created_at)}</time>
      </span>
    </div>
  </li>`;
}

/** Ratings as mean and spread: `mu ± 2 sigma`, by game. */
function Ratings({ ratings }) {
  const list = Array.isArray(ratings) ? ratings : Object.entries(ratings ?? {}).map(([game, each]) => ({ game, ...each }));
  const shown = list.filter((each) => typeof each.mu === "number");
  if (!shown.length) return null;
  return html`<section><h2>Ratings</h2>
    <table class="figures"><thead><tr><th scope="col">Game</th><th scope="col">Seats</th><th scope="col">Rating</th><th scope="col">Tables</th></tr></thead>
      <tbody>${shown.map((each) => html`<tr><td>${gameTitle(each.game)}</td><td>${each.seats ?? "–"}</td><td>${each.mu.toFixed(1)} ± ${(2 * (each.sigma ?? 0)).toFixed(1)}</td><td>${each.tables ?? each.games ?? "–"}</td></tr>`)}</tbody>
    </table>
  </section>`;
}

function Leave() {
  const [sure, setSure] = useState(false);
  if (!sure) return html`<p><button class="small" onClick=${() => setSure(true)}>Forget me in this browser</button></p>`;
  return html`<div class="note" role="alertdialog" aria-label="Forget the name?">
    <span>The name can't be used again from anywhere: its token is kept in this browser only.</span>
    <button class="danger small" onClick=${() => (session.set(null), navigate("/"))}>Forget it</button>
    <button class="small" onClick=${() => setSure(false)}>Keep it</button>
  </div>`;
}
