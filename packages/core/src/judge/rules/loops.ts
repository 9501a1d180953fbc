/** Calls and words that go round and bring nothing new: loops by the rules whose names they bear, and what such a rule finds. */
import { oneLine, matchesAny } from "../../base/text/Text.ts"
import type { RuleName } from "../../session/config/RuleNames.ts"
import { onlyLooks } from "../../session/evidence/Evidence.ts"
import { type Facts, tellsOfFailure } from "../../session/facts/Facts.ts"
import type { Loop, LoopPattern } from "../../session/facts/Loop.ts"
import { nextOf, toldOf } from "../loops/Loops.ts"
import { roundsAsked } from "../loops/RequestedRepeats.ts"
import type { Finding, Rule } from "./model.ts"
import { finding, isOrdered } from "./shared.ts"

const named = ({ calls }: Loop): string => {
  const summaries = calls.map(({ summary, tool }) => (summary === "" ? tool : summary).replaceAll("`", "'"))
  return summaries.length === 0 ? "" : oneLine(`: ${summaries.map((text) => `\`${text}\``).join(", ")}`, 240)
}

/** A loop as a rule's finding: the agent's to leave, whatever it says of it. */
export const ofLoop = (loop: Loop): Finding => ({
  severity: "LOW",
  fact: `You ${toldOf(loop)}${named(loop)}`,
  missing: `The agent ${toldOf(loop)}${named(loop)}`,
  action: nextOf(loop).join("\n"),
  stands: true,
  calls: loop.callIds
})

const names = {
  planning: "loops/planning",
  same_result: "loops/same-result",
  failing_call: "loops/same-failing-call",
  cycle: "loops/rounds",
  monologue: "loops/same-words",
  context_error: "stop/service-error"
} as const satisfies Readonly<Record<Exclude<LoopPattern, "action">, RuleName>>

/** The rules that loops bear the names of. */
type LoopRule = (typeof names)[keyof typeof names]

/** The rule of a loop: one call among others is a repetition, several of them are rounds with something between. */
export const nameOf = ({ pattern, period }: Loop): LoopRule =>
  names[pattern === "action" ? (period === 1 ? "same_result" : "cycle") : pattern]

/** What is found of the loops that bear a rule's name. */
export const inLoop =
  (rule: LoopRule) =>
  ({ loops }: Pick<Facts, "loops">): ReadonlyArray<Finding> =>
    loops.filter((loop) => nameOf(loop) === rule).map(ofLoop)

type Seen = Pick<Facts, "evidence" | "task" | "taskType">

/** Only a change that was ordered can be put off by reading. */
const isToChange = ({ task, taskType }: Seen): boolean =>
  taskType === "coding" && isOrdered(task) && task.mode !== "plan"

/** Whether next to nothing but looking around came of an order so far. */
export const isPlanning = (seen: Seen): boolean => isToChange(seen) && onlyLooks(seen.evidence)

/** An answer after much reading may be what was wanted; a model can tell, and no rule. */
const planning = (facts: Facts): ReadonlyArray<Finding> =>
  facts.reading.closing === "silent" && isPlanning(facts)
    ? finding({
        fact: `You looked around in ${facts.evidence.looking.looks} calls and changed next to nothing.`,
        missing: `The last ${facts.evidence.looking.looks} looks around led to next to no change.`,
        action: "Stop reading and begin: make the first change now, run it, and go on from what it shows."
      })
    : []

export const loopsPlanning: Rule = {
  id: "loops/planning",
  attended: "ask",
  unattended: "push",
  what: "A change was ordered, and next to nothing came of it but looking around.",
  why: "Some models read on and on and never begin; what they have read is lost with the context.",
  stuck: true,
  check: planning
}

const rounds = 3

/** From so many on it is a loop, whatever is said of it. */
const tooMany = 5

/** Of the last calls. */
const share = 0.6

/** The same call failed again and again at the end, oftener than the user may have wanted it to be made. */
export const isRepeating = ({ evidence: { repeats }, task }: Facts): boolean =>
  repeats.count >= rounds &&
  repeats.count >= share * (repeats.count + (repeats.looks ?? 0)) &&
  repeats.count > roundsAsked(task) + 1

/** The agent has run out of ways, which it would not have if it had tried another. */
const givesUp: ReadonlyArray<RegExp> = [
  /\bi(?:'m| am|'ve got| got|'ve gotten)\b[^.?!]{0,30}\bstuck\b/i,
  /\b(?:(?:out of|no (?:more|further|other)) (?:ideas|options)|tried everything|i(?:'m| am)? giv(?:e|ing) up)\b/i,
  /\bi(?:'m| am|\b)[^.?!]{0,20}\b(?:don't know|do not know|not sure|no idea) (?:how|what|why)\b/i
]

/**
 * An agent that asks about it has seen it, and so has one that says that it failed, unless it was tried too often for that, or
 * the agent gives up on it and waits for nobody.
 */
const isAdmitted = ({ evidence, reading, ...facts }: Facts): boolean => {
  if (reading.closing === "question") return true
  if (reading.closing !== "finished" || evidence.repeats.count >= tooMany || !tellsOfFailure(facts)) return false
  const waits = reading.dependsOn !== null && reading.dependsOn.kind !== "blocked"
  return waits || !reading.prose.closing.slice(-6).some((said) => matchesAny(givesUp, said.slice(0, 400)))
}

const failures = ({ evidence: { repeats } }: Facts): string =>
  `\`${repeats.what.replaceAll("`", "'")}\` failed ${repeats.count} times${(repeats.looks ?? 0) === 0 ? " in a row" : ""}.`

