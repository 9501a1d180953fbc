/** Calls and words that go round and bring nothing new, and looking around that leads to nothing. */
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

/** What is said of a loop: the agent's to leave, whatever it says of it. */
export const ofLoop = (loop: Loop): Words => ({
  agent: `You ${toldOf(loop)}${called(loop)}`,
  user: `The agent ${toldOf(loop)}${called(loop)}`,
  next: nextOf(loop).join("\n")
})

type LoopRule = "loops/planning" | "loops/repeat"

/** The rule whose name a loop bears: by that it is turned up and down. */
export const nameOf = ({ pattern }: Loop): LoopRule => (pattern === "planning" ? "loops/planning" : "loops/repeat")

/** The loops that bear a rule's name. */
const loopsOf = (name: LoopRule, { loops }: Pick<Facts, "loops">): ReadonlyArray<Loop> =>
  loops.filter((loop) => nameOf(loop) === name)

type Seen = Pick<Facts, "evidence" | "task" | "taskType">

/** Whether next to nothing but looking around came of an order so far. Only a change that was ordered can be put off by reading. */
export const isPlanning = ({ evidence, task, taskType }: Seen): boolean =>
  taskType === "coding" &&
  isOrdered(task) &&
  task.mode !== "plan" &&
  unreadOf(evidence, task.since) === null &&
  onlyLooks(evidence)

/** It has listed steps of its own, has not taken them, and waits for nobody. */
const hasOwnPlan = ({ reading, stop }: Facts): boolean =>
  openTodos(stop).length > 0 && reading.closing !== "question" && reading.dependsOn === null

export const loopsPlanning = rule({
  id: "loops/planning",
  attended: "tell",
  unattended: "tell",
  what: "A change was ordered, and next to nothing came of it but looking around.",
  why: "Some models read on and on and never begin; what they have read is lost with the context.",
  // An answer after much reading may be what was wanted, unless the agent's own list says that it is none.
  check: (facts) =>
    isPlanning(facts) && (facts.reading.closing === "silent" || hasOwnPlan(facts))
      ? [{ severity: "LOW", stands: true, looks: facts.evidence.looking.looks }]
      : [],
  say: ({ looks }) => ({
    agent: `You looked around in ${looks} calls and changed next to nothing.`,
    user: `The last ${looks} looks around led to next to no change.`,
    next: "Stop reading and begin: make the first change now, run it, and go on from what it shows."
  })
})

const rounds = 3

/** Of the last calls. */
const share = 0.6

/** The same call failed again and again at the end, oftener than the user may have wanted it to be made. */
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

/** From so many on it is a loop, whatever is said of it. */
const tooMany = 5

/** The agent has run out of ways, which it would not have if it had tried another. */
const givesUp =
  /\bi(?:'m| am|'ve got| got|'ve gotten)\b[^.?!]{0,30}\bstuck\b|\b(?:(?:out of|no (?:more|further|other)) (?:ideas|options)|tried everything)\b/i

/** An agent that says that it failed has seen it, unless it gives up or tried too often for that. */
const isAdmitted = ({ evidence, reading, ...facts }: Facts): boolean =>
  reading.closing === "finished" &&
  evidence.repeats.count < tooMany &&
  tellsOfFailure(facts) &&
  !reading.prose.closing.slice(-6).some((said) => givesUp.test(said.slice(0, 400)))

export const loopsRepeat = rule({
  id: "loops/repeat",
  attended: "nudge",
  unattended: "nudge",
  what: "The same call, other than a wait for CI, a log or a server that is not up, failed three times at the end with nothing changed in between, or a silent agent repeats calls or words that bring nothing new.",
  why: "What fails three times fails a fourth time, and what is asked again with nothing changed gives the same answer, at the price of the tokens.",
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
          next: "Do not run it again as it is: name the cause by its error, and take a different approach."
        }
})
