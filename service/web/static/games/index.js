// Which module draws which game; a game without one is drawn from its view alone.

const MODULES = {
  "beam-me-up": () => import("./beam_me_up.js"),
  "planet-pioneer": () => import("./planet_pioneer.js"),
  "universal-match": () => import("./universal_match.js"),
};

export const loadGame = async (game) => (await (MODULES[game] ?? (() => import("./generic.js")))()).default;
