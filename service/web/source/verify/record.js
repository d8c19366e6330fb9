// Check a record from its bytes alone: form, hash chain, commitment, every shuffle, header and outcome.
//
// What the rules allow is not checked here; the server and `starledger verify` do that.

import { canonical } from "./canonical.js";
import { chosenSeed, drawnSeed, picked, shuffled } from "./chance.js";
import { GAMES, inCardOrder } from "./deals.js";
import { hex, joined, sha256, unhex, utf8 } from "./hash.js";

/** A record is wrong: at which line, in which entry, and what. */
export class WrongRecord extends Error {
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

/** A name as people read it, in one line; that of who was deleted is empty. */
const isName = (name) => name === "" || (/^.{1,40}$/su.test(name) && !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(name) && /[^\p{Z}\p{C}]/u.test(name));

/** The fields of each kind of line, all of them and no other, with how they are written (docs/records/schemas). */
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

/** What is wrong with the fields of a line, in words; nothing where all is well. */
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

/** The line in which the first wrong byte stands. */
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

/** Who sat where at the start, and the entropies, folded from the table's own events. */
function seatsOf(created, events) {
  const seats = created.seats.map(({ seat }) => ({ seat }));
  for (const event of events) {
    if (event.type === "seat_taken") seats[event.seat] = event;
    if (event.type === "seat_left") seats[event.seat] = { seat: event.seat };
  }
  return seats;
}

/** The ids of all who made the table, sat there, or had a seat reserved. */
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

/**
 * Check a record. Gives `{header, entries, checks, shuffles, names}`; throws `WrongRecord`.
 * `onStep(name)` is told what is being looked at.
 */
export async function checkRecord(bytes, onStep = () => {}) {
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
