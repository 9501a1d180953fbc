/** A loop under the name of its rule, so that a user can look it up and turn it off. */
import type { Loop } from "../../session/facts/Loop.ts"
import { loopsPlanning, loopsRepeat, nameOf, ofLoop } from "./loops.ts"
import type { Found } from "./model.ts"
import { type Levels, levelOf } from "./Rules.ts"

/** The levels in force, and whether somebody is there. */
export interface LevelsHere extends Levels {
  readonly attended: boolean
}

const byName = { "loops/planning": loopsPlanning, "loops/repeat": loopsRepeat }

/** A loop as its rule finds it, and how far that goes. */
export const foundLoop = (loop: Loop, levels: LevelsHere): Found => {
  const rule = byName[nameOf(loop)]
  const level = levelOf(rule, levels, levels.attended)
  return { severity: "LOW", stands: true, calls: loop.callIds, ...ofLoop(loop), rule, level }
}

/** The loops whose rule is not turned off. */
export const named = (loops: ReadonlyArray<Loop>, levels: LevelsHere): ReadonlyArray<Loop> =>
  loops.filter((loop) => foundLoop(loop, levels).level !== "off")
