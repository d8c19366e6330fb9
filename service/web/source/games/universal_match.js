// Universal Match: open boards of three, secret hands of three, one switch a turn.

import { html } from "../vendor/htm-preact.js";
import { listWords, plural, spoken } from "../lib/words.js";
import { useNarrow } from "../lib/ui.js";
import { HiddenHand, Part, Pile, Plate, others, touched } from "./parts.js";

const SUITS = {
  E: { name: "Earth", value: 3, body: "#3f83d6", more: () => html`<path d="M15 18c4-5 9-4 10-1s-3 3-3 6-5 3-7 0zM27 27c3-3 7-1 7 1s-4 6-6 5-3-4-1-6z" fill="#63b365" />` },
  J: { name: "Jupiter", value: 2, body: "#dcae7d", more: () => html`<path d="M13 19h22M12 24h24M13 29h22" stroke="#a9703f" stroke-width="2" /><ellipse cx="29" cy="27" rx="3.5" ry="2.2" fill="#c0502f" />` },
  M: { name: "Mars", value: 1, body: "#cf5a37", more: () => html`<path d="M14 27c6-4 12 2 20-2" stroke="#9c3d22" stroke-width="2.5" fill="none" /><circle cx="20" cy="19" r="2" fill="#9c3d22" />` },
  N: { name: "Neptune", value: 3, body: "#3d5fd0", more: () => html`<path d="M14 20c7 3 13-2 20 1M14 28c7 2 12-2 20 0" stroke="#8ea8f5" stroke-width="2" fill="none" />` },
  S: { name: "Saturn", value: 2, body: "#e5cf97", more: () => html`<ellipse cx="24" cy="24" rx="20" ry="5" fill="none" stroke="#9c7f3e" stroke-width="2.5" transform="rotate(-15 24 24)" />` },
  V: { name: "Venus", value: 1, body: "#e0a9c0", more: () => html`<path d="M12 20c8-4 16 3 24-1M13 29c8-3 14 3 22 0" stroke="#b5688c" stroke-width="2.5" fill="none" />` },
};
/** Where a name may be parted when its card is too narrow for it. */
const FOOTS = { J: "Ju\u00adpi\u00adter", N: "Nep\u00adtune", S: "Sat\u00adurn" };
const RANKS = { G: "Galaxy", S: "Sun", M: "Moon" };
const RANK_ART = {
  G: () => html`<path d="M12 12c2-2 5 0 4 3s-6 3-8 0-1-8 4-9 9 3 8 8" />`,
  S: () => html`<circle cx="12" cy="12" r="4.5" /><path d="M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2" />`,
  M: () => html`<path d="M16 4a8.5 8.5 0 1 0 4 11A7 7 0 0 1 16 4z" />`,
};

export const cardName = (card) => `${RANKS[card[0]] ?? card[0]} of ${SUITS[card[1]].name}`;
const cardWords = (card) => `${cardName(card)}, ${plural(SUITS[card[1]].value, "point")}`;

const Planet = ({ suit }) =>
  html`<svg class="planet" viewBox="3 3 42 42" aria-hidden="true"><circle cx="24" cy="24" r="13" fill=${SUITS[suit].body} />${SUITS[suit].more()}</svg>`;

const RankMark = ({ rank }) =>
  RANK_ART[rank] ? html`<svg class="rank-art" viewBox="0 0 24 24" aria-hidden="true">${RANK_ART[rank]()}</svg>` : rank;

function Face({ card }) {
  const [rank, suit] = card;
  return html`<span class="face um su-${suit}" aria-hidden="true">
    <span class="um-rank"><${RankMark} rank=${rank} /></span>
    <${Planet} suit=${suit} />
    <span class="pips">${"●".repeat(SUITS[suit].value)}</span>
    <b class="um-foot">${FOOTS[suit] ?? SUITS[suit].name}</b>
  </span>`;
}

const Card = ({ card, token, pick, fresh, say }) =>
  html`<${Part} token=${token} pick=${pick} fresh=${fresh} say=${say || cardWords(card)}><${Face} card=${card} /><//>`;

export const Chip = ({ card }) =>
  html`<span class="um-chip su-${card[1]}" role="img" aria-label=${cardName(card)} title=${cardName(card)}
    ><span aria-hidden="true"><${RankMark} rank=${card[0]} /><i>${card[1]}</i><${Planet} suit=${card[1]} /></span
  ></span>`;

const KINDS = { three_of_a_kind: "three of a kind", suited_run: "suited run", rainbow_run: "rainbow run" };

function Matches({ matches, names }) {
  if (!matches.length) return null;
  return html`<details class="matches">
    <summary title="Matches put aside">${plural(matches.length, "match", "matches")}</summary>
    <ul>
      ${matches.map(
        (match, at) => html`<li key=${at}>
          ${match.cards.map((card) => html`<${Chip} card=${card} />`)}
          <span>
            ${KINDS[match.kind] ?? match.kind}${match.perfect ? ", perfect" : ""}: ${match.points}${match.bonus ? ` + ${match.bonus}` : ""}
            ${match.taken_from !== null ? ` (taken from ${names[match.taken_from]})` : ""}
          </span>
        </li>`,
      )}
    </ul>
  </details>`;
}

