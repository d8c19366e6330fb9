// Planet Pioneer: colonies of five by four cells.

import { html } from "../vendor/htm-preact.js";
import { plural, spoken } from "../lib/words.js";
import { HiddenHand, Part, Pile, Plate, others, touched } from "./parts.js";

const ROWS = 4;
const COLUMNS = 5;

// 24 by 24, drawn in lines.
const ICONS = {
  oxygen: "M8 4h8v3H8zM7 9a3 3 0 0 1 3-2h4a3 3 0 0 1 3 2v11H7zM9.5 13.500a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0",
  water: "M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11zM9 14a3 3 0 0 0 3 3",
  crops: "M12 21V9M12 13c-4 0-6-2-6-6 4 0 6 2 6 6zM12 11c0-4 2-6 6-6 0 4-2 6-6 6zM5 21h14",
  shelter: "M3 20a9 9 0 0 1 18 0zM9 20v-4a3 3 0 0 1 6 0v4",
  solar_panel: "M5 4h14l2 10H3zM4 9h16M10 4l-1 10M14 4l1 10M12 14v6M8 20h8",
  storage: "M4 8l8-4 8 4v9l-8 4-8-4zM4 8l8 4 8-4M12 12v9",
  rover: "M4 12h13l3 4H4zM8 12V7h5l2 5M16 7h3M5 18.500a2 2 0 1 0 4 0 2 2 0 1 0-4 0M15 18.500a2 2 0 1 0 4 0 2 2 0 1 0-4 0",
  greenhouse: "M4 20V11a8 8 0 0 1 16 0v9zM4 12h16M12 3v17M12 16c-2 0-3-1-3-3 2 0 3 1 3 3z",
  workshop: "M14 6a4 4 0 0 0 5 5l-9 9-4-4 9-9zM5 17l2 2M14 6l3-3",
  landing_pad: "M3 18a9 3 0 1 0 18 0 9 3 0 1 0-18 0M12 3v9M8.5 8.5 12 12l3.5-3.500M9 17v3M15 17v3M9 18.500h6",
  comms_tower: "M12 9v12M8 21l4-12 4 12M9.5 17h5M7 4a7 7 0 0 0 0 8M17 4a7 7 0 0 1 0 8M11 8a1 1 0 1 0 2 0 1 1 0 1 0-2 0",
  medical_bay: "M5 5h14v14H5zM12 8v8M8 12h8",
  defense_battery: "M4 20h16M7 20v-5a5 5 0 0 1 10 0v5M11 10 17 4l2 2-6 6M4 8l3 1M8 4l1 3",
  laboratory: "M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M8 15h8",
  mine: "M3 20h18M5 20 9 8h6l4 12M9 14h6M12 8V3M8 5c2-2 6-2 8 0",
  power_plant: "M13 2 5 13h6l-1 9 9-13h-6z",
  habitat_dome: "M2 19a10 10 0 0 1 20 0zM2 19h20M12 9v10M5.5 12c4 3 9 3 13 0M7 19c0-4 2-8 5-10M17 19c0-4-2-8-5-10",
  force_field: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM8 12l3 3 5-6",
  factory: "M3 21V11l6 4v-4l6 4V4h4l2 17zM7 18h2M12 18h2M17 18h1",
  observatory: "M5 21v-6h14v6zM5 15a7 7 0 0 1 14 0M12 8l5-5 3 3-5 4M12 8v7",
  school: "M2 9l10-5 10 5-10 5zM6 11v6c3 3 9 3 12 0v-6M22 9v6",
  water_works: "M4 21V8a3 3 0 0 1 6 0v3h7a3 3 0 0 1 3 3v1M20 18a1 1 0 0 1-2 0c0-1 1-1 1-2 0 1 1 1 1 2zM2 21h12M10 14h7M7 5V3",
  spaceport: "M12 2c3 3 4 6 4 9v4H8v-4c0-3 1-6 4-9zM8 12l-4 4v2h4M16 12l4 4v2h-4M10 15v4M14 15v4M12 15v6M11 8h2",
  research_centre: "M12 12m-2 0a2 2 0 1 0 4 0 2 2 0 1 0-4 0M3 12c0-3 18-3 18 0s-18 3-18 0M7.5 4.200c2.6-1.5 11.6 14 9 15.600s-11.6-14-9-15.600M16.5 4.200c-2.6-1.5-11.6 14-9 15.600s11.6-14 9-15.6",
  hospital: "M4 21V6h16v15zM2 21h20M12 8.500v6M9 11.500h6M9 21v-3h6v3",
  city_hall: "M3 9l9-6 9 6zM4 21h16M5 18h14M6 9v9M10 9v9M14 9v9M18 9v9",
  terraformer: "M3 12a9 9 0 1 0 18 0 9 9 0 1 0-18 0M12 3c-4 4-4 14 0 18M12 3c4 4 4 14 0 18M4 9h16M4 15h16M12 3V1M12 23v-2",
  base_station: "M12 3v4M8 7h8l3 5v8H5v-8zM9 20v-5h6v5M5 12h14M3 20h18M12 3l4-1",
};
const KIND_ICONS = {
  structure: "M4 21V8l8-5 8 5v13zM9 21v-6h6v6",
  defense: ICONS.force_field,
  visit: "M3 14c0-2 4-4 9-4s9 2 9 4-4 4-9 4-9-2-9-4zM8 10.500a4 4 0 0 1 8 0M9 20l-1 2M15 20l1 2M12 20v2",
  attack: "M3 12c0-2 4-4 9-4s9 2 9 4-4 4-9 4-9-2-9-4zM8 8.500a4 4 0 0 1 8 0M12 16l-2 3h4l-2 3",
  strike: "M14 14m-5 0a5 5 0 1 0 10 0 5 5 0 1 0-10 0M10 10 3 3M13 9 9 4M9 13 4 9M15 13h.01M13 16h.01",
  cap: "M4 16h16M6 16a6 5 0 0 1 12 0M3 19h18M12 11V7M9 7h6",
  base: ICONS.base_station,
};

