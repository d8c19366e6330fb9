// Beam Me Up: hands and tricks of aliens, lines of three, nine Space Racers.

import { html } from "../vendor/htm-preact.js";
import { plural, spoken } from "../lib/words.js";
import { useNarrow } from "../lib/ui.js";
import { HiddenHand, Part, Pile, Plate, others, touched } from "./parts.js";

const ELEMENTALS = { A: "Air", E: "Earth", F: "Fire", W: "Water" };
const SIGNS = {
  A: () => html`<path d="M3 9h11a3 3 0 1 0-3-3M3 13h15a3 3 0 1 1-3 3M3 17h7" />`,
  E: () => html`<path d="M2 19 9 6l4 7 3-4 6 10z" />`,
  F: () => html`<path d="M12 2c1 5 6 7 6 13a6 6 0 0 1-12 0c0-3 2-4 2-7 2 1 3 2 3 4 1-3 1-6 1-10z" />`,
  W: () => html`<path d="M12 2c3 5 6 8 6 12a6 6 0 0 1-12 0c0-4 3-7 6-12z" />`,
};

const Sign = ({ kind }) => html`<svg class="sign el-${kind}" viewBox="0 0 24 24" aria-hidden="true">${SIGNS[kind]()}</svg>`;

const ALIENS = {
  A: () => html`<path d="M14 36c-5-3-6-20 10-20s15 17 10 20c-2 1-3-2-5-2s-3 4-5 4-3-4-5-4-3 3-5 2z" /><path class="thin" d="M18 17 13 9M30 17l5-8" /><circle class="eye" cx="20" cy="26" r="3.2" /><circle class="eye" cx="29" cy="26" r="3.2" /><circle class="dot" cx="20.6" cy="26.5" r="1.3" /><circle class="dot" cx="28.4" cy="26.5" r="1.3" />`,
  E: () => html`<path d="M10 37c-2-8 0-13 4-16-2-5 0-8 3-10 1 3 4 5 7 5s6-2 7-5c3 2 5 5 3 10 4 3 6 8 4 16z" /><ellipse class="eye" cx="24" cy="25" rx="6" ry="5" /><circle class="dot" cx="24" cy="25.5" r="2.2" /><path class="thin light" d="M17 33h14" />`,
  F: () => html`<path d="M24 8c3 5 4 6 8 5-1 4 4 7 4 14 0 8-5 11-12 11s-12-3-12-11c0-7 5-10 4-14 4 1 5 0 8-5z" /><path class="eye" d="M16 24l7 3-6 3zM32 24l-7 3 6 3z" /><path class="thin light" d="M19 34l2-2 3 2 3-2 2 2" />`,
  W: () => html`<path d="M12 26c0-9 5-14 12-14s12 5 12 14c0 3-1 5-2 6v6l-4-4-3 5-3-5-3 5-3-5-4 4v-6c-1-1-2-3-2-6z" /><circle class="eye" cx="18" cy="23" r="2.6" /><circle class="eye" cx="24" cy="20.5" r="2.6" /><circle class="eye" cx="30" cy="23" r="2.6" /><circle class="dot" cx="18" cy="23.4" r="1.1" /><circle class="dot" cx="24" cy="20.9" r="1.1" /><circle class="dot" cx="30" cy="23.4" r="1.1" />`,
};

