/** A final text that is a plan of the agent's own steps. */
import type { Prose } from "../../ground/text/AgentSentences.ts"
import { type Row, row, takes } from "../../ground/text/Rows.ts"
import { isHeading, isListItem, plain } from "../../ground/text/Text.ts"
import { itemsBelow, othersHead } from "./ListedSteps.ts"

/** What stands above the list of steps. */
const heads: ReadonlyArray<Row> = [
  row(
    "plan|approach|strategy",
    /(?:^|\b(?:here's|here is|this is|below is|my|the|a|our|detailed|proposed|\w{4,16}ation)\s)(?:plan|approach|strategy)\b[^.!?]{0,80}:?$/i,
    "here is my plan:",
    "the plan was wrong."
  ),
  row(
    "i'll|i will|i'm going to|i am going to|i need to|i plan to",
    /^(?:to [^.:!?]{3,120}, )?(?:here(?:'s| is) )?(?:what |(?:the )?steps )?i(?:'ll| will|'m going to| am going to| need to| plan to)\b[^.!?]{0,80}:$/i,
    "to add it, i will:",
    "i will add it."
  )
]

/** A word to whoever reads the plan, or a condition on it: it may wait for an answer. */
const holds: ReadonlyArray<Row> = [
  row(
    "you|approv|confirm|agree|feedback|thoughts|objection|comment|correction|review|permission",
    /\b(?:you\w*|approv\w+|confirm\w*|agree\w*|feedback|thoughts|objections?|comments?|corrections?|review\w*|permission)\b/i,
    "tell me what you think",
    "then the tests"
  ),
  row(
    "if|once|unless|until|pending|before|ready|say|type|reply|tell|let me|wait|hold|stop|pause|go-|green",
    /\b(?:if|once|unless|until|pending|before i|ready|say|type|reply|tell me|let me (?:know|hear)|wait\w*|hold\w*|stop here|pause|go-ahead|green light)\b/i,
    "ready when needed",
    "then the tests"
  )
]

/** Whether a text is a plan of the agent's own steps; one that is `held` may wait for a word of the user's. */
export const readPlan = (prose: Prose): "plain" | "held" | null => {
  const lines = prose.paragraphs.flat()
  const at = lines.findIndex((line) => takes(heads, plain(line).slice(0, 200)))
  if (at < 0) return null
  const below = lines.slice(at + 1)
  if (itemsBelow(below).length < 2) return null
  const rest = below.filter((line) => !isListItem(line) && !line.startsWith(" ") && !isHeading(line))
  const around = `${lines.slice(0, at).join(" ").slice(-1000)} ${rest.join(" ").slice(0, 2000)}`
  if (takes(holds, around) || /["“”?]/.test(around)) return "held"
  return rest.length <= 3 && !othersHead.test(around.slice(0, 600)) ? "plain" : null
}
