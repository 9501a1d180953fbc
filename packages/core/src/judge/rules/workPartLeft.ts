/** A part that was asked for is put off. */
import { isOrder } from "../../session/task/Intent.ts"
import { overlaps } from "../../ground/text/Text.ts"
import type { Known, Problem } from "../verdict/model.ts"
import { leftOut } from "./shared.ts"

/** A part that the user leaves for another time, or asks about, is not left out. */
const putOff =
  /\b(?:later|tomorrow|for now|at a time|batch(?:es)?|skip|leave|only|first|start|begin|(?:one|two|some|half) of|(?:yet|still \w+) to be|(?:phase|step|part|stage|milestone) (?:\d{1,2}|one|two|three|[a-d]))\b/i

/** "If you want steps, we'd need to …", where the user's message asks for the steps. */
export const deferredProblems = (known: Known): ReadonlyArray<Problem> => {
  const { deferred, closing, unfinished } = known.reading
  if (known.evidence.actions === 0 || closing !== "finished") return []
  const { message } = known.task
  const lowered = message.toLowerCase()
  const found =
    deferred.find(({ what }) => what.length > 3 && lowered.includes(what)) ??
    unfinished
      .filter((text) => message.length <= 600 && isOrder(message) && !putOff.test(message) && overlaps(text, message))
      .map((text) => ({ text }))[0]
  if (found === undefined) return []
  return leftOut(found.text, [
    "You left out what was asked for",
    "what was asked for and left out",
    "Do the part that you left out, or say why it cannot be done."
  ])
}
