/** The rules whose names loops bear, so that whoever is told of one can look it up and turn it off. */
import type { Loop } from "../../session/facts/Loop.ts"
import { nameOf, ofLoop } from "./loops.ts"
import type { Found } from "./model.ts"
import { byName, type Levels, levelOf } from "./Rules.ts"

/** The levels in force, and whether somebody is there. */
export interface LevelsHere extends Levels {
  readonly attended: boolean
}

/** A loop as its rule finds it, and how far that goes. */
export const foundLoop = (loop: Loop, levels: LevelsHere): Found => {
  const rule = byName[nameOf(loop)]
  return { ...ofLoop(loop), rule, level: levelOf(rule, levels, levels.attended) }
}

const isOff = (loop: Loop, levels: LevelsHere): boolean =>
  levelOf(byName[nameOf(loop)], levels, levels.attended) === "off"

/** Whether it is the other loop once more, seen by how often each call was made. */
const isWithin = ({ calls, pattern }: Loop, other: Loop): boolean =>
  pattern === "action" &&
  calls.every(({ summary, tool }) => other.calls.some((call) => call.tool === tool && call.summary === summary))

/** The loops whose rule is not turned off. */
export const named = (loops: ReadonlyArray<Loop>, levels: LevelsHere): ReadonlyArray<Loop> => {
  const off = loops.filter((loop) => isOff(loop, levels))
  return loops.filter((loop) => !off.some((other) => other === loop || isWithin(loop, other)))
}