function BoardCards({ ctx, seat, fresh }) {
  const facts = ctx.table.view.seats[seat];
  const chosen = facts.chosen_count > 0 && !facts.board.length;
  if (chosen && facts.chosen?.length) {
    return html`<div class="um-cards" role="group" aria-label="Chosen for the board">
      ${facts.chosen.map((card) => html`<${Card} card=${card} key=${card} />`)}
    </div>`;
  }
  if (!facts.board.length) {
    return html`<div class="um-cards">
      ${Array.from({ length: 3 }, () => html`<span class="${chosen ? "card-back" : "stand"}" aria-hidden="true"></span>`)}
      <span class="sr">${chosen ? "Board chosen, not yet shown" : "No board yet"}</span>
    </div>`;
  }
  return html`<div class="um-cards" role="group" aria-label=${`Board of ${ctx.names[seat]}`}>
    ${facts.board.map(
      (card) => html`<${Card} card=${card} key=${card} token=${`board:${seat}:${card}`} pick=${ctx.pick} fresh=${fresh.has(card)} />`,
    )}
  </div>`;
}

const Dealer = () => html`<span class="badge dealer" title="Dealer"><span aria-hidden="true">D</span><span class="sr">deals</span></span>`;

const pointsWords = ({ hand_points: points }) => (points ? html`<span class="unit-word">points,</span> +${points} this hand` : html`<span class="unit-word">points</span>`);

function Seat({ ctx, seat, fresh }) {
  const { view } = ctx.table;
  const facts = view.seats[seat];
  return html`<section class="seat um-seat" aria-label=${ctx.names[seat]}>
    <${Plate} ctx=${ctx} seat=${seat} score=${facts.total} unit=${pointsWords(facts)}>
      ${view.dealer === seat && html`<${Dealer} />`}
      ${view.offer?.answered.includes(seat) && html`<span class="badge">answered</span>`}
    <//>
    <${BoardCards} ctx=${ctx} seat=${seat} fresh=${fresh} />
    <div class="seat-row">
      ${facts.hand
        ? html`<span class="open-hand" role="group" aria-label="Hand">${facts.hand.map((card) => html`<${Chip} card=${card} key=${card} />`)}</span>`
        : html`<${HiddenHand} count=${facts.hand_count} />`}
      <${Matches} matches=${facts.matches} names=${ctx.names} />
    </div>
  </section>`;
}

function Offer({ ctx }) {
  const { offer } = ctx.table.view;
  if (!offer) return null;
  const waits = offer.asked.filter((seat) => !offer.answered.includes(seat)).map((seat) => ctx.names[seat]);
  return html`<section class="offer" aria-label="Match on offer">
    <h2 class="zone-title">${ctx.names[offer.seat]} offers a match</h2>
    <div class="um-cards">
      ${offer.cards.map((card) => html`<${Card} card=${card} key=${card} token=${`match:${card}`} pick=${ctx.pick} />`)}
    </div>
    <p class="muted">${waits.length ? `Still to answer: ${listWords(waits)}.` : "All have answered."}</p>
  </section>`;
}

function Board({ ctx }) {
  const { table, me, pick } = ctx;
  const { view } = table;
  const fresh = touched(ctx.last, (event) => {
    switch (event.type) {
      case "boards_switched":
      case "hand_switched":
      case "own_switched":
        return [event.give, event.take];
      case "board_refilled":
        return event.cards;
      case "card_discarded":
        return [event.card];
      default:
        return [];
    }
  });
  const own = me === null ? null : view.seats[me];
  const rest = others(view.seats.length, me);
  const top = view.discard.at(-1);
  const isNarrow = useNarrow();
  const opponents = html`<div class="opponents of-${rest.length}" key="opponents">
    ${rest.map((seat) => html`<${Seat} ctx=${ctx} seat=${seat} fresh=${fresh} key=${seat} />`)}
  </div>`;
  const middle = html`<div class="middle um-middle" key="middle">
      <div class="piles">
        <${Pile} title="in the stock" count=${view.stock_count}
          ><${Part} kind="pile-card" token="act:draw_card" pick=${pick} say=${`Stock, ${plural(view.stock_count, "card")}`}
            ><span class="card-back ${view.stock_count ? "" : "none"}" aria-hidden="true"></span><//
          ><//
        >
        <${Pile} title="discarded" count=${view.discard.length}
          >${top
            ? html`<${Card} card=${top} token="discard" pick=${pick} fresh=${fresh.has(top)} say=${`Discard pile, top: ${cardWords(top)}`} />`
            : html`<span class="stand" aria-hidden="true"></span>`}<//
        >
      </div>
      <div class="um-notes">
        <span class="badge">Hand ${view.hand_number}</span>
        <span class="muted">Target: ${table.options.target === "one_hand" ? "one hand" : `${table.options.target} points`}</span>
        ${view.forced_draw && html`<span class="badge turn">A card must be drawn</span>`}
        ${view.discard.length > 1 &&
        html`<details><summary>All discards</summary><div class="chips">${view.discard.map((card) => html`<${Chip} card=${card} key=${card} />`)}</div></details>`}
        ${view.banned_pairs.length > 0 &&
        html`<details>
          <summary>${plural(view.banned_pairs.length, "pair")} not to be switched again</summary>
          <ul class="pairs">${view.banned_pairs.map(([a, b]) => html`<li key=${a + b}><${Chip} card=${a} /> ⇄ <${Chip} card=${b} /></li>`)}</ul>
        </details>`}
      </div>
      <${Offer} ctx=${ctx} />
    </div>`;
  const side =
    own &&
    html`<section class="own" aria-label=${ctx.isPast ? `Side of ${ctx.names[me]}` : "Your side"} key="own">
      <${Plate} ctx=${ctx} seat=${me} score=${own.total} unit=${pointsWords(own)}>
        ${view.dealer === me && html`<${Dealer} />`}
      <//>
      <div class="seat-row">
        <h2 class="zone-title">${ctx.isPast ? "Board" : "Your board"}</h2>
        <${BoardCards} ctx=${ctx} seat=${me} fresh=${fresh} />
        <${Matches} matches=${own.matches} names=${ctx.names} />
      </div>
    </section>`;
  return html`<div class="board um-board">${isNarrow ? [side, middle, opponents] : [opponents, middle, side]}</div>`;
}

