/** Rules for loops: repeated calls or messages that bring nothing new, and reading without a change. */
import { oneLine } from "../../base/text/Text.ts"
import { onlyLooks, unreadOf } from "../../session/evidence/Evidence.ts"
import { type Facts, tellsOfFailure } from "../../session/facts/Facts.ts"
import type { Loop } from "../../session/facts/Loop.ts"
import { openTodos } from "../../session/stop/StopSignal.ts"
import { nextOf, toldOf } from "../loops/Loops.ts"
import { roundsAsked } from "../loops/RequestedRepeats.ts"
import { isOrdered } from "./asked.ts"
import { type Finding, rule, type Words } from "./model.ts"

const called = ({ calls }: Loop): string => {
  const summaries = calls.map(({ summary, tool }) => (summary === "" ? tool : summary).replaceAll("`", "'"))
  return summaries.length === 0 ? "" : oneLine(`: ${summaries.map((text) => `\`${text}\``).join(", ")}`, 240)
}

/** Puts a loop into words for the agent and the user. */
export const ofLoop = (loop: Loop): Words => ({
  agent: `You ${toldOf(loop)}${called(loop)}`,
  user: `The agent ${toldOf(loop)}${called(loop)}`,
  next: nextOf(loop).join("\n")
})

type LoopRule = "loops/planning" | "loops/repeat"

/** Returns the rule that a loop belongs to. The rule's level applies to it. */
export const nameOf = ({ pattern }: Loop): LoopRule => (pattern === "planning" ? "loops/planning" : "loops/repeat")

const loopsOf = (name: LoopRule, { loops }: Pick<Facts, "loops">): ReadonlyArray<Loop> =>
  loops.filter((loop) => nameOf(loop) === name)

type Seen = Pick<Facts, "evidence" | "task" | "taskType">

/** True if a code change was ordered and the agent has done almost nothing but read so far. */
export const isPlanning = ({ evidence, task, taskType }: Seen): boolean =>
  taskType === "coding" &&
  isOrdered(task) &&
  task.mode !== "plan" &&
  unreadOf(evidence, task.since) === null &&
  onlyLooks(evidence)

/** True if the agent has open todos of its own and is not waiting for anyone. */
const hasOwnPlan = ({ reading, stop }: Facts): boolean =>
  openTodos(stop).length > 0 && reading.closing !== "question" && reading.dependsOn === null

export const loopsPlanning = rule({
  id: "loops/planning",
  attended: "tell",
  unattended: "tell",
  what: "A change was ordered, but the agent did almost nothing except look around.",
  why: "Some models keep reading and never begin. What they read is lost with the context.",
  // After a lot of reading, an answer may be what the user wanted. Open todos of the agent show that it is not.
  check: (facts) =>
    isPlanning(facts) && (facts.reading.closing === "silent" || hasOwnPlan(facts))
      ? [{ severity: "LOW", stands: true, looks: facts.evidence.looking.looks }]
      : [],
  say: ({ looks }) => ({
    agent: `You looked around in ${looks} calls and changed almost nothing.`,
    user: `In the last ${looks} calls the agent looked around and changed almost nothing.`,
    next: "Stop reading and begin: make the first change now, run it, and continue from the result."
  })
})

const rounds = 3

/** The call's failures must be at least this share of the last calls. */
const share = 0.6

/** True if the same call fails again and again at the end, and more often than the user asked for. */
const isRepeating = ({ evidence: { repeats }, task }: Facts): boolean =>
  repeats.count >= rounds &&
  repeats.count >= share * (repeats.count + (repeats.looks ?? 0)) &&
  repeats.count > roundsAsked(task) + 1

interface Failures extends Finding {
  readonly what: string
  readonly count: number
  readonly inRow: boolean
}

interface Rounds extends Finding {
  readonly loop: Loop
}

const failures = ({ count, inRow, what }: Failures): string =>
  `\`${what.replaceAll("`", "'")}\` failed ${count} times${inRow ? " in a row" : ""}.`

/** A call that failed this often is always a loop, even if the agent reports the failure. */
const tooMany = 5

/** Matches if the agent says that it has no more ideas. A nudge to try another approach may still help it. */
const givesUp =
  /\bi(?:'m| am|'ve got| got|'ve gotten)\b[^.?!]{0,30}\bstuck\b|\b(?:(?:out of|no (?:more|further|other)) (?:ideas|options)|tried everything)\b/i

/**
 * True if the agent reports the failure itself. False if the agent gives up or has tried too often.
 */
const isAdmitted = ({ evidence, reading, ...facts }: Facts): boolean =>
  reading.closing === "finished" &&
  evidence.repeats.count < tooMany &&
  tellsOfFailure(facts) &&
  !reading.prose.closing.slice(-6).some((said) => givesUp.test(said.slice(0, 400)))

export const loopsRepeat = rule({
  id: "loops/repeat",
  attended: "nudge",
  unattended: "nudge",
  what: "The same call failed three times at the end, with nothing changed in between; a wait for CI, a log or a server does not count. Or a silent agent repeats calls or words that bring nothing new.",
  why: "A call that failed three times fails a fourth time. An unchanged call gives the same answer again and costs tokens.",
  check: (facts): ReadonlyArray<Failures | Rounds> => {
    const { repeats } = facts.evidence
    const found = loopsOf("loops/repeat", facts).map((loop): Rounds => ({
      severity: "LOW",
      stands: true,
      loop,
      calls: loop.callIds
    }))
    if (!isRepeating(facts)) return found
    const { count, looks = 0, what } = repeats
    return isAdmitted(facts) ? [] : [{ severity: "LOW", stands: true, what, count, inRow: looks === 0 }]
  },
  say: (found) =>
    "loop" in found
      ? ofLoop(found.loop)
      : {
          agent: `${failures(found)} You changed nothing in between.`,
          user: `${failures(found)} Nothing was changed in between.`,
          next: "Do not run the same call again unchanged: find the cause in the error, and take a different approach."
        }
})
