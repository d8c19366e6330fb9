// A new table: game, seats, options, clock, who may see it.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { get, post } from "../lib/api.js";
import { navigate, withQuery } from "../lib/router.js";
import { SchemaForm, changedOf, defaultsOf, optionErrors } from "../lib/schema_form.js";
import { ErrorNote, Heading, Loading, needPlayer, useAction, usePage } from "../lib/ui.js";
import { BOT_TITLES, spoken } from "../lib/words.js";
import { GameMark } from "../games/marks.js";

const TURN_TIMES = [15, 30, 60, 120, 300, 3600, 86400, 3 * 86400];
const BANK_TIMES = [180, 300, 600, 1200, 3600];
const timeWords = (s) => (s < 60 ? `${s} seconds` : s < 3600 ? `${s / 60} min` : s < 86400 ? `${s / 3600} h` : `${s / 86400} d`);
const EXPIRY = { default_move: "a simple move is made", bot: "a bot plays on", resign: "the seat gives up" };

export default function Create({ query }) {
  usePage("New table");
  const [games, setGames] = useState(null);
  const [failed, setFailed] = useState(null);
  useEffect(() => {
    get("/v1/games").then((answer) => setGames(answer.items), setFailed);
  }, []);
  const game = games?.find((each) => each.game === query.get("game")) ?? games?.[0];
  return html`<${Heading}>New table<//>
    <${ErrorNote} error=${failed} />
    ${!games && !failed && html`<${Loading} />`}
    ${game && html`<${Form} key=${game.game} game=${game} games=${games} />`}`;
}

