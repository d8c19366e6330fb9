// What the lobby shows of each game before its own module is there.

import { html } from "../vendor/htm-preact.js";
import { spoken } from "../lib/words.js";

const TITLES = { "beam-me-up": "Beam Me Up", "planet-pioneer": "Planet Pioneer", "universal-match": "Universal Match" };

/** What the lobby begins with before the catalogue is there, which may have more games. */
export const KNOWN = Object.entries(TITLES).map(([game, title]) => ({ game, title, bots: ["greedy"] }));

export const gameTitle = (game) => TITLES[game] || spoken(game.replace(/-/g, " "));

export const GAME_LINES = {
  "beam-me-up": "Win tricks, gather three aliens of one elemental, and beam them home. 2 to 4 players.",
  "planet-pioneer": "Build a colony card by card; mind the meteors and the neighbours. 2 to 4 players.",
  "universal-match": "Switch cards between boards and hands until three of them match. 2 to 6 players.",
};

const DRAWN = {
  "beam-me-up": () => html`<path d="M17 40 24 16h0l7 24z" fill="#7ce3ff" opacity=".55" /><ellipse cx="24" cy="15" rx="15" ry="5" fill="#9db4ff" /><path d="M16 13a8 6 0 0 1 16 0z" fill="#dff3ff" /><circle cx="24" cy="35" r="5" fill="#8fe39a" /><circle cx="22.2" cy="34.5" r="1.2" fill="#10231a" /><circle cx="25.8" cy="34.5" r="1.2" fill="#10231a" />`,
  "planet-pioneer": () => html`<path d="M4 38a22 14 0 0 1 40 0z" fill="#d8744a" /><path d="M13 31a9 9 0 0 1 18 0z" fill="#bfe6ff" /><path d="M22 22v9M17.5 23.5 16 31M26.5 23.5 28 31" stroke="#4a6f8f" stroke-width="1.2" fill="none" /><path d="M36 31V15m0 0 6 3-6 3" stroke="#ffd166" stroke-width="2" fill="none" />`,
  "universal-match": () => html`<rect x="6" y="12" width="15" height="24" rx="3" fill="#fff3d6" transform="rotate(-12 13 24)" /><rect x="17" y="10" width="15" height="26" rx="3" fill="#e7ecff" /><rect x="28" y="12" width="15" height="24" rx="3" fill="#ffe1e6" transform="rotate(12 35 24)" /><circle cx="24.5" cy="23" r="5" fill="#5a7cff" /><circle cx="12.5" cy="24" r="4" fill="#e39a3b" /><circle cx="36" cy="24" r="4" fill="#d3536b" />`,
};

export function GameMark({ game, large }) {
  return html`<svg class="mark ${large ? "large" : ""}" viewBox="0 0 48 48" aria-hidden="true">
    <rect width="48" height="48" rx="12" fill="#131c3b" />
    <g fill="#fff" opacity=".7"><circle cx="8" cy="9" r=".9" /><circle cx="39" cy="8" r="1.1" /><circle cx="43" cy="26" r=".8" /><circle cx="6" cy="27" r=".7" /></g>
    ${DRAWN[game]?.() || html`<circle cx="24" cy="24" r="11" fill="#7cc4ff" />`}
  </svg>`;
}
