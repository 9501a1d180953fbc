/** The sentence in which a final text says that something was changed. */
import type { Prose } from "../../ground/text/AgentSentences.ts"
import { type Row, row, takes } from "../../ground/text/Rows.ts"

const own = row(
  "i|i've",
  /^(?:(?:done|fixed)[.!:,] )?i(?:'ve| have)?(?: now| also| just| successfully)? (?:fixed|added|implemented|updated|created|removed|refactored|changed|replaced|renamed|moved|wrote|written|deleted)\b/i,
  "I've added a flag",
  "I read the flag"
)

/** Further down it may tell of what others changed. */
const first: ReadonlyArray<Row> = [
  own,
  row(
    "ed",
    /^(?:fixed|added|implemented|updated|created|removed|refactored|changed|replaced|renamed|moved)\b(?! by| in v)/i,
    "Added a flag.",
    "Added by Ada."
  )
]

/** The sentence in which the text says that the agent changed something, if any. */
export const changeClaimed = (prose: Prose): string | null => {
  const said = prose.said.slice(0, 3).flat()
  const found = said.find(
    (sentence, at) => takes(at === 0 ? first : [own], sentence.slice(0, 200)) && !sentence.trimEnd().endsWith("?")
  )
  return found === undefined ? null : found.slice(0, 200)
}
