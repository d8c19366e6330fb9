// Written by `make page` from service/web/source: change it there.
// htm (Apache-2.0) and Preact (MIT) are in first.js; their licences stand in vendor/.
import { games_marks, lib_api, lib_live, lib_router, lib_session, lib_ui, lib_words, vendor_htm_preact } from "./first.js";
export const lib_schema_form = (() => {
const { html, useState } = vendor_htm_preact;
const { spoken } = lib_words;

const resolve = (schema, root) =>
  schema.$ref ? resolve(schema.$ref.replace(/^#\//, "").split("/").reduce((at, name) => at[name], root), root) : schema;

function Prose({ text }) {
  return text.split("`").map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));
}

const valueWords = (value) => (value === null ? "by chance" : spoken(String(value)));

function Field({ name, schema, root, value, onChange, error }) {
  const flat = resolve(schema, root);
  const choices = choicesOf(flat, root);
  const id = `option-${name}`;
  const help = flat.description || schema.description;
  const note = html`
    ${help && html`<span class="help" id=${`${id}-help`}><${Prose} text=${help} /></span>`}
    ${error && html`<span class="field-error" id=${`${id}-error`}>${error}</span>`}
  `;
  const described = `${help ? `${id}-help` : ""} ${error ? `${id}-error` : ""}`.trim() || undefined;
  const common = { id, name, "aria-describedby": described, "aria-invalid": error ? "true" : undefined };
  if (flat.type === "boolean") {
    return html`<div class="field">
      <label class="check"><input type="checkbox" ...${common} checked=${value === true} onChange=${(event) => onChange(event.target.checked)} /> ${spoken(name)}</label>
      ${note}
    </div>`;
  }
  if (choices) {
    const at = choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(value));
    return html`<div class="field">
      <label for=${id}>${spoken(name)}</label>
      <select ...${common} onChange=${(event) => onChange(choices[event.target.value])}>
        ${choices.map((choice, index) => html`<option value=${index} selected=${index === at}>${valueWords(choice)}</option>`)}
      </select>
      ${note}
    </div>`;
  }
  if (flat.type === "integer" || flat.type === "number") {
    return html`<div class="field">
      <label for=${id}>${spoken(name)}</label>
      <input
        type="number" ...${common} min=${flat.minimum} max=${flat.maximum} value=${value}
        onInput=${(event) => onChange(event.target.value === "" ? undefined : Number(event.target.value))}
      />
      ${note}
    </div>`;
  }
  if (flat.type === "string") {
    return html`<div class="field">
      <label for=${id}>${spoken(name)}</label>
      <input type="text" ...${common} value=${value ?? ""} maxlength=${flat.maxLength} onInput=${(event) => onChange(event.target.value)} />
      ${note}
    </div>`;
  }
  return html`<${JsonField} name=${name} common=${common} flat=${flat} root=${root} value=${value} onChange=${onChange} note=${note} />`;
}

function choicesOf(schema, root) {
  if (schema.enum) return schema.enum;
  if ("const" in schema) return [schema.const];
  if (schema.type === "null") return [null];
  if (schema.type === "boolean") return [false, true];
  if (schema.type === "integer" && schema.minimum !== undefined && schema.maximum - schema.minimum < 20) {
    return Array.from({ length: schema.maximum - schema.minimum + 1 }, (_, at) => schema.minimum + at);
  }
  const parts = schema.anyOf || schema.oneOf;
  if (!parts) return null;
  const lists = parts.map((part) => choicesOf(resolve(part, root), root));
  return lists.every(Boolean) ? lists.flat() : null;
}

function JsonField({ name, common, flat, root, value, onChange, note }) {
  const fixed = (flat.anyOf || flat.oneOf || []).map((part) => resolve(part, root)).flatMap((part) => choicesOf(part, root) ?? []);
  const isFixed = fixed.some((choice) => JSON.stringify(choice) === JSON.stringify(value));
  const [text, setText] = useState(isFixed || value === undefined ? "" : JSON.stringify(value, null, 1));
  const [wrong, setWrong] = useState("");
  const typed = (event) => {
    setText(event.target.value);
    try {
      onChange(JSON.parse(event.target.value));
      setWrong("");
    } catch (reason) {
      setWrong(reason.message);
    }
  };
  return html`<div class="field">
    <label for=${fixed.length ? `${common.id}-kind` : common.id}>${spoken(name)}</label>
    ${fixed.length > 0 &&
    html`<select id=${`${common.id}-kind`} onChange=${(event) => onChange(event.target.value === "own" ? [] : fixed[event.target.value])}>
      ${fixed.map((choice, at) => html`<option value=${at} selected=${isFixed && JSON.stringify(choice) === JSON.stringify(value)}>${valueWords(choice)}</option>`)}
      <option value="own" selected=${!isFixed}>My own</option>
    </select>`}
    ${!isFixed && html`<textarea rows="6" spellcheck="false" ...${common} aria-label=${`${spoken(name)}, as JSON`} value=${text} onInput=${typed} placeholder="JSON"></textarea>`}
    ${wrong && html`<span class="field-error">This is not JSON yet: ${wrong}</span>`}
    ${note}
  </div>`;
}

function defaultsOf(schema) {
  return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, each]) => [name, each.default]));
}

function changedOf(schema, values) {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(schema.properties[name]?.default),
    ),
  );
}

function SchemaForm({ schema, values, onChange, errors }) {
  return Object.entries(schema.properties ?? {}).map(
    ([name, each]) => html`<${Field}
      key=${name} name=${name} schema=${each} root=${schema} value=${values[name]} error=${errors?.[name]}
      onChange=${(value) => onChange({ ...values, [name]: value })}
    />`,
  );
}

