// Ratings over time as a plot: mean lines, and for a single one the band in which the true strength lies.

import { html } from "../vendor/htm-preact.js";
import { useNarrow } from "./ui.js";
import { exactTime, plural } from "./words.js";

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

/**
 * `lines`: `[{name, games: [{time_ms, rating: {mu, low, high}}]}]`. Lines differ by colour and by dashes, and each has
 * its name at its end; the figures stand in a table below.
 */
export function RatingPlot({ lines, title }) {
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
