// A player: name, id, ratings, tables; one's own with the way to leave this browser.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { get } from "../lib/api.js";
import { RatingPlot } from "../lib/plot.js";
import { navigate } from "../lib/router.js";
import { session } from "../lib/session.js";
import { Ago, ErrorNote, Failed, Heading, Loading, useAction, usePage, useSession } from "../lib/ui.js";
import { BOT_TITLES, STATUS_WORDS, seatNames, spoken, winnerWords } from "../lib/words.js";
import { GameMark, gameTitle } from "../games/marks.js";

export default function PlayerPage({ id: given }) {
  const id = given.replace("%3A", ":");
  const isBot = id.startsWith("ai:");
  const me = useSession();
  const [player, setPlayer] = useState(null);
  const [list, setList] = useState(null);
  const [error, setError] = useState(null);
  const path = `/v1/tables?player=${encodeURIComponent(id)}&limit=20`;
  const load = () => {
    if (isBot) setPlayer({ id, kind: "bot", name: `${BOT_TITLES[id.slice(3)] ?? spoken(id.slice(3))} bot` });
    else get(`/v1/players/${encodeURIComponent(id)}`).then((found) => (setPlayer(found), setError(null)), setError);
    if (!isBot) get(path).then(setList, setError);
  };
  useEffect(load, [id]);
  usePage(player?.name ?? "Player");
  const [more, busy, moreError] = useAction(async () => {
    const next = await get(`${path}&cursor=${encodeURIComponent(list.next_cursor)}`);
    setList({ ...next, items: [...list.items, ...next.items] });
  });
  if (error && !player) return html`<${Failed} error=${error} retry=${load} />`;
  if (!player) return html`<${Loading} />`;
  return html`<${Heading}>${player.name}<//>
    <p class="muted">${isBot ? "Built in" : player.kind === "bot" ? "A bot" : "A person"} · id <code>${player.id}</code></p>
    ${me?.id === id && html`<${Leave} />`}
    <${Ratings} id=${id} name=${player.name} />
    ${isBot ? null : html`<h2>Tables</h2>`}
    ${isBot ? null : !list
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
        ${table.outcome ? winnerWords(table.outcome, names) : STATUS_WORDS[table.status]} · <${Ago} time=${table.created_at} />
      </span>
    </div>
  </li>`;
}

function Ratings({ id, name }) {
  const [items, setItems] = useState([]);
  useEffect(() => {
    get(`/v1/players/${encodeURIComponent(id)}/ratings`).then((found) => setItems(found.items), () => setItems([]));
  }, [id]);
  return items.map(
    (each) => html`<section key=${each.game}><h2>Rating at ${gameTitle(each.game)}</h2><${RatingPlot} lines=${[{ name, games: each.games }]} title=${`Rating at ${gameTitle(each.game)}`} /></section>`,
  );
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