function optionErrors(errors) {
  const found = {};
  for (const [path, words] of Object.entries(errors ?? {})) {
    const [head, name] = path.split(/[.[\]]+/);
    if (head === "options" && name) found[name] ??= words;
  }
  return found;
}
return { Prose, defaultsOf, changedOf, SchemaForm, optionErrors };
})();
export const pages_create = (() => {
const { html, useEffect, useState } = vendor_htm_preact;
const { get, post } = lib_api;
const { navigate, withQuery } = lib_router;
const { SchemaForm, changedOf, defaultsOf, optionErrors } = lib_schema_form;
const { ErrorNote, Heading, Loading, needPlayer, useAction, usePage } = lib_ui;
const { BOT_TITLES, spoken } = lib_words;
const { GameMark } = games_marks;

const TURN_TIMES = [15, 30, 60, 120, 300, 3600, 86400, 3 * 86400];
const BANK_TIMES = [180, 300, 600, 1200, 3600];
const timeWords = (s) => (s < 60 ? `${s} seconds` : s < 3600 ? `${s / 60} min` : s < 86400 ? `${s / 3600} h` : `${s / 86400} d`);
const EXPIRY = { default_move: "a simple move is made", bot: "a bot plays on", resign: "the seat gives up" };

function Create({ query }) {
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
return { default: Create };
})();
export const lib_plot = (() => {
const { html } = vendor_htm_preact;
const { useNarrow } = lib_ui;
const { exactTime, plural } = lib_words;

const WIDE = 640;
const NARROW = 330;
const HEIGHT = 240;
const EDGE = { left: 40, right: 12, top: 12, bottom: 28 };
const DASHES = ["", "6 4", "2 3", "10 3 2 3", "1 4", "12 5"];

function ticks(low, high) {
  const step = [1, 2, 5, 10, 20, 50].find((each) => (high - low) / each <= 6) ?? 100;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, at) => first + at * step);
}

function RatingPlot({ lines, title }) {
  const shown = lines.filter((line) => line.games.length > 0).slice(0, 6);
  const width = useNarrow() ? NARROW : WIDE;
  if (!shown.length) return html`<p class="empty">No rated game yet.</p>`;
  const isSingle = shown.length === 1;
  const most = Math.max(...shown.map((line) => line.games.length));
  const values = shown.flatMap((line) => line.games.flatMap(({ rating }) => (isSingle ? [rating.low, rating.high] : [rating.mu])));
  const [low, high] = [Math.floor(Math.min(...values) - 1), Math.ceil(Math.max(...values) + 1)];
  const x = (at) => EDGE.left + ((width - EDGE.left - EDGE.right) * at) / Math.max(1, most - 1);
  const y = (value) => EDGE.top + ((HEIGHT - EDGE.top - EDGE.bottom) * (high - value)) / (high - low);
  const path = (points) => points.map(([px, py], at) => `${at ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
  const band = ({ games }) =>
    `${path([...games.map((game, at) => [x(at), y(game.rating.high)]), ...games.map((game, at) => [x(at), y(game.rating.low)]).reverse()])}Z`;
  const words = shown.map(({ name, games }) => `${name} ${games.at(-1).rating.mu.toFixed(1)}`).join(", ");
  return html`<figure class="plot">
    <svg viewBox=${`0 0 ${width} ${HEIGHT}`} role="img" aria-label=${`${title}: ${words}`}>
      ${ticks(low, high).map(
        (value) => html`<g><line class="grid-line" x1=${EDGE.left} x2=${width - EDGE.right} y1=${y(value)} y2=${y(value)} /><text x=${EDGE.left - 6} y=${y(value) + 4} text-anchor="end">${value}</text></g>`,
      )}
      <text x=${width / 2} y=${HEIGHT - 6} text-anchor="middle">rated games, the oldest first</text>
      ${isSingle && html`<path class="band" d=${band(shown[0])} />`}
      ${shown.map(
        (line, at) => html`<g class=${`seat-${at}`}>
          <path class="rating-line" stroke-dasharray=${DASHES[at]} d=${path(line.games.map((game, index) => [x(index), y(game.rating.mu)]))} />
          <circle cx=${x(line.games.length - 1)} cy=${y(line.games.at(-1).rating.mu)} r="4" />
        </g>`,
      )}
    </svg>
    <figcaption>
      <ul class="legend">
        ${shown.map(
          (line, at) => html`<li class=${`seat-${at}`}>
            <svg viewBox="0 0 30 8" aria-hidden="true"><path class="rating-line" stroke-dasharray=${DASHES[at]} d="M0 4H30" /></svg>
            ${" "}${line.name} <b>${line.games.at(-1).rating.mu.toFixed(1)}</b>${" "}
            <span class="muted">(${line.games.at(-1).rating.low.toFixed(1)} to ${line.games.at(-1).rating.high.toFixed(1)}, ${plural(line.games.length, "game")})</span>
          </li>`,
        )}
      </ul>
      <details>
        <summary>The figures</summary>
        <div class="scroll-x" tabindex="0" role="group" aria-label="Figures">
          <table class="figures">
            <thead><tr><th scope="col">Player</th><th scope="col">Game</th><th scope="col">When</th><th scope="col">Place</th><th scope="col">Rating</th></tr></thead>
            <tbody>
              ${shown.flatMap((line) =>
                line.games.slice(-30).map(
                  (game) => html`<tr><td>${line.name}</td><td><a href=${`/tables/${game.table}`}>${game.table.slice(0, 6)}…</a></td><td>${exactTime(game.time_ms)}</td><td>${game.place} of ${game.players}</td><td>${game.rating.mu.toFixed(1)}</td></tr>`,
                ),
              )}
            </tbody>
          </table>
        </div>
      </details>
    </figcaption>
  </figure>`;
}
return { RatingPlot };
})();
export const pages_player = (() => {
const { html, useEffect, useState } = vendor_htm_preact;
const { get } = lib_api;
const { RatingPlot } = lib_plot;
const { navigate } = lib_router;
const { session } = lib_session;
const { Ago, ErrorNote, Failed, Heading, Loading, useAction, usePage, useSession } = lib_ui;
const { BOT_TITLES, STATUS_WORDS, seatNames, spoken, winnerWords } = lib_words;
const { GameMark, gameTitle } = games_marks;

function PlayerPage({ id: given }) {
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
return { default: PlayerPage };
})();
export const tournaments_list = (() => {
const { html, useEffect, useState } = vendor_htm_preact;
const { get } = lib_api;
const { navigate, withQuery } = lib_router;
const { Ago, ErrorNote, Heading, Loading, useAction, useEvery, usePage } = lib_ui;
const { BOT_TITLES, plural, spoken } = lib_words;
const { GameMark, gameTitle } = games_marks;

const STATUSES = ["all", "open", "running", "finished"];

function TournamentList({ query }) {
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
return { TournamentList };
})();
export const tournaments_create = (() => {
const { html, useEffect, useState } = vendor_htm_preact;
const { get, post } = lib_api;
const { navigate } = lib_router;
const { SchemaForm, changedOf, defaultsOf, optionErrors } = lib_schema_form;
const { ErrorNote, Heading, Loading, needPlayer, useAction, usePage } = lib_ui;
const { BOT_TITLES, TIE_WORDS, placeWords } = lib_words;

const FORMATS = {
  swiss: "Swiss: those level in points meet",
  round_robin: "Round robin: all meet",
  knockout: "Knockout: who loses is out",
  gauntlet: "Gauntlet: the first entrant meets all others",
};
const FIRST = {
  name: "", format: "swiss", seats: 2, rounds: "", legs: 1, entry: "open", code: "", min: 2, max: 64, check_in: false,
  grace: 600, policy: "forfeit", byes: "win", rated: false, clock: 60, seed: "", starts_at: "", advance: "", bonus: 0,
  places: null, bot: "greedy", losses: false, test: null,
  duplicate: false, ties: ["head_to_head", "buchholz", "sonneborn_berger", "wins", "lot"],
};

const FIRST_TEST = { elo0: 0, elo1: 30, risk: 5 };

function NewTournament({ query }) {
  usePage("New tournament");
  const [games, setGames] = useState(null);
  const [failed, setFailed] = useState(null);
  useEffect(() => {
    get("/v1/games").then(({ items }) => setGames(items), setFailed);
  }, []);
  return html`<${Heading}>New tournament<//>
    <${ErrorNote} error=${failed} />
    ${games ? html`<${Form} games=${games} first=${query.get("game")} />` : !failed && html`<${Loading} />`}`;
}

function Form({ games, first }) {
  const [name, setName] = useState(games.some((each) => each.game === first) ? first : games[0].game);
  const game = games.find((each) => each.game === name);
  const [facts, setFacts] = useState(FIRST);
  const [options, setOptions] = useState(() => defaultsOf(game.options));
  const set = (field, read = (target) => target.value) => (event) => setFacts({ ...facts, [field]: read(event.target) });
  const number = (target) => (target.value === "" ? "" : Number(target.value));
  const checked = (target) => target.checked;
  const choose = (event) => {
    const next = games.find((each) => each.game === event.target.value);
    setName(next.game);
    setOptions(defaultsOf(next.options));
    if (!next.seats.includes(facts.seats)) setFacts({ ...facts, seats: next.seats[0] });
  };
  const canBeTest = facts.format === "round_robin" && facts.seats === 2;
  const test = canBeTest ? facts.test : null;
  const places = facts.places && Array.from({ length: facts.seats }, (_, at) => facts.places[at] ?? 0);
  const canHaveRounds = facts.format === "swiss" || facts.format === "round_robin";
  const [create, busy, error] = useAction(async (event) => {
    event.preventDefault();
    if (!(await needPlayer())) return;
    const made = await post("/v1/tournaments", {
      name: facts.name.trim(),
      game: game.game,
      options: changedOf(game.options, options),
      format: facts.format,
      seats_per_table: facts.seats,
      ...(canHaveRounds && facts.rounds !== "" ? { rounds: facts.rounds } : {}),
      legs: facts.legs,
      ...(facts.format === "knockout" && facts.advance !== "" ? { advance: facts.advance } : {}),
      ...(facts.starts_at ? { starts_at: new Date(facts.starts_at).toISOString() } : {}),
      ...(facts.duplicate ? { duplicate: true } : {}),
      ...(places || facts.bonus ? { points: { ...(places ? { by_place: places } : {}), win_bonus: facts.bonus } } : {}),
      ...(test ? { sprt: { elo0: test.elo0, elo1: test.elo1, alpha_permille: test.risk * 10, beta_permille: test.risk * 10 } } : {}),
      tie_breaks: facts.ties,
      entry: facts.entry === "code" ? { kind: "code", code: facts.code } : { kind: facts.entry },
      entrants: test ? { min: 2, max: 2 } : { min: facts.min, max: facts.max },
      check_in: facts.check_in,
      no_show: { grace: facts.grace, policy: facts.policy, bot: facts.bot, rated: facts.rated && facts.losses },
      byes: facts.byes,
      rated: facts.rated,
      ...(facts.seed ? { seed: facts.seed } : {}),
      ...(facts.clock ? { clock: { kind: "turn", seconds: facts.clock, on_expiry: "default_move" } } : {}),
    });
    navigate(`/tournaments/${made.id}`);
  });
  return html`<form class="create" onSubmit=${create}>
    <fieldset class="panel"><legend>What</legend>
      <label class="field"><span>Name</span><input required maxlength="40" value=${facts.name} onInput=${set("name")} /></label>
      <label class="field"><span>Game</span>
        <select value=${name} onChange=${choose}>${games.map((each) => html`<option value=${each.game} selected=${each.game === name}>${each.title}</option>`)}</select>
      </label>
      <label class="field"><span>Format</span>
        <select value=${facts.format} onChange=${set("format")}>${Object.entries(FORMATS).map(([value, text]) => html`<option value=${value} selected=${value === facts.format}>${text}</option>`)}</select>
      </label>
      <label class="field"><span>Seats at a table</span>
        <select value=${facts.seats} onChange=${set("seats", (target) => Number(target.value))}>${game.seats.map((each) => html`<option value=${each} selected=${each === facts.seats}>${each}</option>`)}</select>
      </label>
      <div class="field-row">
      ${canHaveRounds && html`<label class="field"><span>Rounds</span><input type="number" min="1" max="1000" required=${Boolean(test)} value=${facts.rounds} onInput=${set("rounds", number)} placeholder=${test ? "at most" : "as many as the format needs"} /></label>`}
      <label class="field"><span>Games of each pairing</span><input type="number" min="1" max="60" required value=${facts.legs} onInput=${set("legs", number)} /></label>
      ${facts.format === "knockout" && html`<label class="field"><span>How many go on from a table</span><input type="number" min="1" max="5" value=${facts.advance} onInput=${set("advance", number)} placeholder="half of its seats" /></label>`}
      </div>
      <div class="field-row">
        <label class="field"><span>Seconds for each move (0: no clock)</span><input type="number" min="0" max="86400" required value=${facts.clock} onInput=${set("clock", number)} /></label>
        <label class="field"><span>Starts by itself at</span><input type="datetime-local" value=${facts.starts_at} onInput=${set("starts_at")} /></label>
      </div>
    </fieldset>
    ${canBeTest &&
    html`<fieldset class="panel"><legend>A test between two</legend>
      <label class="check"><input type="checkbox" checked=${Boolean(test)} onChange=${set("test", (target) => (target.checked ? FIRST_TEST : null))} /> End as soon as it is shown whether the first entrant is better</label>
      ${test && html`<${Test} test=${test} onChange=${(next) => setFacts({ ...facts, test: next })} />`}
    </fieldset>`}
    <fieldset class="panel"><legend>Who</legend>
      <label class="field"><span>Who may enter</span>
        <select value=${facts.entry} onChange=${set("entry")}>
          <option value="open">Anybody</option><option value="code">Whoever knows a code</option><option value="listed">Only whom I enter</option>
        </select>
      </label>
      ${facts.entry === "code" && html`<label class="field"><span>Code</span><input required minlength="8" maxlength="64" value=${facts.code} onInput=${set("code")} /></label>`}
      ${test
        ? html`<p class="help">A test is between two entrants.</p>`
        : html`<div class="field-row">
      <label class="field"><span>Fewest entrants</span><input type="number" min="2" max="2000" required value=${facts.min} onInput=${set("min", number)} /></label>
      <label class="field"><span>Most entrants</span><input type="number" min="2" max="2000" required value=${facts.max} onInput=${set("max", number)} /></label>
      </div>`}
      <label class="check"><input type="checkbox" checked=${facts.check_in} onChange=${set("check_in", checked)} /> Only who has checked in plays</label>
      <label class="check"><input type="checkbox" checked=${facts.rated} onChange=${set("rated", checked)} /> Results count for ratings</label>
    </fieldset>
    <fieldset class="panel"><legend>When somebody is missing</legend>
      <label class="field"><span>Seconds to sit down in</span><input type="number" min="0" max="1209600" required value=${facts.grace} onInput=${set("grace", number)} /></label>
      <label class="field"><span>Who has not sat down</span>
        <select value=${facts.policy} onChange=${set("policy")}><option value="forfeit">loses the game</option><option value="bot">is played by a bot</option></select>
      </label>
      ${facts.policy === "bot" &&
      html`<label class="field"><span>Which bot</span>
        <select value=${facts.bot} onChange=${set("bot")}>${game.bots.map((each) => html`<option value=${each} selected=${each === facts.bot}>${BOT_TITLES[each] ?? each}</option>`)}</select>
      </label>`}
      ${facts.policy === "forfeit" && facts.rated &&
      html`<label class="check"><input type="checkbox" checked=${facts.losses} onChange=${set("losses", checked)} /> Games lost this way count for ratings too</label>`}
    </fieldset>
    <fieldset class="panel"><legend>Points</legend>
      <div class="field-row">
        <label class="field"><span>A bye is worth</span>
          <select value=${facts.byes} onChange=${set("byes")}><option value="win">a win</option><option value="half">half a win</option><option value="none">nothing</option></select>
        </label>
        <label class="field"><span>More points for a win</span><input type="number" min="0" max="1000" required value=${facts.bonus} onInput=${set("bonus", number)} /></label>
      </div>
      <label class="check"><input type="checkbox" checked=${Boolean(places)} onChange=${set("places", (target) => (target.checked ? usualPoints(facts.seats) : null))} /> Points of your own for each place (else one for each opponent who was beaten)</label>
      ${places &&
      html`<div class="field-row">
        ${places.map(
          (points, at) => html`<label class="field" key=${at}><span>Points for the ${placeWords(at + 1)} place</span>
            <input type="number" min="0" max="1000" required value=${points} onInput=${(event) => setFacts({ ...facts, places: places.with(at, number(event.target)) })} />
          </label>`,
        )}
      </div>`}
      <${Ties} ties=${facts.ties} onChange=${(ties) => setFacts({ ...facts, ties })} />
    </fieldset>
    <fieldset class="panel"><legend>Deals</legend>
      <label class="check"><input type="checkbox" checked=${facts.duplicate} onChange=${set("duplicate", checked)} /> The same deals at all tables of a round</label>
      <label class="field"><span>Seed (lots, pairings and bots' deals are then the same every time)</span><input maxlength="64" value=${facts.seed} onInput=${set("seed")} placeholder="left out: drawn" /></label>
    </fieldset>
    <fieldset class="panel"><legend>Options of the game</legend><${SchemaForm} schema=${game.options} values=${options} onChange=${setOptions} errors=${optionErrors(error?.errors)} /></fieldset>
    <${ErrorNote} error=${error} />
    <div class="row end whole"><a class="button quiet" href="/tournaments">Back</a><button class="primary" type="submit" disabled=${busy}>Create the tournament</button></div>
  </form>`;
}

const usualPoints = (seats) => Array.from({ length: seats }, (_, at) => seats - 1 - at);

function Test({ test, onChange }) {
  const field = (name, words, least, most) => html`<label class="field"><span>${words}</span>
    <input type="number" min=${least} max=${most} required value=${test[name]} onInput=${(event) => onChange({ ...test, [name]: event.target.value === "" ? "" : Number(event.target.value) })} />
  </label>`;
  return html`<div class="field-row">
      ${field("elo1", "Better by (Elo)", -1000, 1000)} ${field("elo0", "or not better than (Elo)", -1000, 1000)} ${field("risk", "Risk of a mistake, in percent", 1, 50)}
    </div>
    <p class="help">It needs the most rounds that it may take. With the same deals at all tables and two games of each pairing a round is the same deal from both seats.</p>`;
}

function Ties({ ties, onChange }) {
  const shown = ties.length < Object.keys(TIE_WORDS).length ? [...ties, ""] : ties;
  const change = (at) => (event) => onChange(shown.map((old, where) => (where === at ? event.target.value : old)).filter(Boolean));
  return html`<div class="field"><span id="ties">Equal points: what decides, in this order</span>
    <ol class="seat-list" aria-labelledby="ties">
      ${shown.map(
        (tie, at) => html`<li key=${at}><select aria-label=${`Tie-break ${at + 1}`} value=${tie} onChange=${change(at)}>
          <option value="" selected=${!tie}>${at < ties.length ? "Leave this out" : "Nothing more"}</option>
          ${Object.entries(TIE_WORDS)
            .filter(([name]) => name === tie || !ties.includes(name))
            .map(([name, words]) => html`<option value=${name} selected=${name === tie}>${words}</option>`)}
        </select></li>`,
      )}
    </ol>
  </div>`;
}
return { NewTournament };
})();
export const tournaments_judge = (() => {
const { html, useState } = vendor_htm_preact;
const { post } = lib_api;
const { ErrorNote, Modal, useAction } = lib_ui;
const { placeWords } = lib_words;

function Judge({ cup, game, names }) {
  const [isOpen, open] = useState(false);
  const title = game.result ? "Correct the result" : "Decide the game";
  const who = game.seats.map((entry) => names[entry]).join(", ");
  return html`<button class="small judge-button" aria-haspopup="dialog" onClick=${() => open(true)}>${title.split(" ")[0]}<span class="sr">: ${title.toLowerCase()}, ${who}</span></button>
    ${isOpen &&
    html`<${Modal} title=${title} onClose=${() => open(false)}>
      ${({ close }) => html`<${Form} cup=${cup} game=${game} names=${names} close=${close} />`}
    <//>`}`;
}

function Form({ cup, game, names, close }) {
  const [places, setPlaces] = useState(() => game.result?.places ?? game.seats.map(() => 1));
  const [forfeits, setForfeits] = useState(() => game.result?.forfeits ?? []);
  const [reason, setReason] = useState("");
  const [judge, busy, error] = useAction(async (event) => {
    event.preventDefault();
    await post(`${cup.path}/tables/${game.id}/result`, { places, forfeits, scores: game.result?.scores ?? [], reason: reason.trim() });
    close();
    cup.read();
  });
  const place = (seat) => (event) => setPlaces(places.map((old, at) => (at === seat ? Number(event.target.value) : old)));
  const forfeit = (seat) => (event) =>
    setForfeits(event.target.checked ? [...forfeits, seat].sort() : forfeits.filter((each) => each !== seat));
  return html`<form class="stack" onSubmit=${judge}>
    <p class="muted small-text">Equal places share their points. Standings and ratings follow; pairings that were made stay.</p>
    <ol class="seat-list">
      ${game.seats.map(
        (entry, seat) => html`<li key=${entry}>
          <span class="grow">${names[entry]}</span>
          <select class="narrow" aria-label=${`Place of ${names[entry]}`} value=${places[seat]} onChange=${place(seat)}>
            ${game.seats.map((_, at) => html`<option value=${at + 1} selected=${places[seat] === at + 1}>${placeWords(at + 1)}</option>`)}
          </select>
          <label class="check"><input type="checkbox" checked=${forfeits.includes(seat)} onChange=${forfeit(seat)} /> forfeit<span class="sr"> of ${names[entry]}</span></label>
        </li>`,
      )}
    </ol>
    <label class="field"><span>Reason, for all to read</span><input required maxlength="200" value=${reason} onInput=${(event) => setReason(event.target.value)} /></label>
    <${ErrorNote} error=${error} />
    <div class="row end">
      <button type="button" class="quiet" onClick=${close}>Back</button>
      <button type="submit" class="primary" disabled=${busy || !reason.trim()}>Set this result</button>
    </div>
  </form>`;
}
return { Judge };
})();
export const tournaments_views = (() => {
const { html, useEffect, useState } = vendor_htm_preact;
const { get } = lib_api;
const { navigate, withQuery } = lib_router;
const { RatingPlot } = lib_plot;
const { ErrorNote, Loading } = lib_ui;
const { TIE_WORDS, placeWords, plural, reasonWords, spoken } = lib_words;
const { Judge } = tournaments_judge;

const figure = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(2).replace(/0$/, ""));
const Wide = ({ label, children }) => html`<div class="scroll-x" tabindex="0" role="group" aria-label=${label}>${children}</div>`;

function Standings({ cup }) {
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

function Crosstable({ cup, names }) {
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

function Rounds({ cup, tournament, names, me, query }) {
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

function Tables({ cup, names }) {
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

function Ratings({ cup, tournament }) {
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

function TournamentLog({ cup, names }) {
  const words = (text) => text.replace(/\be\d+\b/g, (entry) => names[entry] ?? entry);
  return html`<ol class="cup-log">${cup.log.map((entry) => html`<li key=${entry.version}><span class="log-version">${entry.version}</span> ${words(entry.summary)}</li>`)}</ol>`;
}
return { Standings, Crosstable, Rounds, Tables, Ratings, TournamentLog };
})();
export const tournaments_people = (() => {
const { html, useEffect, useState } = vendor_htm_preact;
const { catalogue, post, remove } = lib_api;
const { ErrorNote, needPlayer, useAction } = lib_ui;
const { BOT_TITLES } = lib_words;

function Entrants({ cup, tournament, me }) {
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

function Sure({ what, yes, whom, small, busy, act }) {
  const [isAsked, ask] = useState(false);
  const size = small ? "small" : "";
  const of = whom && html`<span class="sr"> ${whom}</span>`;
  if (!isAsked) return html`<button class=${`danger ${size}`} onClick=${() => ask(true)}>${what}${of}</button>`;
  return html`<button class=${`danger ${size}`} disabled=${busy} onClick=${() => act().then(() => ask(false))}>${yes}${of}</button>
    <button class=${size} onClick=${() => ask(false)}>No</button>`;
}

function Organiser({ cup, tournament, names }) {
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

function Preview({ preview, names }) {
  return html`<div role="status">
    <h3>Round ${preview.round}, if it began now</h3>
    <ul class="pairings">
      ${preview.tables.map((each) => html`<li class="pairing" key=${each.table}><span class="grow">${each.entries.map((entry) => html`<span>${names[entry]}</span>`)}</span></li>`)}
    </ul>
    ${preview.byes.length > 0 && html`<p>Bye: ${preview.byes.map((entry) => names[entry]).join(", ")}</p>`}
  </div>`;
}
return { Entrants, Organiser };
})();
export const tournaments_one = (() => {
const { html, useEffect, useRef, useState } = vendor_htm_preact;
const { get, getAll, getFirst } = lib_api;
const { follow } = lib_live;
const { navigate, withQuery } = lib_router;
const { ErrorNote, Failed, Heading, Loading, usePage, useSession } = lib_ui;
const { TIE_WORDS, WAIT_WORDS, ago, clockWords, plural, spoken } = lib_words;
const { gameTitle } = games_marks;
const { Crosstable, Ratings, Rounds, Standings, Tables, TournamentLog } = tournaments_views;
const { Entrants, Organiser } = tournaments_people;

const VIEWS = { standings: "Standings", tables: "Live tables", rounds: "Pairings", crosstable: "Crosstable", entrants: "Entrants", ratings: "Ratings", log: "Log" };
const LOOK_AGAIN_MS = 400;

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

function TournamentPage({ id, query }) {
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

function MyTable({ cup, tournament, me }) {
  const mine = tournament.entrants.find((each) => each.player && each.player === me?.id);
  const table = mine && cup.tables.find((each) => !each.over && each.seats.includes(mine.entry));
  if (!table || tournament.status !== "running") return null;
  return html`<div class="note" role="status"><span><b>Your table is ready.</b> Sit down in time.</span><a class="button primary small" href=${`/tables/${table.table}`}>To your table</a></div>`;
}
return { TournamentPage };
})();
export const pages_tournaments = (() => {
const { html } = vendor_htm_preact;
const { TournamentList } = tournaments_list;
const { NewTournament } = tournaments_create;
const { TournamentPage } = tournaments_one;

function Tournaments({ id, query }) {
  if (!id) return html`<${TournamentList} query=${query} />`;
  if (id === "new") return html`<${NewTournament} query=${query} />`;
  return html`<${TournamentPage} id=${id} query=${query} />`;
}
return { default: Tournaments };
})();
export const verify_canonical = (() => {
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const names = Object.keys(value).sort();
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
  }
  return JSON.stringify(value);
}
return { canonical };
})();
export const verify_hash = (() => {
const subtle = globalThis.crypto?.subtle;

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const utf8 = (text) => new TextEncoder().encode(text);

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function sha256(bytes) {
  return subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : plainSha256(bytes);
}

async function hmac(key, bytes) {
  if (!subtle) return plainHmac(key, bytes);
  const made = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", made, bytes));
}

function fractions(count, root) {
  const found = [];
  for (let n = 2; found.length < count; n += 1) {
    let isPrime = true;
    for (let d = 2; d * d <= n; d += 1) if (n % d === 0) isPrime = false;
    if (isPrime) found.push(Math.floor((n ** (1 / root) % 1) * 2 ** 32));
  }
  return Uint32Array.from(found);
}

const START = fractions(8, 2);
const ROUND = fractions(64, 3);

function plainSha256(bytes) {
  const length = bytes.length;
  const padded = new Uint8Array(((length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(padded.length - 4, (length << 3) >>> 0);
  const state = Uint32Array.from(START);
  const w = new Uint32Array(64);
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(at + i * 4);
    for (let i = 16; i < 64; i += 1) {
      const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i += 1) {
      const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + w[i]) | 0;
      const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => {
      state[i] += value;
    });
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((value, i) => out.setUint32(i * 4, value));
  return new Uint8Array(out.buffer);
}

function plainHmac(key, bytes) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? plainSha256(key) : key);
  const inner = plainSha256(joined(block.map((byte) => byte ^ 0x36), bytes));
  return plainSha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}
return { hex, unhex, utf8, joined, sha256, hmac, plainSha256, plainHmac };
})();
export const verify_chance = (() => {
const { hmac, joined, sha256, unhex, utf8 } = verify_hash;
const { canonical } = verify_canonical;

const bigEndian = (number) => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
};

const drawnSeed = (secret, table, entropy) =>
  sha256(joined(unhex(secret), utf8(canonical([table, entropy]))));

const chosenSeed = (text) => sha256(joined(utf8("starledger/chosen/1"), utf8(text)));

function numbers(seed, prefix) {
  let words = [];
  let block = 0;
  return async (n) => {
    const limit = 2 ** 32 - (2 ** 32 % n);
    for (;;) {
      if (!words.length) {
        const bytes = await hmac(seed, joined(prefix, bigEndian(block)));
        block += 1;
        const view = new DataView(bytes.buffer, bytes.byteOffset);
        words = Array.from({ length: 8 }, (_, at) => view.getUint32(at * 4));
      }
      const x = words.shift();
      if (x < limit) return x % n;
    }
  };
}

async function shuffled(seed, k, cards) {
  const below = numbers(seed, joined(utf8("shuffle"), bigEndian(k)));
  const order = [...cards];
  for (let i = order.length - 1; i > 0; i -= 1) {
    const j = await below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

const picked = (seed, purpose, below) =>
  numbers(seed, joined(utf8("pick"), utf8(purpose), new Uint8Array(1)))(below);
return { drawnSeed, chosenSeed, shuffled, picked };
})();
export const verify_deals = (() => {
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const flat = (lists) => lists.flat();

const ALIENS = flat(["A", "E", "F", "W"].map((kind) => range(1, 14).map((number) => `${kind}${number}`)));
const UNIVERSAL = flat([..."GSM7654321"].map((rank) => [..."EJMNSV"].map((suit) => rank + suit)));

const PIONEER = {
  oxygen: 3, water: 3, crops: 3, shelter: 3, solar_panel: 3, storage: 3, rover: 3,
  greenhouse: 3, workshop: 3, landing_pad: 3, comms_tower: 3, medical_bay: 3, defense_battery: 3,
  laboratory: 3, mine: 3, power_plant: 3, habitat_dome: 3, force_field: 3,
  factory: 3, observatory: 3, school: 3, water_works: 3,
  spaceport: 3, research_centre: 3, hospital: 3, city_hall: 3, terraformer: 3,
  alien_visit: 6, alien_attack: 5, meteor_strike: 7, meteor_cap: 5,
};

function pioneerDeck(options) {
  const counts = Array.isArray(options.deck)
    ? Object.fromEntries(options.deck.map(({ name, copies }) => [name, copies]))
    : PIONEER;
  return flat(Object.keys(counts).sort().map((name) => Array(counts[name]).fill(name)));
}

const chunks = (order, seats, size) => ({
  hands: range(0, seats - 1).map((seat) => order.slice(seat * size, (seat + 1) * size)),
  pile: order.slice(seats * size),
});

function inTurn(order, seats, size, dealer) {
  const hands = range(0, seats - 1).map(() => []);
  for (let at = 0; at < seats * size; at += 1) hands[(dealer + 1 + at) % seats].push(order[at]);
  return { hands, pile: order.slice(seats * size) };
}

const GAMES = {
  "beam-me-up": {
    deck: () => ALIENS,
    deal: "cards_dealt",
    split: (order, seats) => chunks(order, seats, 4),
    pile: (event) => event.pile,
    pick: (event) => ["dealer", event.dealer],
  },
  "planet-pioneer": {
    deck: pioneerDeck,
    deal: "cards_dealt",
    split: (order, seats) => chunks(order, seats, 5),
    pile: (event) => event.pile,
    pick: (event, options) => (options.first_seat === null ? ["first_seat", event.first_seat] : null),
  },
  "universal-match": {
    deck: () => UNIVERSAL,
    deal: "hand_dealt",
    split: (order, seats, event) => inTurn(order, seats, 6, event.dealer),
    pile: (event) => event.stock,
    pick: (event) => (event.hand_number === 1 ? ["dealer", event.dealer] : null),
  },
};

function inCardOrder(deck, cards) {
  const places = new Map();
  deck.forEach((card, at) => places.has(card) || places.set(card, at));
  return [...cards].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}
return { GAMES, inCardOrder };
})();
export const verify_record = (() => {
const { canonical } = verify_canonical;
const { chosenSeed, drawnSeed, picked, shuffled } = verify_chance;
const { GAMES, inCardOrder } = verify_deals;
const { hex, joined, sha256, unhex, utf8 } = verify_hash;

class WrongRecord extends Error {
  constructor(line, reason, { entry, check }) {
    super(reason);
    this.line = line;
    this.entry = entry;
    this.check = check;
  }
}

const any = () => true;
const text = (form) => (value) => typeof value === "string" && form.test(value);
const isTime = text(/^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const time = (value) => isTime(value) && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value;
const bytes32 = text(/^[0-9a-f]{64}$/);
const texts = (value) => Object.prototype.toString.call(value) === "[object Object]" && Object.values(value).every(text(/^/));

const isName = (name) => name === "" || (/^.{1,40}$/su.test(name) && !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(name) && /[^\p{Z}\p{C}]/u.test(name));

const FIELDS = {
  header: {
    type: any, format: any, format_version: any, table: text(/^.{1,64}$/su), game: any, rules_version: any, options: any, seats: any, clock: any,
    commitment: bytes32, created: time, origin: any,
  },
  entry: { type: any, version: any, time, seat: (value) => value === null || (Number.isInteger(value) && value >= 0), events: Array.isArray, salt: text(/^[0-9a-f]{32}$/), hash: bytes32 },
  outcome: { type: any, outcome: any },
  trailer: { type: any, entries: any, head: bytes32, secret: bytes32 },
  names: { type: any, names: texts },
};

function wrongFields(value) {
  if (!Object.hasOwn(FIELDS, value?.type)) return undefined; // which kinds stand where is looked at when all are read
  const fields = FIELDS[value.type];
  const missing = Object.keys(fields).find((name) => !Object.hasOwn(value, name));
  if (missing) return `The field ${missing} is missing.`;
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name));
  if (unknown) return `There is no field ${unknown} in a line of this kind.`;
  const ill = Object.keys(fields).find((name) => !fields[name](value[name]));
  return ill && `The field ${ill} is not written as it must be.`;
}

const same = (a, b) => canonical(a) === canonical(b);
const sorted = (cards) => [...cards].sort();

function parsed(bytes) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const at = wrongUtf8(bytes);
    throw new WrongRecord(at, "It is not text in UTF-8.", { check: "form", entry: at > 1 ? at - 1 : undefined });
  }
  const lines = text.split("\n");
  if (lines.pop() !== "") {
    throw new WrongRecord(lines.length + 1, "The file is cut short: the last line has no line break.", { check: "form" });
  }
  const kinds = [];
  const values = lines.map((line, at) => {
    const number = at + 1;
    let value;
    try {
      value = JSON.parse(line);
    } catch {
      throw new WrongRecord(number, "This line is not JSON.", { check: "form", entry: at >= 1 && at <= lines.length - 4 ? at : undefined });
    }
    const entry = value?.type === "entry" ? at : undefined;
    if (canonical(value) !== line) throw new WrongRecord(number, "This line is not canonical JSON (RFC 8785).", { check: "form", entry });
    const wrong = wrongFields(value);
    if (wrong) throw new WrongRecord(number, wrong, { check: "form", entry });
    kinds.push(value?.type);
    return value;
  });
  const wanted = ["header", ...Array(Math.max(1, values.length - 4)).fill("entry"), "outcome", "trailer", "names"];
  for (let at = 0; at < Math.max(wanted.length, kinds.length); at += 1) {
    if (kinds[at] !== wanted[at]) {
      throw new WrongRecord(at + 1, kinds[at] === undefined ? `The file is cut short: no ${wanted[at]} line.` : `A line of kind "${kinds[at]}" can't stand here.`, {
        check: "form",
        entry: wanted[at] === "entry" ? at : undefined,
      });
    }
  }
  return values;
}