function Hand({ ctx }) {
  const drawn = touched(ctx.last, (event) => (event.type === "cards_drawn" ? event.cards ?? [] : [event.take]));
  return html`<div class="hand" role="group" aria-label=${ctx.isPast ? `Hand of ${ctx.names[ctx.me]}` : "Your hand"}>
    ${(ctx.table.view.seats[ctx.me].hand ?? []).map(
      (card) => html`<${Card} card=${card} key=${card} token=${`hand:${card}`} pick=${ctx.pick} fresh=${drawn.has(card)} />`,
    )}
  </div>`;
}

const from = (command) => (command.from === "discard" ? "discard" : `board:${command.from}:${command.take}`);

function tokens(command, ctx) {
  const { me } = ctx;
  switch (command.type) {
    case "choose_board":
      return command.cards.map((card) => `hand:${card}`);
    case "discard":
      return [`hand:${command.card}`];
    case "switch_boards":
      return [`board:${me}:${command.give}`, from(command)];
    case "switch_own":
      return [`hand:${command.give}`, `board:${me}:${command.take}`];
    case "switch_hand":
      return [`hand:${command.give}`, from(command)];
    case "take_match": {
      const inHand = ctx.table.view.seats[me].hand?.includes(command.give);
      return [inHand ? `hand:${command.give}` : `board:${me}:${command.give}`, `match:${command.take}`];
    }
    default:
      return [`act:${command.type}`];
  }
}

function say(command, ctx) {
  const source = command.from === "discard" ? "the discard pile" : command.from !== undefined ? `${ctx.names[command.from]}'s board` : "";
  switch (command.type) {
    case "choose_board":
      return `Lay ${listWords(command.cards.map(cardName))} on your board`;
    case "draw_card":
      return "Draw a card";
    case "discard":
      return `Discard ${cardName(command.card)}`;
    case "switch_boards":
      return `Board to board: give ${cardName(command.give)} for ${cardName(command.take)} (${source})`;
    case "switch_own":
      return `Lay ${cardName(command.give)} on your board, take ${cardName(command.take)} into your hand`;
    case "switch_hand":
      return `From your hand: give ${cardName(command.give)} for ${cardName(command.take)} (${source})`;
    case "take_match":
      return `Take the match: put ${cardName(command.give)} in for ${cardName(command.take)}`;
    case "decline_match":
      return "Leave the match";
    default:
      return spoken(command.type);
  }
}

function prompt({ table, picked, me }) {
  const { phase } = table.view;
  if (phase === "choose") {
    return picked.length < 3 ? `Choose three cards for your board (${picked.length} of 3).` : "These three go on your board.";
  }
  if (phase === "discard") return "Choose a card of your hand to discard.";
  if (phase === "offer") return "Make the match perfect and take it, or leave it.";
  if (picked.some((token) => token.startsWith("hand:"))) return "Choose the card that you want for it: on any board, or the discard pile.";
  if (picked.some((token) => token.startsWith(`board:${me}:`))) return "Choose what to switch it with.";
  if (picked.length) return "Choose the card that you give for it.";
  return "Draw a card, or choose two cards to switch.";
}

/** Card names in a summary, drawn as chips. */
function rich(text) {
  return text
    .split(/\b([GSM1-7][EJMNSV])\b/)
    .map((part, at) => (at % 2 ? html`<${Chip} card=${part} />` : part));
}

export default { Board, Hand, tokens, say, prompt, rich, isSet: (command) => command.type === "choose_board" };