const PLACES = ["first", "second", "third", "fourth", "fifth"];
const where = ([row, column]) => `row ${row + 1}, column ${column + 1}`;

/** What a card is: kind and level, of the table's own deck where it has one. */
function factsOf(ctx, card) {
  if (card === "base_station") return { kind: "base", level: 0 };
  const { deck } = ctx.table.options;
  const own = Array.isArray(deck) && deck.find((each) => each.name === card);
  return own || ctx.game?.cards.find((each) => each.card === card)?.facts || { kind: "structure", level: 0 };
}

function nameOf(ctx, kind) {
  const { deck } = ctx.table.options;
  const own = Array.isArray(deck) && deck.find((each) => each.kind === kind);
  return own ? own.name : { visit: "alien_visit", attack: "alien_attack", strike: "meteor_strike", cap: "meteor_cap" }[kind];
}

const Icon = ({ card, kind }) => {
  const path = ICONS[card] || KIND_ICONS[kind] || KIND_ICONS.structure;
  return html`<svg class="pp-icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;
};

function Face({ card, ctx }) {
  const { kind, level } = factsOf(ctx, card);
  return html`<span class="face pp k-${kind}" aria-hidden="true">
    ${level > 0 ? html`<span class="level">${level}</span>` : html`<span class="level none">${{ visit: "+", attack: "!", strike: "✹" }[kind] ?? "·"}</span>`}
    <${Icon} card=${card} kind=${kind} />
    <span class="pp-name">${spoken(card).split(" ").map((word) => html`<span>${parted(word)}</span> `)}</span>
  </span>`;
}

/** Where a word may be parted when its card is too narrow for it. */
const PARTED = new Map(
  "bat-tery de-fense fac-tory green-house habi-tat hos-pital lab-ora-tory ob-serva-tory re-search space-port terra-former work-shop"
    .split(" ")
    .map((word) => [word.replaceAll("-", ""), word.replaceAll("-", "\u00ad")]),
);
const parted = (word) => word[0] + (PARTED.get(word.toLowerCase()) ?? word).slice(1);

const cardWords = (ctx, card) => {
  const { kind, level } = factsOf(ctx, card);
  return `${spoken(card)}${level > 0 && kind !== "cap" ? `, Level ${level}` : ""}${kind === "defense" ? ", a defense" : ""}`;
};

function stateOf(ctx, card) {
  const { kind } = factsOf(ctx, card);
  return { strike: "crater", cap: "capped crater", attack: "attacked", visit: "visit", base: "base" }[kind] ?? null;
}

function Cell({ ctx, owner, row, column, covered, fresh }) {
  const token = `cell:${owner}:${row},${column}`;
  const top = covered?.cards.at(-1);
  const crater = top && stateOf(ctx, top) === "crater";
  const say = top
    ? `${spoken(top)}${crater ? " (a crater)" : covered.level ? `, counts ${covered.level}` : ""}, ${where([row, column])}`
    : `Free cell, ${where([row, column])}`;
  return html`<${Part} kind=${`cell ${top ? "full" : "free"}`} token=${token} pick=${ctx.pick} say=${say} fresh=${fresh.has(token)}>
    ${top ? html`<${Face} card=${top} ctx=${ctx} />` : html`<span class="free-mark" aria-hidden="true">+</span>`}
  <//>`;
}