const RACERS = {
  mercury: { number: 1, kind: "A", body: "#b6a99a", more: () => html`<circle cx="19" cy="20" r="2.5" fill="#8f8275" /><circle cx="28" cy="28" r="3.5" fill="#8f8275" /><circle cx="29" cy="18" r="1.5" fill="#8f8275" />` },
  venus: { number: 2, kind: "E", body: "#e6c27a", more: () => html`<path d="M12 20c8-4 16 3 24-1M13 29c8-3 14 3 22 0" stroke="#c19a4c" stroke-width="2.5" fill="none" />` },
  earth: { number: 3, kind: "*", body: "#3f83d6", more: () => html`<path d="M15 18c4-5 9-4 10-1s-3 3-3 6-5 3-7 0zM27 27c3-3 7-1 7 1s-4 6-6 5-3-4-1-6z" fill="#63b365" />` },
  mars: { number: 4, kind: "F", body: "#cf5a37", more: () => html`<path d="M14 27c6-4 12 2 20-2" stroke="#9c3d22" stroke-width="2.5" fill="none" /><path d="M20 13h8l-3 2h-3z" fill="#fbe9df" />` },
  jupiter: { number: 5, kind: "F", body: "#dcae7d", more: () => html`<path d="M13 19h22M12 24h24M13 29h22" stroke="#a9703f" stroke-width="2" /><ellipse cx="29" cy="27" rx="3.5" ry="2.2" fill="#c0502f" />` },
  saturn: { number: 6, kind: "E", body: "#e5cf97", more: () => html`<ellipse cx="24" cy="24" rx="20" ry="5" fill="none" stroke="#b89a5a" stroke-width="2.5" transform="rotate(-15 24 24)" />` },
  uranus: { number: 7, kind: "A", body: "#8fd9dc", more: () => html`<ellipse cx="24" cy="24" rx="4" ry="18" fill="none" stroke="#5aa6ab" stroke-width="1.5" transform="rotate(12 24 24)" />` },
  neptune: { number: 8, kind: "W", body: "#3d5fd0", more: () => html`<path d="M14 20c7 3 13-2 20 1" stroke="#7f9bf0" stroke-width="2" fill="none" /><circle cx="20" cy="28" r="2" fill="#2a44a5" />` },
  pluto: { number: 9, kind: "W", body: "#c9b8a8", more: () => html`<path d="M24 33c-5-4-7-6-6-9 1-2 4-2 6 0 2-2 5-2 6 0 1 3-1 5-6 9z" fill="#f0e4d8" />` },
};

export const cardName = (card) => `${ELEMENTALS[card[0]]} ${card.slice(1)}`;
const racerName = (racer) => `${spoken(racer)}, ${RACERS[racer]?.kind === "*" ? "all elementals" : ELEMENTALS[RACERS[racer]?.kind] ?? ""}`;

function Alien({ card }) {
  const kind = card[0];
  const number = card.slice(1);
  return html`<span class="face bmu el-${kind}" aria-hidden="true">
    <span class="corner">${number}<${Sign} kind=${kind} /></span>
    <svg class="alien" viewBox="0 0 48 48">${ALIENS[kind]()}</svg>
    <span class="corner foot">${number}</span>
  </span>`;
}

function Racer({ racer }) {
  const { kind, body, more, number } = RACERS[racer] ?? { kind: "*", body: "#888", more: () => null, number: "" };
  return html`<span class="racer-face" aria-hidden="true">
    <svg viewBox="0 0 48 48"><circle cx="24" cy="24" r="13" fill=${body} />${more()}</svg>
    <span class="racer-kind">
      ${(kind === "*" ? ["A", "E", "F", "W"] : [kind]).map((each) => html`<${Sign} kind=${each} />`)}
    </span>
    <span class="racer-name">${spoken(racer)}</span>
    <span class="racer-number">${number}</span>
  </span>`;
}

const Card = ({ card, where, pick, fresh, owner }) =>
  html`<${Part}
    token=${where && `${where}:${card}`}
    pick=${pick}
    fresh=${fresh}
    say=${owner ? `${cardName(card)}, laid by ${owner}` : cardName(card)}
    ><${Alien} card=${card}
  /><//>`;

function Line({ seat, ctx, fresh }) {
  const own = seat.seat === ctx.me;
  if (!seat.line) return html`<span class="line"><span class="muted">${plural(seat.line_count, "hidden card")} in line</span></span>`;
  const free = Math.max(0, 3 - seat.line.length);
  return html`<span class="line" role="group" aria-label=${`Line of ${ctx.names[seat.seat]}: ${seat.line.map(cardName).join(", ") || "empty"}`}>
    ${seat.line.map((card) => html`<${Card} card=${card} where=${own && "line"} pick=${ctx.pick} fresh=${fresh.has(`c:${card}`)} key=${card} />`)}
    ${Array.from({ length: free }, () => html`<span class="stand" aria-hidden="true"></span>`)}
  </span>`;
}

