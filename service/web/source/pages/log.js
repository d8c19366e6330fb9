// The log in words.

import { Component, html, useEffect, useRef } from "../vendor/htm-preact.js";
import { withNames } from "../lib/words.js";

export const entryWords = (entry, names) => withNames(entry.summary || "", names);

/** One entry; drawn anew only when something about it changes, since a log may be long. */
class Row extends Component {
  shouldComponentUpdate(next) {
    return ["entry", "names", "rich", "isCurrent", "onJump"].some((name) => next[name] !== this.props[name]);
  }

  render({ entry, names, rich, isCurrent, onJump }) {
    const words = entryWords(entry, names) || "–";
    const body = html`<span class="log-version">${entry.version}</span><span class="log-words">${rich ? rich(words) : words}</span>`;
    return html`<li class=${entry.seat === undefined ? "" : `by-${entry.seat % 6}`} aria-current=${isCurrent ? "step" : undefined}>
      ${onJump ? html`<button class="log-jump" onClick=${() => onJump(entry.version)}>${body}</button>` : body}
    </li>`;
  }
}

/** Entries in words, the newest at the end and in sight; `onJump(version)` makes each a button. */
export function Log({ entries, names, rich, current, onEarlier, onJump }) {
  const list = useRef(null);
  const pinned = useRef(true);
  useEffect(() => {
    const box = list.current;
    if (!box) return;
    if (onJump) {
      const row = box.querySelector('[aria-current="step"]');
      if (row) box.scrollTop = row.offsetTop - box.clientHeight / 2;
    } else if (pinned.current) box.scrollTop = box.scrollHeight;
  }, [entries.length, current]);
  const scrolled = (event) => {
    const box = event.target;
    pinned.current = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  };
  const shown = onJump ? entries : entries.filter((entry) => entry.version <= current);
  return html`<div class="log">
    <h2>Log</h2>
    ${onEarlier && html`<button class="small quiet" onClick=${onEarlier}>Show earlier moves</button>`}
    <ol ref=${list} onScroll=${scrolled} tabindex="0" aria-label="What happened, the newest last">
      ${shown.map(
        (entry) => html`<${Row} key=${entry.version} entry=${entry} names=${names} rich=${rich} isCurrent=${entry.version === current} onJump=${onJump} />`,
      )}
    </ol>
  </div>`;
}
