// What all games draw: a part that may be picked, card backs, piles, and the plate of a seat.

import { html } from "../vendor/htm-preact.js";
import { useNow } from "../lib/ui.js";
import { clockSkew } from "../lib/api.js";
import { clockFace, plural } from "../lib/words.js";

/**
 * Something at the table that may be a part of a command. It is a button where some command needs it, else plain.
 * `say` is its name for those who hear the page.
 */
export function Part({ token, pick, say, kind = "card", fresh, children }) {
  const state = token && pick ? pick.state(token) : "no";
  const classes = `part ${kind} ${state} ${fresh ? "fresh" : ""}`;
  const title = kind.startsWith("cell") ? say : undefined;
  if (state === "no") return html`<span class=${classes} role="img" aria-label=${say} title=${title}>${children}</span>`;
  return html`<button
    type="button"
    class=${classes}
    title=${title}
    data-token=${token}
    aria-pressed=${String(state === "picked")}
    aria-label=${say}
    disabled=${pick.busy}
    onClick=${() => pick.press(token)}
  >
    ${children}
    ${state === "picked" && html`<span class="tick" aria-hidden="true">✓</span>`}
  </button>`;
}

export const Back = ({ count, say }) =>
  html`<span class="card-back" role="img" aria-label=${say || plural(count, "hidden card")}>
    <span aria-hidden="true">${count}</span>
  </span>`;

/** Hidden cards in a hand as a small fan with their count. */
export function HiddenHand({ count }) {
  return html`<span class="fan" role="img" aria-label=${`${plural(count, "card")} in hand`}>
    ${Array.from({ length: Math.min(count, 6) }, () => html`<i aria-hidden="true"></i>`)}
    <b aria-hidden="true">${count}</b>
  </span>`;
}

export function Pile({ title, count, children, note }) {
  return html`<div class="pile">
    <span class="pile-face">${children ?? html`<span class="card-back ${count ? "" : "none"}" aria-hidden="true"></span>`}</span>
    <span class="pile-text"><b>${count}</b> ${title}${note ? html`<br /><span class="muted">${note}</span>` : ""}</span>
  </div>`;
}

/** Seconds that a seat has left, counting down from its deadline. */
export function Countdown({ clock, seat }) {
  const deadline = clock?.deadlines?.find((each) => each.seat === seat);
  const now = useNow(Boolean(deadline) && !clock.paused);
  if (!clock) return null;
  if (deadline) {
    const left = (Date.parse(deadline.due) - now - clockSkew()) / 1000;
    if (clock.paused) return html`<span class="clock">paused</span>`;
    return html`<span class="clock ${left < 10 ? "low" : ""}" role="timer">${clockFace(left)}</span>`;
  }
  const bank = clock.banks?.[seat];
  return bank === undefined ? null : html`<span class="clock idle">${clockFace(bank)}</span>`;
}

/** Who sits there, whose turn it is, and what counts. */
export function Plate({ ctx, seat, score, unit, children }) {
  const { table, names, me } = ctx;
  const facts = table.seats[seat];
  const acts = table.status === "playing" && table.to_act.includes(seat);
  const isBot = facts.kind === "ai" || Boolean(facts.played_by);
  const place = table.outcome?.places?.[seat];
  const won = table.outcome?.winners.includes(seat);
  return html`<div class="plate ${acts ? "acts" : ""} seat-${seat % 6}">
    <span class="avatar" aria-hidden="true">${isBot ? "◇" : [...names[seat]][0]?.toUpperCase()}</span>
    <span class="plate-name" title=${names[seat]}>
      ${names[seat]}${seat === me && !ctx.isPast ? html` <span class="you">you</span>` : ""}
    </span>
    ${facts.resigned && html`<span class="badge">gave up</span>`}
    ${won && html`<span class="badge turn">★ winner</span>`}
    ${place && !won ? html`<span class="badge">place ${place}</span>` : ""}
    ${acts &&
    html`<span class="badge turn"
      >${ctx.isPast ? "to move" : seat === me ? "your turn" : html`${isBot ? "thinking" : "to move"}<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>`}</span
    >`}
    <${Countdown} clock=${table.clock} seat=${seat} />
    ${children}
    ${score !== undefined && html`<span class="score"><b>${score}</b> <span class="unit">${unit}</span></span>`}
  </div>`;
}

/** The seats in the order in which one sees them: round the table from the left of one's own. */
export function others(count, me) {
  if (me === null) return Array.from({ length: count }, (_, at) => at);
  return Array.from({ length: count - 1 }, (_, at) => (me + 1 + at) % count);
}

/** A set of tokens that the last entry has touched. */
export const touched = (entry, tokensOf) => new Set((entry?.events ?? []).flatMap(tokensOf).filter(Boolean));