function wrongUtf8(bytes) {
  let line = 1;
  let start = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    if (at === bytes.length || bytes[at] === 10) {
      try {
        new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(start, at));
      } catch {
        return line;
      }
      line += 1;
      start = at + 1;
    }
  }
  return line;
}

async function checkChain(entries) {
  let before = new Uint8Array(32);
  for (const [at, entry] of entries.entries()) {
    const { version, time, seat, events, salt, hash } = entry;
    if (version !== at + 1) throw new WrongRecord(at + 2, `Entry ${at + 1} is missing; entry ${version} stands in its place.`, { check: "chain", entry: at + 1 });
    if (time < (entries[at - 1]?.time ?? "1970")) throw new WrongRecord(at + 2, "Its time is before that of the entry before it, or before 1970.", { check: "chain", entry: version });
    const found = await sha256(joined(before, utf8(canonical({ version, time, seat, events, salt }))));
    if (hex(found) !== hash) {
      throw new WrongRecord(at + 2, "Its hash is not that of its content behind the entry before it: something was changed.", { check: "chain", entry: version });
    }
    before = found;
  }
  return hex(before);
}

function seatsOf(created, events) {
  const seats = created.seats.map(({ seat }) => ({ seat }));
  for (const event of events) {
    if (event.type === "seat_taken") seats[event.seat] = event;
    if (event.type === "seat_left") seats[event.seat] = { seat: event.seat };
  }
  return seats;
}

