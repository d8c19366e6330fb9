// From a revealed secret to every shuffle (docs/fairness.md).

import { hmac, joined, sha256, unhex, utf8 } from "./hash.js";
import { canonical } from "./canonical.js";

const bigEndian = (number) => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
};

/** The seed of a table whose secret the server drew. */
export const drawnSeed = (secret, table, entropy) =>
  sha256(joined(unhex(secret), utf8(canonical([table, entropy]))));

/** The seed, and secret, of a table whose creator chose it. */
export const chosenSeed = (text) => sha256(joined(utf8("starledger/chosen/1"), utf8(text)));

/** Numbers below n out of the stream of blocks behind a prefix. */
function numbers(seed, prefix) {
  let words = [];
  let block = 0;
  return async (n) => {
    const limit = 2 ** 32 - (2 ** 32 % n);
    for (;;) {
      if (!words.length) {
        const bytes = await hmac(seed, joined(prefix, bigEndian(block)));
        block += 1;
        const view = new DataView(bytes.buffer, bytes.byteOffset);
        words = Array.from({ length: 8 }, (_, at) => view.getUint32(at * 4));
      }
      const x = words.shift();
      if (x < limit) return x % n;
    }
  };
}

/** The cards, given in card order, in the order of shuffle k. */
export async function shuffled(seed, k, cards) {
  const below = numbers(seed, joined(utf8("shuffle"), bigEndian(k)));
  const order = [...cards];
  for (let i = order.length - 1; i > 0; i -= 1) {
    const j = await below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

export const picked = (seed, purpose, below) =>
  numbers(seed, joined(utf8("pick"), utf8(purpose), new Uint8Array(1)))(below);
