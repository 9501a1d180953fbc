/** Whether a final text has a word for a failure. */
import type { Prose } from "../../base/text/Sentences.ts"
import { matchesAny } from "../../base/text/Text.ts"

/** In whatever way: what excuses may be wide. */
const failure: ReadonlyArray<RegExp> = [
  /\b(?:fail\w*|error\w*|broken?|crash\w*|timed? ?out|exit\w*|warning|conflict\w*|denied|refused|missing|skipp\w*|unable|instead|not found)\b/i,
  /\b(?:(?:could|did|does|is|was|ca|wo)n't|(?:could|did|does|is|was|can) ?not)\b/i,
  /\bno (?:\w+ ){0,3}(?:found|match\w{0,3}|left|results?|uses?|such)\b/i
]

/** Whether the text has a word for a failure. */
export const speaksOfFailure = (prose: Prose): boolean => matchesAny(failure, prose.said.flat().join("\n").slice(-6000))
