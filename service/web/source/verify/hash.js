// SHA-256 and HMAC: the browser's own where it gives them (secure addresses), else written out.

const subtle = globalThis.crypto?.subtle;

export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
export const utf8 = (text) => new TextEncoder().encode(text);

export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export async function sha256(bytes) {
  return subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : plainSha256(bytes);
}

export async function hmac(key, bytes) {
  if (!subtle) return plainHmac(key, bytes);
  const made = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", made, bytes));
}

function fractions(count, root) {
  const found = [];
  for (let n = 2; found.length < count; n += 1) {
    let isPrime = true;
    for (let d = 2; d * d <= n; d += 1) if (n % d === 0) isPrime = false;
    if (isPrime) found.push(Math.floor((n ** (1 / root) % 1) * 2 ** 32));
  }
  return Uint32Array.from(found);
}

const START = fractions(8, 2);
const ROUND = fractions(64, 3);

/** FIPS 180-4. */
export function plainSha256(bytes) {
  const length = bytes.length;
  const padded = new Uint8Array(((length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(padded.length - 4, (length << 3) >>> 0);
  const state = Uint32Array.from(START);
  const w = new Uint32Array(64);
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(at + i * 4);
    for (let i = 16; i < 64; i += 1) {
      const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i += 1) {
      const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + w[i]) | 0;
      const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => {
      state[i] += value;
    });
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((value, i) => out.setUint32(i * 4, value));
  return new Uint8Array(out.buffer);
}

export function plainHmac(key, bytes) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? plainSha256(key) : key);
  const inner = plainSha256(joined(block.map((byte) => byte ^ 0x36), bytes));
  return plainSha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}
