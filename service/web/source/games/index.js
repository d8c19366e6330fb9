// Which module draws which game; a game without one is drawn from its view alone.

import beamMeUp from "./beam_me_up.js";
import planetPioneer from "./planet_pioneer.js";
import universalMatch from "./universal_match.js";
import generic from "./generic.js";

const MODULES = { "beam-me-up": beamMeUp, "planet-pioneer": planetPioneer, "universal-match": universalMatch };

export const moduleOf = (game) => MODULES[game] ?? generic;
