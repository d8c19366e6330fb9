// Tournaments: the list, a new one, one of them.

import { html } from "../vendor/htm-preact.js";
import { TournamentList } from "../tournaments/list.js";
import { NewTournament } from "../tournaments/create.js";
import { TournamentPage } from "../tournaments/one.js";

export default function Tournaments({ id, query }) {
  if (!id) return html`<${TournamentList} query=${query} />`;
  if (id === "new") return html`<${NewTournament} query=${query} />`;
  return html`<${TournamentPage} id=${id} query=${query} />`;
}
