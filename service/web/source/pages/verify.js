// Verify a record in the browser: from a file, or that of a finished table.

import { html, useEffect, useRef, useState } from "../vendor/htm-preact.js";
import { api, get, newKey } from "../lib/api.js";
import { navigate } from "../lib/router.js";
import { ErrorNote, Heading, Loading, needPlayer, useAction, usePage } from "../lib/ui.js";
import { BOT_TITLES, plural, spoken, winnerWords } from "../lib/words.js";
import { gameTitle } from "../games/marks.js";
import { WrongRecord, checkRecord } from "../verify/record.js";

const STEPS = [
  ["form", "Every line is whole and canonical", "Nothing is missing, nothing is written in another way."],
  ["chain", "The hash chain holds", "Each entry's hash covers its content and the entry before it."],
  ["commitment", "The secret is the promised one", "SHA-256 of the revealed secret is the commitment that stood in the first entry, before anyone sat down."],
  ["facts", "Header and outcome are what the entries say", "Game, options, seats and result."],
  ["shuffles", "Every shuffle follows from the secret", "Deals, reshuffles and lots recomputed."],
];
const MEDIA = "application/vnd.starledger.record+jsonl";

export default function Verify({ query }) {
  usePage("Verify a record");
  const [bytes, setBytes] = useState(null);
  const [source, setSource] = useState("");
  const [error, setError] = useState(null);
  const table = query.get("table");
  useEffect(() => {
    if (!table) return;
    setError(null);
    get(`/v1/tables/${encodeURIComponent(table)}/record`, { raw: true, headers: { Accept: `${MEDIA}, application/problem+json` } })
      .then((answer) => answer.arrayBuffer())
      .then((buffer) => {
        setBytes(new Uint8Array(buffer));
        setSource("this server's record of the table");
      })
      .catch(setError);
  }, [table]);
  const take = async (file) => {
    if (!file) return;
    setError(null);
    setBytes(new Uint8Array(await file.arrayBuffer()));
    setSource(file.name);
  };
  return html`<${Heading}>Verify a record<//>
    <p class="muted prose">
      A record holds every card and every move of a finished table. Your browser checks it by itself; nothing is sent
      anywhere unless you ask for it.
    </p>
    <label class="panel drop" onDragOver=${(event) => event.preventDefault()} onDrop=${(event) => (event.preventDefault(), take(event.dataTransfer.files[0]))}>
      <b>Choose a record (.slr.jsonl)</b>
      <span class="muted">or drop it here</span>
      <input type="file" accept=".jsonl,.slr.jsonl,application/jsonl" onChange=${(event) => take(event.target.files[0])} />
    </label>
    <${ErrorNote} error=${error} />
    ${table && !bytes && !error && html`<${Loading}>Fetching the record<//>`}
    ${bytes && html`<${Report} key=${source + bytes.length} bytes=${bytes} source=${source} />`}`;
}

function Report({ bytes, source }) {
  const [state, setState] = useState({ step: "form" });
  const heading = useRef();
  useEffect(() => {
    let isCurrent = true;
    setState({ step: "form" });
    checkRecord(bytes, (step) => isCurrent && setState({ step })).then(
      (found) => isCurrent && setState({ found }),
      (reason) => {
        if (!isCurrent) return;
        setState(reason instanceof WrongRecord ? { wrong: reason } : { wrong: new WrongRecord(1, "It can't be read as a record.", { check: "form" }) });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [bytes]);
  useEffect(() => {
    if (state.found || state.wrong) heading.current?.focus();
  }, [Boolean(state.found || state.wrong)]);
  const { found, wrong, step } = state;
  const failedAt = wrong && STEPS.findIndex(([name]) => name === wrong.check);
  const verdict = found ? "This record checks out" : wrong ? "This record is refused" : "Checking";
  return html`<section class="panel verdict ${found ? "good" : wrong ? "bad" : ""}" aria-labelledby="verdict" aria-busy=${String(!found && !wrong)}>
    <h2 id="verdict" tabindex="-1" ref=${heading}><span aria-hidden="true">${found ? "✓" : wrong ? "✗" : "…"}</span> ${verdict}</h2>
    <p class="muted">${source}, ${plural(bytes.length, "byte")}</p>
    ${wrong &&
    html`<div class="note bad" role="alert">
      <span><b>${wrong.entry ? `Entry ${wrong.entry}` : "The file"}</b> (line ${wrong.line}): ${wrong.message}</span>
    </div>`}
    <ol class="checks">
      ${STEPS.map(([name, title, text], at) => {
        const now = found ? "good" : wrong ? (at < failedAt ? "good" : at === failedAt ? "bad" : "open") : at < STEPS.findIndex(([each]) => each === step) ? "good" : "open";
        return html`<li class=${now} key=${name}>
          <span class="check-mark" aria-hidden="true">${{ good: "✓", bad: "✗", open: "–" }[now]}</span>
          <span><b>${title}</b><span class="sr">: ${{ good: "right", bad: "wrong", open: "not checked" }[now]}</span><br /><span class="muted small-text">${text}</span></span>
        </li>`;
      })}
    </ol>
    ${found && html`<${Details} found=${found} bytes=${bytes} />`}
  </section>`;
}

function Details({ found, bytes }) {
  const { header, entries, outcome, names, shuffles } = found;
  const seatNames = header.seats.map((seat) => names[seat.player] ?? (seat.bot ? `${BOT_TITLES[seat.bot] ?? spoken(seat.bot)} bot` : `Seat ${seat.seat + 1}`));
  return html`<dl class="generic">
      <div><dt>Game</dt><dd>${gameTitle(header.game)}, ${plural(entries.length, "entry", "entries")}</dd></div>
      <div><dt>Outcome</dt><dd>${winnerWords(outcome, seatNames)}, ${outcome.scores.join(" to ")}</dd></div>
      <div><dt>Shuffles</dt><dd>
        ${shuffles === null
          ? "This page does not know the decks of this game; its shuffles were not recomputed."
          : html`<ul class="plain">${shuffles.map(({ entry, k, cards, kind, pick }) => html`<li>Shuffle ${k} (${kind} of ${cards} cards, entry ${entry})${pick ? `, and the ${pick.replace("_", " ")} drawn by lot` : ""} ✓</li>`)}</ul>`}
        ${found.isFork ? "The table is a fork: what was dealt before it rests on another table's secret." : ""}
      </dd></div>
      <div><dt>Head hash</dt><dd><code class="hash">${found.head}</code></dd></div>
    </dl>
    <p class="small-text muted">
      Nothing was changed since the record was written, and no deal was arranged. Who wants to be sure that the server has
      not written another one compares the head hash with one noted earlier: its first 16 digits stand in the ETag of each
      answer about the table. Names stand outside the chain.
    </p>
    <${ServerSide} bytes=${bytes} />`;
}

/** What needs the rules is the server's to do, and only if asked. */
function ServerSide({ bytes }) {
  const [report, setReport] = useState(null);
  const [check, checking, checkError] = useAction(async () => {
    setReport(await api("POST", "/v1/records/verify", { body: bytes, type: MEDIA, headers: { "Idempotency-Key": newKey() } }));
  });
  const [take, taking, takeError] = useAction(async () => {
    if (!(await needPlayer())) return;
    const table = await api("POST", "/v1/records", { body: bytes, type: MEDIA });
    navigate(`/tables/${table.id}/replay`);
  });
  const good = report?.valid;
  return html`<div class="row">
      <button disabled=${checking} onClick=${check}>Let the server check every move against the rules</button>
      <button disabled=${taking} onClick=${take}>Import and replay</button>
    </div>
    ${report && html`<p role="status" class="note ${good ? "" : "bad"}">${good ? "The server has replayed it: every move is legal." : `The server refuses it: ${report.first_wrong?.reason ?? "see the report"}.`}</p>`}
    <${ErrorNote} error=${checkError || takeError} />`;
}
