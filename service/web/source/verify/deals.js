// How a shuffle of each game becomes the cards of its event: written down here, so that a record is all one needs.

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const flat = (lists) => lists.flat();

const ALIENS = flat(["A", "E", "F", "W"].map((kind) => range(1, 14).map((number) => `${kind}${number}`)));
const UNIVERSAL = flat([..."GSM7654321"].map((rank) => [..."EJMNSV"].map((suit) => rank + suit)));

const PIONEER = {
  oxygen: 3, water: 3, crops: 3, shelter: 3, solar_panel: 3, storage: 3, rover: 3,
  greenhouse: 3, workshop: 3, landing_pad: 3, comms_tower: 3, medical_bay: 3, defense_battery: 3,
  laboratory: 3, mine: 3, power_plant: 3, habitat_dome: 3, force_field: 3,
  factory: 3, observatory: 3, school: 3, water_works: 3,
  spaceport: 3, research_centre: 3, hospital: 3, city_hall: 3, terraformer: 3,
  alien_visit: 6, alien_attack: 5, meteor_strike: 7, meteor_cap: 5,
};

function pioneerDeck(options) {
  const counts = Array.isArray(options.deck)
    ? Object.fromEntries(options.deck.map(({ name, copies }) => [name, copies]))
    : PIONEER;
  return flat(Object.keys(counts).sort().map((name) => Array(counts[name]).fill(name)));
}

/** Cut the front of an order into hands of `size`, seat after seat; the rest is the pile. */
const chunks = (order, seats, size) => ({
  hands: range(0, seats - 1).map((seat) => order.slice(seat * size, (seat + 1) * size)),
  pile: order.slice(seats * size),
});

/** One card at a time to each seat, beginning at the dealer's left. */
function inTurn(order, seats, size, dealer) {
  const hands = range(0, seats - 1).map(() => []);
  for (let at = 0; at < seats * size; at += 1) hands[(dealer + 1 + at) % seats].push(order[at]);
  return { hands, pile: order.slice(seats * size) };
}

/**
 * For each game: `deck(options)` in card order, `deals` by event type (`split`, where the pile stands, and the pick
 * that goes before), and whether names alone give the card order.
 */
export const GAMES = {
  "beam-me-up": {
    deck: () => ALIENS,
    deal: "cards_dealt",
    split: (order, seats) => chunks(order, seats, 4),
    pile: (event) => event.pile,
    pick: (event) => ["dealer", event.dealer],
  },
  "planet-pioneer": {
    deck: pioneerDeck,
    deal: "cards_dealt",
    split: (order, seats) => chunks(order, seats, 5),
    pile: (event) => event.pile,
    pick: (event, options) => (options.first_seat === null ? ["first_seat", event.first_seat] : null),
  },
  "universal-match": {
    deck: () => UNIVERSAL,
    deal: "hand_dealt",
    split: (order, seats, event) => inTurn(order, seats, 6, event.dealer),
    pile: (event) => event.stock,
    pick: (event) => (event.hand_number === 1 ? ["dealer", event.dealer] : null),
  },
};

/** Cards of a reshuffle in card order: the deck's. */
export function inCardOrder(deck, cards) {
  const places = new Map();
  deck.forEach((card, at) => places.has(card) || places.set(card, at));
  return [...cards].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}
