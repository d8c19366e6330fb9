// Sitting down, with fresh bytes of one's own for the deal (docs/fairness.md).

import { post } from "../lib/api.js";
import { needPlayer } from "../lib/ui.js";

const entropy = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24)))).replace(/\+/g, "-").replace(/\//g, "_");

/** Take a seat, or the first free one; null where the person would rather have no name. */
export async function sitDown(table, seat) {
  if (!(await needPlayer())) return null;
  return post(`/v1/tables/${table.id}/seats`, {
    ...(seat === undefined ? {} : { seat }),
    ...(table.fairness?.chosen_seed ? {} : { entropy: entropy() }),
  });
}
