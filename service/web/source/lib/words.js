// Names, times and outcomes in words.

import { clockSkew } from "./api.js";

export const BOT_TITLES = { random: "Random", easy: "Easy", greedy: "Greedy", hard: "Hard", expert: "Expert" };

export const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : "");
/** `first_seat` as "First seat", `advanced_a` as "Advanced A". */
export const spoken = (name) => capital(String(name).replace(/_/g, " ").replace(/ ([a-z])$/, (_, letter) => ` ${letter.toUpperCase()}`));
export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** The name of who sits there; equal names get the seat's number behind them. */
export function seatNames(seats) {
  const plain = seats.map((seat) => {
    if (seat.player?.name) return seat.player.name;
    if (seat.kind === "ai") return `${BOT_TITLES[seat.bot] || spoken(seat.bot)} bot`;
    return `Seat ${seat.seat + 1}`;
  });
  return plain.map((name, at) =>
    plain.some((other, where) => where !== at && other === name) ? `${name} (${at + 1})` : name,
  );
}

/** A summary of the API, with names in the place of "Seat 0". */
export function withNames(summary, names) {
  const named = (whole, seat) => names[Number(seat)] ?? whole;
  const seated = (whole, seat) => `${named(whole, seat)} sits down`;
  return summary.replace(/\b[Ss]eat (\d+) is taken by (?:a player|the bot \w+)/g, seated).replace(/\b[Ss]eat (\d+)\b/g, named);
}

const UNITS = [
  [60, 1, "second"],
  [3600, 60, "minute"],
  [86400, 3600, "hour"],
  [7 * 86400, 86400, "day"],
];

/** "5 minutes ago", "in 2 hours"; beyond a week the time itself. */
export function ago(time) {
  const seconds = (Date.parse(time) - Date.now() - clockSkew()) / 1000;
  const [, size, unit] = UNITS.find(([below]) => Math.abs(seconds) < below) ?? [];
  if (!unit) return exactTime(time);
  const count = Math.round(Math.abs(seconds) / size);
  if (count === 0) return "now";
  return seconds < 0 ? `${plural(count, unit)} ago` : `in ${plural(count, unit)}`;
}

let exact = null;

/** The time in full; what makes it is dear, and so made only when it is wanted. */
export function exactTime(time) {
  exact ??= new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  return exact.format(new Date(time));
}

export function duration(seconds) {
  if (seconds % 86400 === 0) return plural(seconds / 86400, "day");
  if (seconds % 3600 === 0) return plural(seconds / 3600, "hour");
  if (seconds % 60 === 0) return plural(seconds / 60, "minute");
  return plural(seconds, "second");
}

/** Seconds as `1:05`, or `2:03:00`. */
export function clockFace(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const two = (n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

export function clockWords(clock) {
  if (!clock) return "No clock";
  if (clock.kind === "turn") return `${duration(clock.seconds)} a move`;
  return `${duration(clock.seconds)} each${clock.increment ? `, ${plural(clock.increment, "second")} back a move` : ""}`;
}

const REASONS = {
  all_racers: "All Space Racers are launched",
  cap_tricks: "1,500 tricks were played",
  cap_no_launch: "Nobody launched for 300 tricks",
  grid_full: "A colony is complete",
  cap_stall: "Nobody laid a card for three rounds",
  cap_rounds: "60 rounds were played",
  target_reached: "The target was reached",
  one_hand: "The hand is over",
  cap_hands: "50 hands were played",
  resignation: "All others gave up",
};
export const reasonWords = (reason) => REASONS[reason] || spoken(reason);

export const WAIT_WORDS = {
  not_enough_entrants: "It can't start yet",
  waiting_for_check_in: "Not all have checked in",
  waiting_for_start: "It starts by itself",
  waiting_for_organiser: "Ready to start",
  round_to_be_paired: "The next round is coming",
  tables_to_be_made: "The tables are coming",
  waiting_for_results: "Tables are played",
  paused: "Paused",
};

export const TIE_WORDS = {
  head_to_head: "Head to head",
  buchholz: "Buchholz",
  sonneborn_berger: "Sonneborn-Berger",
  wins: "Wins",
  second_places: "Second places",
  total_score: "Total score",
  lot: "Lot",
};

export const STATUS_WORDS = {
  open: "Waiting for players",
  playing: "Being played",
  finished: "Finished",
  aborted: "Called off",
};

export function listWords(parts, last = "and") {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${last} ${parts.at(-1)}`;
}

export function placeWords(place) {
  return `${place}${["th", "st", "nd", "rd"][place % 100 > 10 && place % 100 < 14 ? 0 : place % 10] || "th"}`;
}

/** "Ada wins." or "Ada and Bo share the win." */
export function winnerWords(outcome, names) {
  const winners = outcome.winners.map((seat) => names[seat]);
  if (!winners.length) return "Nobody wins.";
  return winners.length === 1 ? `${winners[0]} wins` : `${listWords(winners)} share the win`;
}
