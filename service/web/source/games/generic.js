// A game that this page does not know: its view as it is, its commands as a list.

import { html } from "../vendor/htm-preact.js";
import { spoken } from "../lib/words.js";
import { Plate } from "./parts.js";

function Value({ value }) {
  if (value === null || value === undefined) return html`<span class="muted">none</span>`;
  if (Array.isArray(value)) {
    if (!value.length) return html`<span class="muted">none</span>`;
    if (value.every((each) => each === null || typeof each !== "object")) {
      return html`<span class="chips">${value.map((each) => html`<span class="chip">${String(each)}</span>`)}</span>`;
    }
    return html`<ol class="generic-list">${value.map((each) => html`<li><${Value} value=${each} /></li>`)}</ol>`;
  }
  if (typeof value === "object") {
    return html`<dl class="generic">
      ${Object.entries(value).map(([name, each]) => html`<div><dt>${spoken(name)}</dt><dd><${Value} value=${each} /></dd></div>`)}
    </dl>`;
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}

function Board({ ctx }) {
  const { seats, ...rest } = ctx.table.view;
  return html`<div class="board generic-board">
    ${ctx.table.seats.map(
      (each) => html`<section class="seat" aria-label=${ctx.names[each.seat]}>
        <${Plate} ctx=${ctx} seat=${each.seat} />
        <${Value} value=${seats?.[each.seat]} />
      </section>`,
    )}
    <section class="seat"><${Value} value=${rest} /></section>
  </div>`;
}

const shown = (value) => (value !== null && typeof value === "object" ? JSON.stringify(value) : String(value));

const say = ({ type, ...rest }) =>
  [spoken(type), ...Object.entries(rest).map(([name, value]) => `${spoken(name).toLowerCase()} ${shown(value)}`)].join(", ");

export default { Board, tokens: () => [], say, prompt: () => "Choose a move.", isListOnly: true };