function playersOf(created, all) {
  const taken = all.filter(({ event }) => event.type === "seat_taken").map(({ event }) => event.player);
  return new Set([created.creator, ...created.seats.map(({ player }) => player), ...taken]);
}

function checkFacts(header, created, all, outcome, trailer, names, lines) {
  const first = lines.entries[0];
  const finished = all.find(({ event }) => event.type === "table_finished")?.event;
  const wrong = (line, reason) => {
    throw new WrongRecord(line, reason, { check: "facts" });
  };
  if (header.format !== "starledger-record" || header.format_version !== 1) wrong(1, "This page reads records of format version 1.");
  const said = {
    game: created.game, rules_version: created.rules_version, options: created.options, clock: created.clock,
    commitment: created.commitment, created: first.time, origin: created.origin ?? null,
  };
  for (const [name, value] of Object.entries(said)) {
    if (!same(header[name], value ?? null)) wrong(1, `The header's "${name}" is not what the entries say.`);
  }
  const seats = seatsOf(created, all.map(({ event }) => event)).map(({ seat, kind, player, bot }) => ({
    seat, kind, ...(player === undefined ? {} : { player }), ...(bot === undefined ? {} : { bot }),
  }));
  if (!same(header.seats, seats)) wrong(1, "The header's seats are not what the entries say.");
  if (!finished) wrong(lines.entries.length + 1, "The table is not finished.");
  if (!same(outcome.outcome, finished.outcome)) wrong(lines.entries.length + 2, "The outcome is not that of the last entry.");
  if (trailer.entries !== lines.entries.length) wrong(lines.entries.length + 3, "The number of entries is wrong.");
  const revealed = finished.secret ?? all.find(({ event }) => event.type === "deal_revealed")?.event.secret;
  if (trailer.secret !== revealed) wrong(lines.entries.length + 3, "The secret is not the one that the last entry reveals.");
  const players = playersOf(created, all);
  const stranger = Object.keys(names).find((player) => !players.has(player));
  const odd = Object.keys(names).find((player) => !isName(names[player]));
  if (odd !== undefined) wrong(lines.entries.length + 4, `The name of "${odd}" can't be one.`);
  if (stranger !== undefined) wrong(lines.entries.length + 4, `It names "${stranger}", who was not at this table.`);
}

