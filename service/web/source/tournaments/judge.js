// The organiser's word on a game: how it ended, and why.

import { html, useState } from "../vendor/htm-preact.js";
import { post } from "../lib/api.js";
import { ErrorNote, Modal, useAction } from "../lib/ui.js";
import { placeWords } from "../lib/words.js";

/** A button that opens a window with a place for each seat; `game` as `GET …/rounds/{n}` shows it. */
export function Judge({ cup, game, names }) {
  const [isOpen, open] = useState(false);
  const title = game.result ? "Correct the result" : "Decide the game";
  const who = game.seats.map((entry) => names[entry]).join(", ");
  return html`<button class="small judge-button" aria-haspopup="dialog" onClick=${() => open(true)}>${title.split(" ")[0]}<span class="sr">: ${title.toLowerCase()}, ${who}</span></button>
    ${isOpen &&
    html`<${Modal} title=${title} onClose=${() => open(false)}>
      ${({ close }) => html`<${Form} cup=${cup} game=${game} names=${names} close=${close} />`}
    <//>`}`;
}

function Form({ cup, game, names, close }) {
  const [places, setPlaces] = useState(() => game.result?.places ?? game.seats.map(() => 1));
  const [forfeits, setForfeits] = useState(() => game.result?.forfeits ?? []);
  const [reason, setReason] = useState("");
  const [judge, busy, error] = useAction(async (event) => {
    event.preventDefault();
    await post(`${cup.path}/tables/${game.id}/result`, { places, forfeits, scores: game.result?.scores ?? [], reason: reason.trim() });
    close();
    cup.read();
  });
  const place = (seat) => (event) => setPlaces(places.map((old, at) => (at === seat ? Number(event.target.value) : old)));
  const forfeit = (seat) => (event) =>
    setForfeits(event.target.checked ? [...forfeits, seat].sort() : forfeits.filter((each) => each !== seat));
  return html`<form class="stack" onSubmit=${judge}>
    <p class="muted small-text">Equal places share their points. Standings and ratings follow; pairings that were made stay.</p>
    <ol class="seat-list">
      ${game.seats.map(
        (entry, seat) => html`<li key=${entry}>
          <span class="grow">${names[entry]}</span>
          <select class="narrow" aria-label=${`Place of ${names[entry]}`} value=${places[seat]} onChange=${place(seat)}>
            ${game.seats.map((_, at) => html`<option value=${at + 1} selected=${places[seat] === at + 1}>${placeWords(at + 1)}</option>`)}
          </select>
          <label class="check"><input type="checkbox" checked=${forfeits.includes(seat)} onChange=${forfeit(seat)} /> forfeit<span class="sr"> of ${names[entry]}</span></label>
        </li>`,
      )}
    </ol>
    <label class="field"><span>Reason, for all to read</span><input required maxlength="200" value=${reason} onInput=${(event) => setReason(event.target.value)} /></label>
    <${ErrorNote} error=${error} />
    <div class="row end">
      <button type="button" class="quiet" onClick=${close}>Back</button>
      <button type="submit" class="primary" disabled=${busy || !reason.trim()}>Set this result</button>
    </div>
  </form>`;
}