const Won = ({ racers }) =>
  racers.length > 0 &&
  html`<span class="won" role="group" aria-label="Space Racers">
    ${racers.map(
      (racer) => html`<span class="won-racer" role="img" aria-label=${racerName(racer)} title=${racerName(racer)}>
        <svg viewBox="8 8 32 32" aria-hidden="true">
          <circle cx="24" cy="24" r="13" fill=${RACERS[racer]?.body ?? "#888"} />${RACERS[racer]?.more()}
        </svg>
      </span>`,
    )}
  </span>`;

function Seat({ seat, ctx, fresh }) {
  return html`<section class="seat" aria-label=${ctx.names[seat.seat]}>
    <${Plate} ctx=${ctx} seat=${seat.seat} score=${seat.racers.length} unit=${seat.racers.length === 1 ? "racer" : "racers"}
      ><${Won} racers=${seat.racers}
    /><//>
    <div class="seat-row">
      <${Line} seat=${seat} ctx=${ctx} fresh=${fresh} />
      ${seat.hand
        ? html`<span class="open-hand" role="group" aria-label="Hand">
            ${seat.hand.map((card) => html`<${Card} card=${card} key=${card} />`)}
          </span>`
        : html`<${HiddenHand} count=${seat.hand_count} />`}
    </div>
  </section>`;
}

function Trick({ view, ctx, fresh }) {
  const { trick } = view;
  const last = trick.layers.length - 1;
  return html`<section class="trick" aria-label=${`Trick ${trick.number}`}>
    <h2 class="zone-title">
      Trick ${trick.number}${trick.layers.length > 1 ? html` · layer ${trick.layers.length}` : ""}
      ${trick.winner !== null && html`<span class="badge turn">${ctx.names[trick.winner]} takes it</span>`}
    </h2>
    ${trick.layers.length === 0 && html`<p class="muted">No card is laid yet.</p>`}
    ${trick.layers.map(
      (layer, at) => html`<div class="layer" key=${at}>
        ${last > 0 && html`<span class="layer-number muted">Layer ${at + 1}</span>`}
        ${layer.map(({ seat, card }) => {
          const gone = !trick.on_table.includes(card);
          return html`<figure class="laid ${gone ? "gone" : ""} ${trick.winner === seat && at === last ? "wins" : ""}" key=${card}>
            ${gone
              ? html`<span class="stand" role="img" aria-label=${`${cardName(card)} was taken`}></span>`
              : html`<${Card} card=${card} where="table" pick=${ctx.pick} fresh=${fresh.has(`c:${card}`)} owner=${ctx.names[seat]} />`}
            <figcaption class="seat-${seat % 6}">${ctx.names[seat]}</figcaption>
          </figure>`;
        })}
      </div>`,
    )}
  </section>`;
}

