import type * as Rules from "@reflexion/core/internal/judge/rules/Rules"

export const write: (all: Pick<typeof Rules, "rules">) => string
