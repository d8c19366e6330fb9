// The module and the catalogue's facts of a game.

import { useEffect, useState } from "../vendor/htm-preact.js";
import { catalogue } from "../lib/api.js";
import { moduleOf } from "../games/index.js";

/** `{module, facts}` once the facts are there; a game that this server does not have any more has none. */
export function useGame(name) {
  const [found, set] = useState(null);
  useEffect(() => {
    let isCurrent = true;
    catalogue(name)
      .catch(() => null)
      .then((facts) => isCurrent && set({ module: moduleOf(name), facts }));
    return () => {
      isCurrent = false;
    };
  }, [name]);
  return found;
}
