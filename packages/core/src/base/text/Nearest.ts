/** How many letters must be added, removed or replaced. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries())
      next.push(Math.min((row[j] ?? 0) + (letter === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    row = next
  }
  return row.at(-1) ?? 0
}

/** Null if no candidate is similar. */
export const nearest = (word: string, candidates: ReadonlyArray<string>): string | null => {
  const given = word.slice(0, 64).toLowerCase()
  const near = candidates
    .map((candidate) => ({ candidate, steps: distance(given, candidate.toLowerCase()) }))
    .filter(({ candidate, steps }) => steps <= Math.max(2, Math.floor(candidate.length / 3)))
  return near.toSorted((one, other) => one.steps - other.steps)[0]?.candidate ?? null
}
