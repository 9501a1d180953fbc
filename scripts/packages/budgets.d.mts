/** By package and by the file's name: the most bytes. */
export const budgets: Readonly<Record<"@reflexion/opencode", Readonly<Record<string, number>>>>
