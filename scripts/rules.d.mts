import type * as RuleBook from "@reflexion/core/internal/judge/rules/RuleBook"

/** The page of the rules. */
export const write: (
  book: Pick<typeof RuleBook, "earned" | "pageOf" | "rules">,
  linesOf: (events: RuleBook.Example["events"]) => ReadonlyArray<string>
) => string
