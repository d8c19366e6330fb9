// A new tournament.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { get, post } from "../lib/api.js";
import { navigate } from "../lib/router.js";
import { SchemaForm, changedOf, defaultsOf, optionErrors } from "../lib/schema_form.js";
import { ErrorNote, Heading, Loading, needPlayer, useAction, usePage } from "../lib/ui.js";
import { BOT_TITLES, TIE_WORDS, placeWords } from "../lib/words.js";

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

export function NewTournament({ query }) {
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

/** What places are worth where nobody says otherwise. */
const usualPoints = (seats) => Array.from({ length: seats }, (_, at) => seats - 1 - at);

/** What is to be shown, in Elo, and how often it may be wrong. */
function Test({ test, onChange }) {
  const field = (name, words, least, most) => html`<label class="field"><span>${words}</span>
    <input type="number" min=${least} max=${most} required value=${test[name]} onInput=${(event) => onChange({ ...test, [name]: event.target.value === "" ? "" : Number(event.target.value) })} />
  </label>`;
  return html`<div class="field-row">
      ${field("elo1", "Better by (Elo)", -1000, 1000)} ${field("elo0", "or not better than (Elo)", -1000, 1000)} ${field("risk", "Risk of a mistake, in percent", 1, 50)}
    </div>
    <p class="help">It needs the most rounds that it may take. With the same deals at all tables and two games of each pairing a round is the same deal from both seats.</p>`;
}

/** What breaks ties, in this order: chosen from lists, as long as one has something in it. */
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