async function checkRecord(bytes, onStep = () => {}) {
  onStep("form");
  const values = parsed(bytes);
  const [header] = values;
  const [outcome, trailer, names] = values.slice(-3);
  const entries = values.slice(1, -3);
  onStep("chain");
  const head = await checkChain(entries);
  const end = entries.length;
  if (head !== trailer.head) throw new WrongRecord(end + 3, "The head hash is not that of the last entry.", { check: "chain" });
  const all = entries.flatMap((entry) => entry.events.map((event) => ({ entry: entry.version, event })));
  const created = all[0]?.event;
  if (created?.type !== "table_created") throw new WrongRecord(2, "A log begins with table_created.", { check: "facts", entry: 1 });
  onStep("commitment");
  if (hex(await sha256(unhex(trailer.secret))) !== created.commitment) {
    throw new WrongRecord(end + 3, "The revealed secret does not fit the commitment of the first entry.", { check: "commitment" });
  }
  onStep("facts");
  checkFacts(header, created, all, outcome, trailer, names.names, { entries });
  onStep("shuffles");
  const shuffles = await checkShuffles(header, created, all, trailer.secret);
  return { header, entries, outcome: outcome.outcome, names: names.names, head, shuffles, isFork: all.some(({ event }) => event.type === "position_copied") };
}

