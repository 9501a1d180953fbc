import type * as Rules from "@reflexion/core/internal/judge/rules/Rules"

/** Returns the page of the rules. */
export const write: (all: Pick<typeof Rules, "rules">) => string