function Board({ ctx }) {
  const { table, me, pick } = ctx;
  const { view } = table;
  const fresh = touched(ctx.last, (event) => {
    if (event.type === "card_played" || event.type === "card_collected") return [`c:${event.card}`];
    return event.type === "racer_launched" ? [`r:${event.racer}`] : [];
  });
  const own = me === null ? null : view.seats[me];
  const rest = others(view.seats.length, me);
  const isNarrow = useNarrow();
  const opponents = html`<div class="opponents of-${rest.length}" key="opponents">
    ${rest.map((at) => html`<${Seat} seat=${view.seats[at]} ctx=${ctx} fresh=${fresh} key=${at} />`)}
  </div>`;
  const racers = html`<section class="racers" aria-label="Space Racers still to be had" key="racers">
    <h2 class="zone-title">Space Racers</h2>
    <div class="racer-row">
      ${view.racers.map(
        (racer) => html`<${Part} kind="racer" token=${`racer:${racer}`} pick=${pick} say=${racerName(racer)} key=${racer}
          ><${Racer} racer=${racer}
        /><//>`,
      )}
      ${view.racers.length === 0 && html`<p class="muted">All are launched.</p>`}
    </div>
  </section>`;
  const trick = html`<${Trick} view=${view} ctx=${ctx} fresh=${fresh} key="trick" />`;
  const middle = html`<div class="middle bmu-middle" key="middle">
      ${isNarrow && view.phase !== "launch" ? [trick, racers] : [racers, trick]}
      <div class="piles" key="piles">
        <${Pile} title="to draw" count=${view.draw_count} />
        <${Pile} title="discarded" count=${view.discard_count}
          >${view.discard_top ? html`<${Part} say=${`Discard pile, top: ${cardName(view.discard_top)}`}><${Alien} card=${view.discard_top} /><//>` : undefined}<//
        >
        <${Pile} title="at home" count=${view.home_count}><span class="home-mark" aria-hidden="true">⌂</span><//>
      </div>
    </div>`;
  const side =
    own &&
    html`<section class="own" aria-label=${ctx.isPast ? `Side of ${ctx.names[me]}` : "Your side"} key="own">
      <${Plate} ctx=${ctx} seat=${me} score=${own.racers.length} unit=${own.racers.length === 1 ? "racer" : "racers"}><${Won} racers=${own.racers} /><//>
      <div class="seat-row">
        <h2 class="zone-title">${ctx.isPast ? "Line" : "Your line"}</h2>
        <${Line} seat=${own} ctx=${ctx} fresh=${fresh} />
      </div>
    </section>`;
  return html`<div class="board bmu-board">${isNarrow ? [middle, side, opponents] : [opponents, middle, side]}</div>`;
}

function Hand({ ctx }) {
  const drawn = touched(ctx.last, (event) => (event.type === "cards_drawn" ? event.cards ?? [] : []));
  return html`<div class="hand" role="group" aria-label=${ctx.isPast ? `Hand of ${ctx.names[ctx.me]}` : "Your hand"}>
    ${(ctx.table.view.seats[ctx.me].hand ?? []).map(
      (card) => html`<${Card} card=${card} where="hand" pick=${ctx.pick} fresh=${drawn.has(card)} key=${card} />`,
    )}
  </div>`;
}

function tokens(command) {
  switch (command.type) {
    case "play_card":
      return [`hand:${command.card}`];
    case "collect_card":
      return [`table:${command.card}`, ...(command.replace ? [`line:${command.replace}`] : [])];
    case "launch_racer":
      return [`racer:${command.racer}`];
    default:
      return [`act:${command.type}`];
  }
}

function say(command) {
  switch (command.type) {
    case "play_card":
      return `Lay ${cardName(command.card)}`;
    case "collect_card":
      return command.replace
        ? `Take ${cardName(command.card)}, put ${cardName(command.replace)} away`
        : `Take ${cardName(command.card)}`;
    case "decline_card":
      return "Take no more cards";
    case "launch_racer":
      return `Beam me up: launch ${spoken(command.racer)}`;
    default:
      return spoken(command.type);
  }
}

function prompt({ table, picked, me }) {
  const { phase, trick } = table.view;
  if (phase === "play") return trick.layers.length ? "Lay a card on the trick." : "Lead the trick with a card.";
  if (phase === "launch") return "Three alike! Choose a Space Racer.";
  const full = (table.view.seats[me]?.line_count ?? 0) === 3;
  if (full && picked.some((token) => token.startsWith("table:"))) return "Which card of your line makes room?";
  const left = trick.picks_left > 1 ? `You may take ${trick.picks_left} cards.` : "You may take a card of the trick.";
  return full ? `${left} Your line is full: a card goes for each.` : left;
}

export default { Board, Hand, tokens, say, prompt };
