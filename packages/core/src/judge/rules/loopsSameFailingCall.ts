/** The same call fails again and again, and nothing is changed in between. */
import { type Facts, tellsOfFailure } from "../../session/facts/Facts.ts"
import { roundsAsked } from "../loops/RequestedRepeats.ts"
import { matchesAny } from "../../ground/text/Text.ts"
import { inLoop, nameOf } from "./inLoop.ts"
import type { Finding, Rule } from "./model.ts"

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
 * Whoever asks about it has seen it, and so has whoever says that it failed, unless it was tried too often for that, or the
 * agent gives up on it and waits for nobody.
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

const check = (facts: Facts): ReadonlyArray<Finding> =>
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
  anew: true,
  check
}
