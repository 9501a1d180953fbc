import type { Example, Page, Rule } from "@reflexion/core/internal/judge/rules/RuleBook"

/** The page of the rules. */
export const write: (
  rules: ReadonlyArray<Rule>,
  pageOf: (rule: Rule) => Page,
  linesOf: (events: Example["events"]) => ReadonlyArray<string>
) => string