function Colony({ ctx, seat, fresh }) {
  const { view } = ctx.table;
  const facts = view.seats[seat];
  const cells = new Map(facts.colony.map((each) => [each.cell.join(","), each]));
  const own = seat === ctx.me;
  return html`<section class="colony ${own ? "mine" : ""}" aria-label=${`Colony of ${ctx.names[seat]}`}>
    <${Plate} ctx=${ctx} seat=${seat} score=${facts.colony_level} unit="Levels">
      ${facts.waiting && html`<span class="badge">waits a turn</span>`}
      ${view.final?.full.includes(seat) && html`<span class="badge turn">colony complete</span>`}
    <//>
    <div class="grid" role="group" aria-label=${`${facts.covered} of ${ROWS * COLUMNS} cells covered`}>
      ${Array.from({ length: ROWS * COLUMNS }, (_, at) => {
        const [row, column] = [Math.floor(at / COLUMNS), at % COLUMNS];
        return html`<${Cell}
          key=${at}
          ctx=${ctx}
          owner=${seat}
          row=${row}
          column=${column}
          covered=${cells.get(`${row},${column}`)}
          fresh=${fresh}
        />`;
      })}
    </div>
    <div class="colony-foot">
      <span class="muted">${facts.covered} of ${ROWS * COLUMNS} cells</span>
      ${own
        ? null
        : facts.hand
          ? html`<span class="open-hand wrap" role="group" aria-label="Hand">
              ${facts.hand.map((card, at) => html`<span class="mini-card" key=${at}>${spoken(card)}</span>`)}
            </span>`
          : html`<${HiddenHand} count=${facts.hand_count} />`}
    </div>
  </section>`;
}

/** Copies of a name are alike: they lie as one, with their number. */
function grouped(hand) {
  const counts = new Map();
  for (const card of hand) counts.set(card, (counts.get(card) ?? 0) + 1);
  return [...counts];
}

function Board({ ctx }) {
  const { table, me } = ctx;
  const { view } = table;
  const fresh = touched(ctx.last, (event) => {
    switch (event.type) {
      case "card_built":
      case "visit_laid":
      case "cap_laid":
        return [`cell:${event.seat}:${event.cell.join(",")}`];
      case "attack_laid":
      case "strike_laid":
        return [`cell:${event.opponent}:${event.cell.join(",")}`];
      default:
        return [];
    }
  });
  return html`<div class="board pp-board">
    <div class="pp-status">
      <span class="badge">Round ${view.round}${view.lap > 1 ? `, lap ${view.lap}` : ""}</span>
      ${view.round < 6 && view.phase === "play" && html`<span class="muted">Cards up to Level ${view.round}</span>`}
      ${view.final && view.phase === "final" && html`<span class="badge turn">Final turns: ${view.final.still_to_play.map((seat) => ctx.names[seat]).join(", ")}</span>`}
      ${view.turn?.extra && html`<span class="badge">Extra turn</span>`}
      <span class="piles inline-piles">
        <${Pile} title="to draw" count=${view.draw_count} />
        <${Pile} title="discarded" count=${view.discard_count} note=${view.discard_top ? `top: ${spoken(view.discard_top)}` : undefined} />
      </span>
    </div>
    <div class="colonies n-${view.seats.length}">
      ${[...(me === null ? [] : [me]), ...others(view.seats.length, me)].map(
        (seat) => html`<${Colony} ctx=${ctx} seat=${seat} fresh=${fresh} key=${seat} />`,
      )}
    </div>
  </div>`;
}

