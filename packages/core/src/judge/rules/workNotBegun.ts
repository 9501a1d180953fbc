/** Work was ordered, and nothing of it was begun. */
import type { Known, Problem } from "../verdict/model.ts"
import { untouched } from "./shared.ts"

export const notBegun = (known: Known): ReadonlyArray<Problem> => {
  if (
    !untouched(known) ||
    known.reading.question !== null ||
    (known.reading.closing !== "finished" && known.reading.closing !== "hands_over")
  )
    return []
  const problem = {
    kind: "not_begun" as const,
    severity: "LOW" as const,
    missing: "the change that was asked for: nothing was changed",
    stands: true,
    level: "push" as const
  }
  if (known.reading.changeClaimed !== null) {
    return [
      {
        ...problem,
        severity: "HIGH",
        fact: `You wrote "${known.reading.changeClaimed}", but no edit and no command that changes anything is on record.`,
        action: "Make the change in the files, then check it."
      }
    ]
  }
  return known.reading.instructs
    ? [
        {
          ...problem,
          fact: "You told the user how to do what you were asked to do yourself.",
          action: "Make the change yourself with your tools, then check it."
        }
      ]
    : []
}
