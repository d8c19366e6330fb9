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
      ${["open", "running"].includes(tournament.status) && html`<button class="danger" disabled=${leaving} onClick=${() => withdraw(mine.entry)}>Withdraw</button>`}
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
              ${isOrganiser && isOpen && !each.withdrawn && html`<button class="small quiet" onClick=${() => withdraw(each.entry)}>Take out<span class="sr"> ${each.name}</span></button>`}
            </li>`,
          )}
        </ol>`
      : html`<p class="empty">Nobody has entered yet.</p>`}`;
}

export function Organiser({ cup, tournament }) {
  const [bot, setBot] = useState("greedy");
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
  return html`<section class="panel" aria-labelledby="organiser">
    <h2 id="organiser">You organise this</h2>
    ${status === "open" &&
    html`<form class="row" onSubmit=${add}>
      <select class="narrow" aria-label="Bot" value=${bot} onChange=${(event) => setBot(event.target.value)}>
        ${bots.map((level) => html`<option value=${level} selected=${level === bot}>${BOT_TITLES[level] ?? level} bot</option>`)}
      </select>
      <input class="narrow" maxlength="40" aria-label="Name of the bot" placeholder="its name" value=${name} onInput=${(event) => setName(event.target.value)} />
      <button disabled=${busy}>Add a bot</button>
    </form>`}
    <div class="row top-gap">
      ${status === "open" && html`<button class="primary" disabled=${busy} onClick=${() => step("start")}>Start</button>`}
      ${status === "running" && html`<button disabled=${busy} onClick=${() => step("pause")}>Pause</button>`}
      ${status === "paused" && html`<button class="primary" disabled=${busy} onClick=${() => step("resume")}>Go on</button>`}
      ${sure
        ? html`<button class="danger" disabled=${busy} onClick=${() => step("cancel", { reason: "" })}>Yes, cancel it</button><button onClick=${() => setSure(false)}>No</button>`
        : html`<button class="danger" onClick=${() => setSure(true)}>Cancel the tournament</button>`}
    </div>
    <${ErrorNote} error=${error} />
  </section>`;
}
