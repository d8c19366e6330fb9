// Entrants, and what the organiser may do.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { catalogue, post, remove } from "../lib/api.js";
import { ErrorNote, needPlayer, useAction } from "../lib/ui.js";
import { BOT_TITLES } from "../lib/words.js";

export function Entrants({ cup, tournament, me }) {
  const mine = tournament.entrants.find((each) => each.player && each.player === me?.id && !each.withdrawn);
  const [code, setCode] = useState("");
  const [enter, busy, error] = useAction(async () => {
    if (!(await needPlayer())) return;
    await post(`${cup.path}/entries`, { entry: { kind: "me", ...(tournament.entry === "code" ? { code } : {}) } });
    cup.read();
  });
  const [withdraw, leaving, leaveError] = useAction(async (entry) => {
    await remove(`${cup.path}/entries/${entry}`);
    cup.read();
  });
  const [checkIn, checking, checkError] = useAction(async (entry) => {
    await post(`${cup.path}/entries/${entry}/check-in`);
    cup.read();
  });
  const isOpen = tournament.status === "open";
  const isOver = tournament.status === "finished" || tournament.status === "cancelled";
  const isOrganiser = me?.id === tournament.organiser;
  return html`
    ${isOpen && !mine && tournament.entry !== "listed" &&
    html`<div class="row">
      ${tournament.entry === "code" && html`<input class="narrow" aria-label="Entry code" placeholder="Entry code" value=${code} onInput=${(event) => setCode(event.target.value)} />`}
      <button class="primary" disabled=${busy} onClick=${enter}>Enter</button>
    </div>`}
    ${mine &&
    html`<div class="row">
      <span>You are in.</span>
      ${tournament.check_in && !mine.checked_in && html`<button class="primary" disabled=${checking} onClick=${() => checkIn(mine.entry)}>Check in</button>`}
      ${!isOver && html`<${Sure} what="Withdraw" yes="Yes, withdraw" busy=${leaving} act=${() => withdraw(mine.entry)} />`}
    </div>`}
    <${ErrorNote} error=${error || leaveError || checkError} />
    ${tournament.entrants.length
      ? html`<ol class="entrants">
          ${tournament.entrants.map(
            (each) => html`<li key=${each.entry}>
              <span class="muted">${each.entry}</span>
              ${each.player ? html`<a href=${`/players/${each.player}`}>${each.name}</a>` : html`<span>${each.name}</span>`}
              ${each.bot && html`<span class="badge">${BOT_TITLES[each.bot] ?? each.bot} bot</span>`}
              ${each.withdrawn && html`<span class="badge">withdrawn</span>`}
              ${tournament.check_in && each.checked_in && !each.bot && html`<span class="badge">checked in</span>`}
              ${isOrganiser && isOpen && tournament.check_in && !each.checked_in && !each.withdrawn && html`<button class="small" disabled=${checking} onClick=${() => checkIn(each.entry)}>Check in<span class="sr"> ${each.name}</span></button>`}
              ${isOrganiser && !isOver && !each.withdrawn && html`<${Sure} small what="Take out" yes="Yes, take out" whom=${each.name} busy=${leaving} act=${() => withdraw(each.entry)} />`}
            </li>`,
          )}
        </ol>`
      : html`<p class="empty">Nobody has entered yet.</p>`}`;
}

/** A button that asks for a second word. */
function Sure({ what, yes, whom, small, busy, act }) {
  const [isAsked, ask] = useState(false);
  const size = small ? "small" : "";
  const of = whom && html`<span class="sr"> ${whom}</span>`;
  if (!isAsked) return html`<button class=${`danger ${size}`} onClick=${() => ask(true)}>${what}${of}</button>`;
  return html`<button class=${`danger ${size}`} disabled=${busy} onClick=${() => act().then(() => ask(false))}>${yes}${of}</button>
    <button class=${size} onClick=${() => ask(false)}>No</button>`;
}

export function Organiser({ cup, tournament, names }) {
  const [preview, setPreview] = useState(null);
  const [look, , lookError] = useAction(async () => setPreview(await post(`${cup.path}/pairings/preview`)));
  useEffect(() => setPreview(null), [tournament.version]);
  const [bot, setBot] = useState("greedy");
  const [player, setPlayer] = useState("");
  const [name, setName] = useState("");
  const [sure, setSure] = useState(false);
  const [step, busy, error] = useAction(async (what, body = {}) => {
    await post(`${cup.path}/${what}`, body);
    cup.read();
  });
  const [bots, setBots] = useState(["greedy"]);
  useEffect(() => {
    catalogue(tournament.game).then((game) => setBots(game.bots), () => {});
  }, [tournament.game]);
  const { status } = tournament;
  if (status === "finished" || status === "cancelled") return null;
  const add = async (event) => {
    event.preventDefault();
    await step("entries", { entry: { kind: "ai", bot, ...(name.trim() ? { name: name.trim() } : {}) } });
    setName("");
  };
  const invite = async (event) => {
    event.preventDefault();
    await step("entries", { entry: { kind: "player", player: player.trim() } });
    setPlayer("");
  };
  return html`<section class="panel" aria-labelledby="organiser">
    <h2 id="organiser">You organise this</h2>
    ${status === "open" &&
    html`<form class="row" onSubmit=${add}>
      <select class="narrow" aria-label="Bot" value=${bot} onChange=${(event) => setBot(event.target.value)}>
        ${bots.map((level) => html`<option value=${level} selected=${level === bot}>${BOT_TITLES[level] ?? level} bot</option>`)}
      </select>
      <input class="narrow" maxlength="40" aria-label="Name of the bot" placeholder="its name" value=${name} onInput=${(event) => setName(event.target.value)} />
      <button disabled=${busy}>Add a bot</button>
    </form>
    <form class="row top-gap" onSubmit=${invite}>
      <input class="narrow" required maxlength="64" aria-label="Player's id" placeholder="a player's id" value=${player} onInput=${(event) => setPlayer(event.target.value)} />
      <button disabled=${busy}>Enter a player</button>
    </form>`}
    <div class="row top-gap">
      ${status === "open" && html`<button class="primary" disabled=${busy} onClick=${() => step("start")}>Start</button><button disabled=${busy} onClick=${look}>Preview the pairings</button>`}
      ${status === "running" && html`<button disabled=${busy} onClick=${() => step("pause")}>Pause</button>`}
      ${status === "paused" && html`<button class="primary" disabled=${busy} onClick=${() => step("resume")}>Go on</button>`}
      ${sure
        ? html`<button class="danger" disabled=${busy} onClick=${() => step("cancel", { reason: "" })}>Yes, cancel it</button><button onClick=${() => setSure(false)}>No</button>`
        : html`<button class="danger" onClick=${() => setSure(true)}>Cancel the tournament</button>`}
    </div>
    <${ErrorNote} error=${error || lookError} />
    ${status === "open" && preview && html`<${Preview} preview=${preview} names=${names} />`}
  </section>`;
}

/** The next round as it would be paired now. */
function Preview({ preview, names }) {
  return html`<div role="status">
    <h3>Round ${preview.round}, if it began now</h3>
    <ul class="pairings">
      ${preview.tables.map((each) => html`<li class="pairing" key=${each.table}><span class="grow">${each.entries.map((entry) => html`<span>${names[entry]}</span>`)}</span></li>`)}
    </ul>
    ${preview.byes.length > 0 && html`<p>Bye: ${preview.byes.map((entry) => names[entry]).join(", ")}</p>`}
  </div>`;
}
