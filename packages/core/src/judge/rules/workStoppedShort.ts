/** The agent says that it stopped before the end. */
import { readProse } from "../../ground/text/AgentSentences.ts"
import type { Known, Problem } from "../verdict/model.ts"
import { leftOut } from "./shared.ts"

const stopsShort =
  /\b(?:if you want,? i can (?:keep|continue|go on|start|take|do)|unless you want (?:me )?to|reasonable (?:place|point) to stop|good (?:place|point) to stop|(?:remaining|still open|next) (?:items?|work|steps?|tasks?)|want me to (?:keep|continue)|i can keep (?:going|pushing|working))\b/i

/** Told to go on until everything is done, the agent stops and names what it could do next. */
export const stoppedShort = (known: Known): ReadonlyArray<Problem> => {
  if (!known.task.wantsAll || known.evidence.calls === 0) return []
  const quote = readProse(known.stop.spokeLast ? known.stop.text : "")
    .closing.slice(-6)
    .find((sentence) => stopsShort.test(sentence.slice(0, 400)))
  if (quote === undefined) return []
  return leftOut(quote.slice(0, 200), [
    "You were told to go on until everything is done, and stopped with work that you name yourself",
    "work that the agent names and was told to go on with",
    "Go on with the next open item; stop only when all are done or something blocks you."
  ])
}
