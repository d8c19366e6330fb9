// Frames of a replay, fetched in parts around where one looks, and kept.

import { get } from "./api.js";

const PART = 40;

export class Frames {
  #parts = new Map();

  constructor(table, eyes) {
    this.path = `/v1/tables/${encodeURIComponent(table)}`;
    this.eyes = eyes;
  }

  #part(number) {
    if (!this.#parts.has(number)) {
      const from = number * PART + 1;
      const asked = get(`${this.path}/replay?as=${this.eyes}&from=${from}&limit=${PART}`).then(({ items }) => {
        const found = new Map(items.map((frame) => [frame.version, frame]));
        this.#parts.set(number, found);
        return found;
      });
      asked.catch(() => this.#parts.delete(number));
      this.#parts.set(number, asked);
    }
    return this.#parts.get(number);
  }

  /** The frame if it is there already. */
  now(version) {
    const part = this.#parts.get(Math.floor((version - 1) / PART));
    return part instanceof Map ? part.get(version) : undefined;
  }

  async at(version, last) {
    const number = Math.floor((version - 1) / PART);
    const part = await this.#part(number);
    if (version % PART > PART - 10 && (number + 1) * PART < last) this.#part(number + 1);
    return part.get(version);
  }

  /** The whole log in words. */
  async log(last) {
    const entries = [];
    while (entries.length < last) {
      const { items } = await get(`${this.path}/events?as=${this.eyes}&after=${entries.length}&limit=200`);
      if (!items.length) break;
      entries.push(...items);
    }
    return entries;
  }
}
