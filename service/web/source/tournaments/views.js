// What a tournament shows: standings, crosstable, pairings, tables, ratings, log.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { get } from "../lib/api.js";
import { navigate, withQuery } from "../lib/router.js";
import { RatingPlot } from "../lib/plot.js";
import { ErrorNote, Loading } from "../lib/ui.js";
import { TIE_WORDS, placeWords, plural, reasonWords, spoken } from "../lib/words.js";
import { Judge } from "./judge.js";

const figure = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(2).replace(/0$/, ""));
const Wide = ({ label, children }) => html`<div class="scroll-x" tabindex="0" role="group" aria-label=${label}>${children}</div>`;

export function Standings({ cup }) {
  if (!cup.standings.length) return html`<p class="empty">Nobody has played yet.</p>`;
  const ties = cup.standings[0].tie_breaks.map(({ name }) => name);
  return html`<${Wide} label="Standings"><table class="figures full">
      <thead><tr><th scope="col">#</th><th scope="col">Name</th><th scope="col">Points</th><th scope="col">Games</th>${ties.includes("wins") ? "" : html`<th scope="col">Wins</th>`}${ties.map((name) => html`<th scope="col">${TIE_WORDS[name] ?? spoken(name)}</th>`)}</tr></thead>
      <tbody>
        ${cup.standings.map(
          (row) => html`<tr key=${row.entry} class=${row.place === 1 ? "leader" : ""}>
            <td>${row.place}</td>
            <th scope="row">${row.name}${row.withdrawn ? html` <span class="badge">withdrawn</span>` : ""}</th>
            <td><b>${figure(row.points)}</b></td>
            <td>${row.games}${row.byes ? html` <span class="muted">+ ${plural(row.byes, "bye")}</span>` : ""}${row.forfeits ? html` <span class="muted">(${plural(row.forfeits, "forfeit")})</span>` : ""}</td>
            ${ties.includes("wins") ? "" : html`<td>${row.wins}</td>`}
            ${row.tie_breaks.map((each) => html`<td>${each.name === "lot" ? -each.value + 1 : figure(each.value)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table><//>
    <details><summary>How these figures come about</summary>
      ${cup.standings.map(
        (row) => html`<div key=${row.entry} class="working"><b>${row.place}. ${row.name}</b>
          <ul class="plain small-text"><li>Points: ${row.working}</li>${row.tie_breaks.map((each) => html`<li>${TIE_WORDS[each.name] ?? spoken(each.name)}: ${each.working}</li>`)}</ul>
        </div>`,
      )}
    </details>`;
}

export function Crosstable({ cup, names }) {
  const { entries, crossings } = cup.crosstable;
  if (!crossings.length) return html`<p class="empty">Nobody has met yet.</p>`;
  const met = new Map(crossings.map((each) => [`${each.entry} ${each.opponent}`, each]));
  const shown = entries.slice(0, 60);
  return html`<${Wide} label="Crosstable"><table class="figures cross">
      <thead><tr><td></td>${shown.map((entry, at) => html`<th scope="col" title=${names[entry]}><span aria-hidden="true">${at + 1}</span><span class="sr">${names[entry]}</span></th>`)}</tr></thead>
      <tbody>
        ${shown.map(
          (entry, at) => html`<tr key=${entry}>
            <th scope="row">${at + 1}. ${names[entry]}</th>
            ${shown.map((other) => {
              if (other === entry) return html`<td class="self"><span class="sr">itself</span></td>`;
              const each = met.get(`${entry} ${other}`);
              return each
                ? html`<td title=${`${each.ahead} ahead, ${each.level} level, ${each.behind} behind`}>${each.ahead}-${each.behind}${each.level ? html` <span class="muted">=${each.level}</span>` : ""}</td>`
                : html`<td class="muted"><span aria-hidden="true">·</span><span class="sr">not met</span></td>`;
            })}
          </tr>`,
        )}
      </tbody>
    </table><//>
    <p class="small-text muted">Games ahead and behind in the row's view; = games level.${entries.length > shown.length ? ` The first ${shown.length} of ${entries.length}.` : ""}</p>`;
}

function Game({ game, names, cup, canJudge }) {
  const { result } = game;
  return html`<li class="pairing">
    <span class="grow">
      ${game.seats.map(
        (entry, seat) => html`<span class="pairing-seat ${result?.places[seat] === 1 ? "winner" : ""}">${names[entry]}${result ? html` <b>${result.scores[seat] ?? ""}</b> <span class="muted">${placeWords(result.places[seat])}${result.forfeits.includes(seat) ? ", forfeit" : ""}</span>` : ""}</span>`,
      )}
    </span>
    <span class="small-text muted">${result ? `${reasonWords(result.reason)}${result.by === "organiser" ? " (by the organiser)" : ""}` : game.no_show ? "somebody is missing" : "being played"}</span>
    <a class="button small" href=${`/tables/${game.id}${result ? "/replay" : ""}`}>${result ? "Replay" : "Watch"}<span class="sr"> ${game.seats.map((entry) => names[entry]).join(", ")}</span></a>
    ${canJudge && html`<${Judge} cup=${cup} game=${game} names=${names} />`}
  </li>`;
}

export function Rounds({ cup, tournament, names, me, query }) {
  const canJudge = me?.id === tournament.organiser && tournament.status !== "cancelled";
  const last = tournament.round;
  const wanted = Number(query.get("round"));
  const number = wanted >= 1 && wanted <= last ? wanted : last;
  const [round, setRound] = useState(null);
  const [error, setError] = useState(null);
  useEffect(() => {
    let isCurrent = true;
    if (number) get(`${cup.path}/rounds/${number}`).then((found) => isCurrent && (setRound(found), setError(null)), (reason) => isCurrent && setError(reason));
    return () => {
      isCurrent = false;
    };
  }, [number, tournament.version]);
  if (!last) return html`<p class="empty">No round is paired yet.</p>`;
  const go = (to) => navigate(withQuery({ round: to }), { replace: true });
  return html`<div class="row">
      <button class="small" disabled=${number <= 1} onClick=${() => go(number - 1)}>Round before</button>
      <h2 class="no-gap">Round ${number}</h2>
      <button class="small" disabled=${number >= last} onClick=${() => go(number + 1)}>Next round</button>
    </div>
    <${ErrorNote} error=${error} />
    ${round?.round === number
      ? html`<ul class="pairings">
            ${round.tables.flatMap((table) => table.games.map((game) => html`<${Game} key=${game.id} game=${game} names=${names} cup=${cup} canJudge=${canJudge} />`))}
          </ul>
          ${round.byes.length > 0 && html`<p>Bye: ${round.byes.map((entry) => names[entry]).join(", ")}</p>`}
          ${round.idle.length > 0 && html`<p class="muted">Not in this round: ${round.idle.map((entry) => names[entry]).join(", ")}</p>`}
          <details><summary>What this pairing costs</summary><p class="small-text muted">${Object.entries(round.cost).map(([name, value]) => `${spoken(name).toLowerCase()} ${value}`).join(", ")} (score spread: squared differences in 120ths of a point)</p></details>`
      : !error && html`<${Loading} />`}`;
}

export function Tables({ cup, names }) {
  if (!cup.tables.length) return html`<p class="empty">No table yet.</p>`;
  const running = cup.tables.filter((each) => !each.over);
  return html`<p class="muted">${running.length ? `${plural(running.length, "table")} of this round ${running.length === 1 ? "is" : "are"} being played.` : "All tables of the last round are over."}</p>
    <ul class="pairings">
      ${[...running, ...cup.tables.filter((each) => each.over)].map(
        (each) => html`<li class="pairing" key=${each.table}>
          <span class="grow">${each.seats.map((entry) => html`<span class="pairing-seat">${names[entry]}</span>`)}</span>
          <span class="badge ${each.over ? "" : "turn"}">${each.over ? "over" : "playing"}</span>
          <a class="button small" href=${`/tables/${each.table}${each.over ? "/replay" : ""}`}>${each.over ? "Replay" : "Watch"}<span class="sr"> table ${each.number}</span></a>
        </li>`,
      )}
    </ul>`;
}

export function Ratings({ cup, tournament }) {
  const [lines, setLines] = useState(null);
  useEffect(() => {
    let isCurrent = true;
    const places = Object.fromEntries(cup.standings.map((row) => [row.entry, row.place]));
    const order = [...tournament.entrants].sort((a, b) => (places[a.entry] ?? 1e9) - (places[b.entry] ?? 1e9));
    const rated = new Map(order.map((each) => [each.player ?? `ai:${each.bot}`, each.player ? each.name : `${spoken(each.bot)} bot`]));
    Promise.all(
      [...rated].slice(0, 6).map(async ([player, name]) => {
        const { items } = await get(`/v1/players/${encodeURIComponent(player)}/ratings`).catch(() => ({ items: [] }));
        return { name, games: items.find((each) => each.game === tournament.game)?.games ?? [] };
      }),
    ).then((found) => isCurrent && setLines(found));
    return () => {
      isCurrent = false;
    };
  }, [tournament.version]);
  return lines ? html`<${RatingPlot} lines=${lines} title="Ratings over time" />` : html`<${Loading} />`;
}

export function TournamentLog({ cup, names }) {
  const words = (text) => text.replace(/\be\d+\b/g, (entry) => names[entry] ?? entry);
  return html`<ol class="cup-log">${cup.log.map((entry) => html`<li key=${entry.version}><span class="log-version">${entry.version}</span> ${words(entry.summary)}</li>`)}</ol>`;
}
