/** Nothing is found and nobody waited for: done, as far as evidence goes. */
import * as DoneWhen from "../../session/donewhen/Conditions.ts"
import { contentWords, oneLine, overlaps } from "../../base/text/Text.ts"
import type { Facts, GateFact } from "../../session/facts/Facts.ts"
import { isCheck } from "../../session/vocabulary/GateTable.ts"
import type { Outcome } from "./model.ts"
import { abstained, done, unread, waiting } from "./outcomes.ts"
import { isOrdered, isProved } from "../rules/Rules.ts"
import { acted } from "./whoseTurn.ts"

/** Nothing is on record that changes anything, and nothing that may have. */
const isIdle = (facts: Facts): boolean => !acted(facts) && !facts.evidence.opaque && facts.evidence.delegated === 0

/** An order, and an answer and edits that have not one word of it: perhaps another task was done. */
const isBeside = ({ evidence, reading, stop, task }: Facts): boolean => {
  const paths = evidence.edits.map((edit) => edit.path.replaceAll(/[^A-Za-z]+/g, " "))
  return (
    task.message.length <= 400 &&
    isOrdered(task) &&
    contentWords(task.message).size > 2 &&
    stop.text.length > 60 &&
    reading.english &&
    !overlaps(`${stop.text.slice(-3500)} ${paths.join(" ").slice(0, 500)}`, task.message)
  )
}

/** An order that was not begun, and that the last words offer to carry out. */
const offersTheTask = (facts: Facts): string | null => {
  const { question } = facts.reading
  if ((question?.kind !== "offer" && question?.kind !== "extra") || !isOrdered(facts.task) || !isIdle(facts))
    return null
  return overlaps(question.text, facts.task.message) ? question.text : null
}

/** It shows nothing of the change, or the check had failed before: then the agent's word is not enough. */
const needsProof = ({ gate, run }: GateFact, { evidence, task }: Facts): boolean =>
  run !== null &&
  (run.besides !== undefined ||
    (isCheck(gate) &&
      evidence.runs.some(
        (other) =>
          other.gate === gate && other.result === "failed" && other.turn >= task.since && other.order < run.order
      )))

/** A required check of which nobody can say how it went: the agent's word counts where it did run to its end. */
const untold = (gate: GateFact, facts: Facts): Outcome =>
  gate.run?.completed === true &&
  !needsProof(gate, facts) &&
  facts.reading.claims.some((claim) => claim.gate === gate.gate && claim.outcome === "passed")
    ? done(0.6, `The agent reports ${gate.gate} as passed; the record cannot prove it (${gate.detail}).`)
    : abstained(`It cannot be told how ${gate.gate} went: ${gate.detail}.`)

/** By the checks that ran, whether or not anybody asked for them. */
const byChecks = (facts: Facts): Outcome => {
  const { gates } = facts
  if (gates.some((gate) => gate.advised))
    return done(
      0.55,
      "The agent finished what was asked; code was changed and nothing was run since, which nobody asked for."
    )
  const red = gates.find((gate) => gate.result === "failed")
  if (red !== undefined) {
    const asked = red.required ? "was asked for, and reported as it is" : "which nobody asked for and the agent leaves"
    return done(red.required ? 0.75 : 0.5, `The agent finished; ${red.gate} failed (${red.detail}), ${asked}.`)
  }
  const passed = gates.filter((gate) => gate.result === "passed").map((gate) => gate.gate)
  if (passed.length > 0) return done(0.8, `The agent finished, and ${passed.join(", ")} passed after the last edit.`)
  return acted(facts)
    ? done(0.65, "The agent finished what was asked; no check was asked for and none failed.")
    : done(0.6, "The agent answered; no check was asked for.")
}

/**
 * A condition of the user's that nothing shows: one in words, which no run can tell of, and, with nobody there to look, one whose
 * command was not run.
 */
const unprovedIn = ({ attended, doneWhen, evidence, gates, task }: Facts) =>
  task.intent !== "act" && evidence.edits.length === 0
    ? undefined
    : doneWhen.find(
        (item) =>
          item.command === null ||
          (!attended && !gates.some(({ gate, result }) => gate === DoneWhen.gateOf(item) && result === "passed"))
      )

/** Complete, or what keeps evidence from saying so. */
export const asDone = (facts: Facts): Outcome => {
  const { reading, task, taskType } = facts
  const offer = offersTheTask(facts)
  if (offer !== null) return waiting(`The agent offers to do what was asked for: ${offer}`, 0.7)
  const required = facts.gates.filter((gate) => gate.required)
  const unknown = required.find((gate) => gate.result === "unknown")
  if (unknown !== undefined) return untold(unknown, facts)
  const unproved = unprovedIn(facts)
  if (unproved !== undefined)
    return abstained(
      unproved.command === null
        ? `Nothing that ran tells of "${oneLine(unproved.text, 120)}", by which you call it done.`
        : `It cannot be told whether \`${unproved.command}\` passes, by which you call it done.`
    )
  const isWhole = facts.stop.completed === true && isProved(facts)
  if (reading.closing === "undecided" || (reading.closing === "cut_off" && !isWhole)) return unread
  if (required.length > 0 && required.every((gate) => gate.result === "passed"))
    return done(
      0.9,
      `Everything that was required is proved: ${required.map(({ gate }) => `${gate} passed`).join(", ")}.`
    )
  if (taskType === "research") return done(0.7, "A question was asked and answered; nothing was to be changed.")
  const isWork = taskType === "coding" || (taskType === "ops" && facts.evidence.calls === 0 && isOrdered(task))
  if (task.intent === "act" && isWork && task.mode !== "plan" && isIdle(facts))
    return abstained("A change was asked for and none was made: whether the answer is enough, evidence cannot tell.")
  return isBeside(facts)
    ? abstained(
        "The answer and the changes share no word with the task: whether the right thing was done, evidence cannot tell."
      )
    : byChecks(facts)
}