function Hand({ ctx }) {
  const drawn = touched(ctx.last, (event) => (event.type === "cards_drawn" ? event.cards ?? [] : []));
  return html`<div class="hand" role="group" aria-label=${ctx.isPast ? `Hand of ${ctx.names[ctx.me]}` : "Your hand"}>
    ${grouped(ctx.table.view.seats[ctx.me].hand ?? []).map(
      ([card, count]) => html`<${Part}
        key=${card}
        token=${`hand:${card}`}
        pick=${ctx.pick}
        fresh=${drawn.has(card)}
        say=${`${cardWords(ctx, card)}${count > 1 ? `, ${plural(count, "copy", "copies")}` : ""}`}
      >
        <${Face} card=${card} ctx=${ctx} />
        ${count > 1 && html`<span class="copies" aria-hidden="true">×${count}</span>`}
      <//>`,
    )}
  </div>`;
}

function tokens(command, ctx) {
  const cell = command.cell?.join(",");
  switch (command.type) {
    case "build":
      return [`hand:${command.card}`, `cell:${ctx.me}:${cell}`];
    case "visit":
    case "cap":
      return [`hand:${nameOf(ctx, command.type)}`, `cell:${ctx.me}:${cell}`];
    case "attack":
    case "strike":
      return [`hand:${nameOf(ctx, command.type)}`, `cell:${command.opponent}:${cell}`];
    case "discard":
      return [`hand:${command.card}`, "act:discard"];
    default:
      return [`act:${command.type}`];
  }
}

function say(command, ctx) {
  const at = command.cell && where(command.cell);
  switch (command.type) {
    case "build":
      return `Build ${spoken(command.card)} at ${at}`;
    case "visit":
      return `Receive the visit at ${at}`;
    case "cap":
      return `Cap the crater at ${at}`;
    case "attack":
      return `Attack ${ctx.names[command.opponent]} at ${at}`;
    case "strike": {
      const target = ctx.table.view.seats[command.opponent].colony.find((each) => each.cell.join() === command.cell.join());
      return `Strike ${target ? spoken(target.cards.at(-1)) : ""} of ${ctx.names[command.opponent]} at ${at}`;
    }
    case "discard":
      return `Discard ${spoken(command.card)}`;
    default:
      return spoken(command.type);
  }
}

function prompt({ picked, fits }) {
  const card = picked.find((token) => token.startsWith("hand:"));
  if (card && fits.every(({ type }) => type === "discard")) return `${spoken(card.slice(5))} has no place now: discard it, or choose another card.`;
  if (card) return `${spoken(card.slice(5))}: choose where it goes.`;
  if (picked.length) return "Which card goes there?";
  return "Choose a card of your hand, then where it goes.";
}

/** "[0, 1]" in the summaries counts from 0; here cells count from 1, as people do. */
const rich = (text) => text.replace(/\[(\d+), (\d+)\]/g, (_, row, column) => `the ${PLACES[row]} row, ${PLACES[column]} column`);

/** How the score comes about (P46): what is held at the end counts against the colony. */
function scored(table, seat) {
  const { colony_level: level } = table.view.seats[seat];
  return `${level} Levels − ${level - table.outcome.scores[seat]} in hand`;
}

export default { Board, Hand, tokens, say, prompt, rich, scored };
