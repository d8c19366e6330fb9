// From the list of legal commands to a choice by parts. No rule stands here: what can be picked is what is listed.
//
// A game says which parts make up a command, as tokens ("hand:F7", "cell:1:0,3"). The parts may be picked in any order;
// lit is what some command still has beside those picked.

import { useMemo, useState } from "../vendor/htm-preact.js";

const has = (command, tokens) => tokens.every((token) => command.tokens.has(token));

/**
 * Choose among `commands`. Gives `{state, toggle, ready, actions, clear, picked}`:
 * `state(token)` is "no", "may" (begins anew), "can" (fits what is picked) or "picked"; `ready` is the command that is
 * complete; `actions` are complete with one press of a button, as `{token, command}`.
 */
export function usePicker(commands, tokensOf, isSet, version) {
  const all = useMemo(
    () =>
      commands
        .filter((command) => command.type !== "resign" && !command.type.endsWith("_clock"))
        .map((command) => ({ command, tokens: new Set(tokensOf(command)) })),
    [commands],
  );
  // What is picked belongs to a version: at the next one nothing is, from its first drawing on.
  const [choice, choose] = useState({ version, tokens: [] });
  const picked = choice.version === version ? choice.tokens : [];
  const setPicked = (tokens) => choose({ version, tokens });

  const live = picked.filter((token) => all.some((command) => command.tokens.has(token)));
  const fits = all.filter((command) => has(command, live));
  const known = useMemo(() => new Set(all.flatMap((command) => [...command.tokens])), [all]);
  const lit = new Set(fits.flatMap((command) => [...command.tokens]));
  const ready = live.length ? fits.find((command) => command.tokens.size === live.length)?.command ?? null : null;

  const state = (token) =>
    live.includes(token) ? "picked" : lit.has(token) ? "can" : known.has(token) ? "may" : "no";

  /** Pick or unpick a part; gives the command where picking the last part again means "do it". */
  const toggle = (token) => {
    if (live.includes(token)) {
      if (ready && live.at(-1) === token && !isSet?.(ready)) return ready;
      setPicked(live.filter((each) => each !== token));
      return null;
    }
    let kept = [];
    for (const each of [...live].reverse()) {
      if (all.some((command) => has(command, [token, each, ...kept]))) kept = [each, ...kept];
    }
    setPicked([...kept, token]);
    const complete = all.filter((command) => has(command, [...kept, token]));
    const done = complete.find((command) => command.tokens.size === kept.length + 1)?.command ?? null;
    return done && complete.length === 1 && !isSet?.(done) ? { complete: done } : null;
  };

  const actions = fits
    .map(({ command, tokens }) => {
      const open = [...tokens].filter((token) => !live.includes(token));
      return open.length === 1 && open[0].startsWith("act:") ? { token: open[0], command } : null;
    })
    .filter(Boolean);

  return { state, toggle, ready, actions, picked: live, clear: () => setPicked([]), any: all.length > 0, all, fits: fits.map(({ command }) => command) };
}