/** The same error, whatever is asked in whatever names, counts as well. */
const alike = inLoop("loops/same-failing-call")

/** The looks between it are rounds with it, which have a rule of their own. */
const isOfRounds = ({ evidence, loops }: Facts): boolean =>
  (evidence.repeats.looks ?? 0) > 0 && loops.some((loop) => nameOf(loop) === "loops/rounds")

const sameFailingCall = (facts: Facts): ReadonlyArray<Finding> =>
  isRepeating(facts) && !isOfRounds(facts)
    ? [
        {
          severity: "LOW",
          fact: `${failures(facts)} You changed nothing in between.`,
          missing: `${failures(facts)} Nothing was changed in between.`,
          action: "Do not run it again as it is: name the cause by its error, and take a different approach.",
          stands: !isAdmitted(facts)
        }
      ]
    : alike(facts)

export const loopsSameFailingCall: Rule = {
  id: "loops/same-failing-call",
  attended: "ask",
  unattended: "push",
  what: "The same call failed three times at the end, and nothing was changed in between.",
  why: "What fails three times fails a fourth time, at the price of the tokens.",
  stuck: true,
  differently: true,
  check: sameFailingCall
}

export const loopsSameResult: Rule = {
  id: "loops/same-result",
  attended: "ask",
  unattended: "push",
  what: "The agent falls silent after it made the same call again and again, always with the same result.",
  why: "What is asked again with nothing changed gives the same answer, and some models ask until the context is full.",
  stuck: true,
  differently: true,
  check: inLoop("loops/same-result")
}

export const loopsRounds: Rule = {
  id: "loops/rounds",
  attended: "ask",
  unattended: "push",
  what: "The agent falls silent after it went through the same calls in turns, three rounds or more, with the same results.",
  why: "A round that brought nothing new brings nothing new the next time, and no single call in it looks like a repetition.",
  stuck: true,
  differently: true,
  check: inLoop("loops/rounds")
}

export const loopsSameWords: Rule = {
  id: "loops/same-words",
  attended: "ask",
  unattended: "push",
  what: "The agent falls silent after it said the same again and again, and did nothing in between.",
  why: "Some models fall into a chant and end there; a word is enough to have them go on with a tool.",
  stuck: true,
  differently: true,
  check: inLoop("loops/same-words")
}
