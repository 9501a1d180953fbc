/** What the last words themselves show: a step announced, a text cut off, work handed to the user or left. */
import * as Evidence from "../../session/evidence/Evidence.ts"
import { isOrder } from "../../session/task/Intent.ts"
import { overlaps } from "../../ground/text/Text.ts"
import type { Known, Problem } from "../verdict/model.ts"
import { isProved } from "./shared.ts"

/** "I'll run the tests myself" */
const runByUser =
  /\bi(?:'ll| will|'m going to| am going to| can)(?: then| later| just)? (?:run|test|execute|check|try|verify|build)\b/i

/** What is handed over is the agent's own: it changed code and left the check of it, or it was asked to run that itself. */
const handedOverTask = (known: Known): boolean =>
  !runByUser.test(known.task.message.slice(0, 2000)) &&
  known.evidence.actions > 0 &&
  known.evidence.denied.length === 0 &&
  (known.reading.handsOver?.confirm === true
    ? known.taskType === "coding" && known.evidence.exercised < Evidence.lastEdit(known.evidence, ["source", "test"])
    : isOrder(known.task.message) &&
      overlaps(
        (known.reading.handsOver?.text ?? "").replaceAll(/\b(?:run|please|don't forget)\b/gi, ""),
        known.task.message
      ) &&
      /\b(?:run|apply|execute|start|install|migrate|deploy|build)\b/i.test(known.task.message.slice(0, 1000)))

export const textProblems = (known: Known): ReadonlyArray<Problem> => {
  const { reading } = known
  const low = { severity: "LOW" as const }
  switch (reading.closing) {
    case "announces":
      return [
        {
          kind: "announced",
          ...low,
          fact: "You announced a next step and stopped before taking it.",
          missing: "the step that the final text announces",
          action: "Take the step that you announced.",
          stands: true,
          level: "push"
        }
      ]
    case "cut_off":
      if (known.stop.completed === true && isProved(known)) return []
      return [
        {
          kind: "cut_off",
          ...low,
          fact: "Your last message was cut off.",
          missing: "the rest of the final message",
          action: "Go on from where the message was cut off.",
          stands: true,
          level: "push"
        }
      ]
    case "hands_over":
      return [
        {
          kind: "handed_over",
          ...low,
          fact: `You asked the user to do what you can do yourself: "${reading.handsOver?.text ?? ""}"`,
          missing: `a step handed to the user: "${reading.handsOver?.text ?? ""}"`,
          action: "Run it yourself and report what it prints.",
          stands: handedOverTask(known),
          level: "push"
        }
      ]
    case "left_work":
      return [
        {
          kind: "left_work",
          ...low,
          fact: `You wrote that work is left: "${reading.leftWork[0] ?? ""}"`,
          missing: reading.leftWork[0] ?? "work that the final text says is left",
          action: "Finish what you say is left, or say why it cannot be done now.",
          stands: (known.task.intent === "act" || known.task.wantsAll) && known.evidence.actions > 0,
          level: "push"
        }
      ]
    default:
      return []
  }
}
