/** The rules whose names loops bear, so that whoever is told of one can look it up and turn it off. */
import type { Loop } from "../../session/facts/Loop.ts"
import { stopServiceError } from "./host.ts"
import {
  type LoopRule,
  loopsPlanning,
  loopsRounds,
  loopsSameFailingCall,
  loopsSameResult,
  loopsSameWords,
  nameOf,
  ofLoop
} from "./loops.ts"
import type { Found, Rule } from "./model.ts"
import { type Levels, levelOf } from "./Rules.ts"

const rules: Readonly<Record<LoopRule, Rule>> = {
  "loops/planning": loopsPlanning,
  "loops/same-result": loopsSameResult,
  "loops/same-failing-call": loopsSameFailingCall,
  "loops/rounds": loopsRounds,
  "loops/same-words": loopsSameWords,
  "stop/service-error": stopServiceError
}

/** The levels in force, and whether somebody is there. */
export interface LevelsHere extends Levels {
  readonly attended: boolean
}

/** A loop as its rule finds it, and how far that goes. */
export const foundLoop = (loop: Loop, levels: LevelsHere): Found => {
  const rule = rules[nameOf(loop)]
  return { ...ofLoop(loop), rule, level: levelOf(rule, levels, levels.attended) }
}

const isOff = (loop: Loop, levels: LevelsHere): boolean =>
  levelOf(rules[nameOf(loop)], levels, levels.attended) === "off"

/** Whether it is the other loop once more, seen by how often each call was made. */
const isWithin = ({ calls, pattern }: Loop, other: Loop): boolean =>
  pattern === "action" &&
  calls.every(({ summary, tool }) => other.calls.some((call) => call.tool === tool && call.summary === summary))

/** The loops whose rule is not turned off. */
export const named = (loops: ReadonlyArray<Loop>, levels: LevelsHere): ReadonlyArray<Loop> => {
  const off = loops.filter((loop) => isOff(loop, levels))
  return loops.filter((loop) => !off.some((other) => other === loop || isWithin(loop, other)))
}