function Form({ game, games }) {
  const [count, setCount] = useState(game.seats.includes(2) ? 2 : game.seats[0]);
  const bot = game.bots.includes("greedy") ? "greedy" : game.bots.at(-1);
  const [seats, setSeats] = useState(() =>
    Array.from({ length: Math.max(...game.seats) }, (_, at) => (at === 0 ? "me" : `ai:${bot}`)),
  );
  const [options, setOptions] = useState(() => defaultsOf(game.options));
  const [visibility, setVisibility] = useState("public");
  const [rated, setRated] = useState(false);
  const [clock, setClock] = useState({ kind: "none", seconds: 60, increment: 10, on_expiry: "default_move" });
  const [seed, setSeed] = useState("");
  const [guests, setGuests] = useState({});
  const used = seats.slice(0, count);
  const canRate = used.every((kind) => !kind.startsWith("ai:")) && !seed;
  const [create, busy, error] = useAction(async (event) => {
    event.preventDefault();
    if (!(await needPlayer())) return;
    const body = {
      game: game.game,
      seats: used.map((kind, at) =>
        kind === "player" ? { kind, player: (guests[at] ?? "").trim() } : kind.startsWith("ai:") ? { kind: "ai", bot: kind.slice(3) } : { kind },
      ),
      options: changedOf(game.options, options),
      visibility,
      ...(rated && canRate ? { rated: true } : {}),
      ...(seed ? { seed } : {}),
      ...(clock.kind === "none" ? {} : { clock: clockOf(clock, game) }),
    };
    const table = await post("/v1/tables", body);
    navigate(`/tables/${table.id}`);
  });
  const setSeat = (at, kind) =>
    setSeats(seats.map((old, where) => (where === at ? kind : kind === "me" && old === "me" ? "open" : old)));
  return html`<form class="create" onSubmit=${create}>
    <fieldset class="panel whole">
      <legend>Game</legend>
      <div class="game-choice">
        ${games.map(
          (each) => html`<label class="choice ${each.game === game.game ? "on" : ""}" key=${each.game}>
            <input type="radio" name="game" checked=${each.game === game.game} onChange=${() => navigate(withQuery({ game: each.game }), { replace: true })} />
            <${GameMark} game=${each.game} /> ${each.title}
          </label>`,
        )}
      </div>
    </fieldset>
    <fieldset class="panel">
      <legend>Seats</legend>
      <label class="field"><span>How many</span>
        <select value=${count} onChange=${(event) => setCount(Number(event.target.value))}>
          ${game.seats.map((number) => html`<option value=${number}>${number}</option>`)}
        </select>
      </label>
      <ol class="seat-list">
        ${used.map(
          (kind, at) => html`<li key=${at}>
            <span class="avatar seat-${at % 6}" aria-hidden="true">${at + 1}</span>
            <span class="inline grow">
              <select aria-label=${`Seat ${at + 1}`} value=${kind} onChange=${(event) => setSeat(at, event.target.value)}>
                <option value="me">Me</option>
                <option value="open">Free, whoever comes</option>
                <option value="player">Kept for a player</option>
                ${game.bots.map((name) => html`<option value=${`ai:${name}`}>${BOT_TITLES[name] ?? spoken(name)} bot</option>`)}
              </select>
            </span>
            ${kind === "player" &&
            html`<input
              class="grow"
              required
              aria-label=${`Player's id for seat ${at + 1}`}
              placeholder="The player's id"
              value=${guests[at] ?? ""}
              onInput=${(event) => setGuests({ ...guests, [at]: event.target.value })}
            />`}
          </li>`,
        )}
      </ol>
      <p class="help">The game begins when all seats are taken. A free seat that you take yourself afterwards lets your browser add its own randomness to the deal.</p>
    </fieldset>
    <fieldset class="panel">
      <legend>Options</legend>
      <${SchemaForm} schema=${game.options} values=${options} onChange=${setOptions} errors=${optionErrors(error?.errors)} />
    </fieldset>
    <fieldset class="panel">
      <legend>Clock</legend>
      <label class="field"><span>Kind</span>
        <select value=${clock.kind} onChange=${(event) => setClock({ ...clock, kind: event.target.value, seconds: event.target.value === "bank" ? 300 : 60 })}>
          <option value="none">None, everybody takes all the time there is</option>
          <option value="turn">So much time for each move</option>
          <option value="bank">So much time for the whole game</option>
        </select>
      </label>
      ${clock.kind !== "none" &&
      html`<label class="field"><span>Time</span>
          <select value=${clock.seconds} onChange=${(event) => setClock({ ...clock, seconds: Number(event.target.value) })}>
            ${(clock.kind === "bank" ? BANK_TIMES : TURN_TIMES).map((s) => html`<option value=${s}>${timeWords(s)}</option>`)}
          </select>
        </label>
        ${clock.kind === "bank" &&
        html`<label class="field"><span>Seconds back for each move</span>
          <input type="number" min="0" max="3600" value=${clock.increment} onInput=${(event) => setClock({ ...clock, increment: Number(event.target.value) })} />
        </label>`}
        <label class="field"><span>When the time is over</span>
          <select value=${clock.on_expiry} onChange=${(event) => setClock({ ...clock, on_expiry: event.target.value })}>
            ${Object.entries(EXPIRY).map(([name, words]) => html`<option value=${name}>${words}</option>`)}
          </select>
        </label>`}
    </fieldset>
    <fieldset class="panel">
      <legend>More</legend>
      <label class="check"><input type="checkbox" checked=${visibility === "unlisted"} onChange=${(event) => setVisibility(event.target.checked ? "unlisted" : "public")} /> Leave it out of the lobby; whoever has the address may watch</label>
      <label class="check"><input type="checkbox" disabled=${!canRate} checked=${rated && canRate} onChange=${(event) => setRated(event.target.checked)} /> Rated ${canRate ? "" : "(needs players only, and no chosen seed)"}</label>
      <label class="field"><span>Seed of the deal (for tests and fixed deals)</span>
        <input maxlength="64" value=${seed} onInput=${(event) => setSeed(event.target.value)} placeholder="left out: nobody knows the deal" />
      </label>
    </fieldset>
    <${ErrorNote} error=${error} />
    <div class="row end whole"><a class="button quiet" href="/">Back</a><button type="submit" class="primary" disabled=${busy}>Create the table</button></div>
  </form>`;
}

function clockOf(clock, game) {
  const { kind, seconds, increment, on_expiry } = clock;
  return {
    kind,
    seconds,
    ...(kind === "bank" ? { increment } : {}),
    on_expiry,
    ...(on_expiry === "bot" ? { bot: game.bots.includes("greedy") ? "greedy" : game.bots.at(-1) } : {}),
  };
}
