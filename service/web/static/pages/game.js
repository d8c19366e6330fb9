// The module and the catalogue's facts of a game.

import { useEffect, useState } from "../vendor/htm-preact.js";
import { catalogue } from "../lib/api.js";
import { loadGame } from "../games/index.js";

/** `{module, facts}` once both are there; a game that this server does not have any more has no facts. */
export function useGame(name) {
  const [found, set] = useState(null);
  useEffect(() => {
    let isCurrent = true;
    Promise.all([loadGame(name), catalogue(name).catch(() => null)]).then(
      ([module, facts]) => isCurrent && set({ module, facts }),
    );
    return () => {
      isCurrent = false;
    };
  }, [name]);
  return found;
}