async function checkShuffles(header, created, all, secret) {
  const game = GAMES[header.game];
  const seats = seatsOf(created, all.map(({ event }) => event));
  let seed;
  if (created.deal !== undefined) {
    seed = unhex(secret); // other tables played the same deal: neither id nor entropy enter
  } else if (created.chosen_seed === undefined) {
    seed = await drawnSeed(secret, header.table, seats.map(({ entropy }) => entropy ?? null));
  } else {
    seed = await chosenSeed(created.chosen_seed);
    if (hex(seed) !== secret) throw new WrongRecord(2, "The secret is not that of the chosen seed.", { check: "commitment", entry: 1 });
  }
  if (!game) return null;
  const deck = game.deck(header.options);
  const found = [];
  for (const { entry, event } of all) {
    const wrong = (reason) => {
      throw new WrongRecord(entry + 1, reason, { check: "shuffles", entry });
    };
    if (event.type === game.deal) {
      const order = await shuffled(seed, event.shuffle, deck);
      const { hands, pile } = game.split(order, seats.length, event);
      const isRight =
        same(game.pile(event).cards, pile) &&
        hands.every((cards, seat) => same(sorted(cards), sorted(event.hands.find((hand) => hand.seat === seat)?.cards ?? [])));
      if (!isRight) wrong(`The deal is not shuffle ${event.shuffle} of the revealed secret.`);
      const pick = game.pick(event, header.options);
      if (pick && (await picked(seed, pick[0], seats.length)) !== pick[1]) wrong(`The ${pick[0].replace("_", " ")} is not the one that the secret picks.`);
      found.push({ entry, k: event.shuffle, cards: deck.length, kind: "deal", pick: pick?.[0] });
    } else if (event.type === "pile_reshuffled") {
      const order = await shuffled(seed, event.shuffle, inCardOrder(deck, event.cards));
      if (!same(order, event.cards)) wrong(`The new pile is not shuffle ${event.shuffle} of the revealed secret.`);
      found.push({ entry, k: event.shuffle, cards: order.length, kind: "reshuffle" });
    }
  }
  return found;
}
return { WrongRecord, checkRecord };
})();
export const pages_verify = (() => {
const { html, useEffect, useRef, useState } = vendor_htm_preact;
const { api, get, newKey } = lib_api;
const { navigate } = lib_router;
const { ErrorNote, Heading, Loading, needPlayer, useAction, usePage } = lib_ui;
const { BOT_TITLES, plural, spoken, winnerWords } = lib_words;
const { gameTitle } = games_marks;
const { WrongRecord, checkRecord } = verify_record;

const STEPS = [
  ["form", "Every line is whole and canonical", "Nothing is missing, nothing is written in another way."],
  ["chain", "The hash chain holds", "Each entry's hash covers its content and the entry before it."],
  ["commitment", "The secret is the promised one", "SHA-256 of the revealed secret is the commitment that stood in the first entry, before anyone sat down."],
  ["facts", "Header and outcome are what the entries say", "Game, options, seats and result."],
  ["shuffles", "Every shuffle follows from the secret", "Deals, reshuffles and lots recomputed."],
];
const MEDIA = "application/vnd.starledger.record+jsonl";

function Verify({ query }) {
  usePage("Verify a record");
  const [bytes, setBytes] = useState(null);
  const [source, setSource] = useState("");
  const [error, setError] = useState(null);
  const table = query.get("table");
  useEffect(() => {
    if (!table) return;
    setError(null);
    get(`/v1/tables/${encodeURIComponent(table)}/record`, { raw: true, headers: { Accept: `${MEDIA}, application/problem+json` } })
      .then((answer) => answer.arrayBuffer())
      .then((buffer) => {
        setBytes(new Uint8Array(buffer));
        setSource("this server's record of the table");
      })
      .catch(setError);
  }, [table]);
  const take = async (file) => {
    if (!file) return;
    setError(null);
    setBytes(new Uint8Array(await file.arrayBuffer()));
    setSource(file.name);
  };
  return html`<${Heading}>Verify a record<//>
    <p class="muted prose">
      A record holds every card and every move of a finished table. Your browser checks it by itself; nothing is sent
      anywhere unless you ask for it.
    </p>
    <label class="panel drop" onDragOver=${(event) => event.preventDefault()} onDrop=${(event) => (event.preventDefault(), take(event.dataTransfer.files[0]))}>
      <b>Choose a record (.slr.jsonl)</b>
      <span class="muted">or drop it here</span>
      <input type="file" accept=".jsonl,.slr.jsonl,application/jsonl" onChange=${(event) => take(event.target.files[0])} />
    </label>
    <${ErrorNote} error=${error} />
    ${table && !bytes && !error && html`<${Loading}>Fetching the record<//>`}
    ${bytes && html`<${Report} key=${source + bytes.length} bytes=${bytes} source=${source} />`}`;
}

function Report({ bytes, source }) {
  const [state, setState] = useState({ step: "form" });
  const heading = useRef();
  useEffect(() => {
    let isCurrent = true;
    setState({ step: "form" });
    checkRecord(bytes, (step) => isCurrent && setState({ step })).then(
      (found) => isCurrent && setState({ found }),
      (reason) => {
        if (!isCurrent) return;
        setState(reason instanceof WrongRecord ? { wrong: reason } : { wrong: new WrongRecord(1, "It can't be read as a record.", { check: "form" }) });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [bytes]);
  useEffect(() => {
    if (state.found || state.wrong) heading.current?.focus();
  }, [Boolean(state.found || state.wrong)]);
  const { found, wrong, step } = state;
  const failedAt = wrong && STEPS.findIndex(([name]) => name === wrong.check);
  const verdict = found ? "This record checks out" : wrong ? "This record is refused" : "Checking";
  return html`<section class="panel verdict ${found ? "good" : wrong ? "bad" : ""}" aria-labelledby="verdict" aria-busy=${String(!found && !wrong)}>
    <h2 id="verdict" tabindex="-1" ref=${heading}><span aria-hidden="true">${found ? "✓" : wrong ? "✗" : "…"}</span> ${verdict}</h2>
    <p class="muted">${source}, ${plural(bytes.length, "byte")}</p>
    ${wrong &&
    html`<div class="note bad" role="alert">
      <span><b>${wrong.entry ? `Entry ${wrong.entry}` : "The file"}</b> (line ${wrong.line}): ${wrong.message}</span>
    </div>`}
    <ol class="checks">
      ${STEPS.map(([name, title, text], at) => {
        const now = found ? "good" : wrong ? (at < failedAt ? "good" : at === failedAt ? "bad" : "open") : at < STEPS.findIndex(([each]) => each === step) ? "good" : "open";
        return html`<li class=${now} key=${name}>
          <span class="check-mark" aria-hidden="true">${{ good: "✓", bad: "✗", open: "–" }[now]}</span>
          <span><b>${title}</b><span class="sr">: ${{ good: "right", bad: "wrong", open: "not checked" }[now]}</span><br /><span class="muted small-text">${text}</span></span>
        </li>`;
      })}
    </ol>
    ${found && html`<${Details} found=${found} bytes=${bytes} />`}
  </section>`;
}

function Details({ found, bytes }) {
  const { header, entries, outcome, names, shuffles } = found;
  const seatNames = header.seats.map((seat) => names[seat.player] ?? (seat.bot ? `${BOT_TITLES[seat.bot] ?? spoken(seat.bot)} bot` : `Seat ${seat.seat + 1}`));
  return html`<dl class="generic">
      <div><dt>Game</dt><dd>${gameTitle(header.game)}, ${plural(entries.length, "entry", "entries")}</dd></div>
      <div><dt>Outcome</dt><dd>${winnerWords(outcome, seatNames)}, ${outcome.scores.join(" to ")}</dd></div>
      <div><dt>Shuffles</dt><dd>
        ${shuffles === null
          ? "This page does not know the decks of this game; its shuffles were not recomputed."
          : html`<ul class="plain">${shuffles.map(({ entry, k, cards, kind, pick }) => html`<li>Shuffle ${k} (${kind} of ${cards} cards, entry ${entry})${pick ? `, and the ${pick.replace("_", " ")} drawn by lot` : ""} ✓</li>`)}</ul>`}
        ${found.isFork ? "The table is a fork: what was dealt before it rests on another table's secret." : ""}
      </dd></div>
      <div><dt>Head hash</dt><dd><code class="hash">${found.head}</code></dd></div>
    </dl>
    <p class="small-text muted">
      Nothing was changed since the record was written, and no deal was arranged. Who wants to be sure that the server has
      not written another one compares the head hash with one noted earlier: its first 16 digits stand in the ETag of each
      answer about the table. Names stand outside the chain.
    </p>
    <${ServerSide} bytes=${bytes} />`;
}

function ServerSide({ bytes }) {
  const [report, setReport] = useState(null);
  const [check, checking, checkError] = useAction(async () => {
    setReport(await api("POST", "/v1/records/verify", { body: bytes, type: MEDIA, headers: { "Idempotency-Key": newKey() } }));
  });
  const [take, taking, takeError] = useAction(async () => {
    if (!(await needPlayer())) return;
    const table = await api("POST", "/v1/records", { body: bytes, type: MEDIA });
    navigate(`/tables/${table.id}/replay`);
  });
  const good = report?.valid;
  return html`<div class="row">
      <button disabled=${checking} onClick=${check}>Let the server check every move against the rules</button>
      <button disabled=${taking} onClick=${take}>Import and replay</button>
    </div>
    ${report && html`<p role="status" class="note ${good ? "" : "bad"}">${good ? "The server has replayed it: every move is legal." : `The server refuses it: ${report.first_wrong?.reason ?? "see the report"}.`}</p>`}
    <${ErrorNote} error=${checkError || takeError} />`;
}
return { default: Verify };
})();
