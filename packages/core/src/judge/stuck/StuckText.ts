/** Whether a final text has a word for a failure. */
import type { Prose } from "../../ground/text/AgentSentences.ts"
import { type Row, row, takes } from "../../ground/text/Rows.ts"

/** In whatever way: what excuses may be wide. */
const failure: ReadonlyArray<Row> = [
  row(
    "fail|error|broke|crash|time|exit|warn|conflict|den|refus|miss|skip|unable|instead|not found",
    /\b(?:fail\w*|error\w*|broken?|crash\w*|timed? ?out|exit\w*|warning|conflict\w*|denied|refused|missing|skipp\w*|unable|instead|not found)\b/i,
    "the push was refused",
    "the push went through"
  ),
  row(
    "n't|not",
    /\b(?:(?:could|did|does|is|was|ca|wo)n't|(?:could|did|does|is|was|can) ?not)\b/i,
    "it could not be pushed",
    "nothing is left"
  ),
  row(
    "no ",
    /\bno (?:\w+ ){0,3}(?:found|match\w{0,3}|left|results?|uses?|such)\b/i,
    "there is no such branch",
    "no time was lost"
  )
]

/** Whether the text has a word for a failure. */
export const speaksOfFailure = (prose: Prose): boolean => takes(failure, prose.said.flat().join("\n").slice(-6000))
