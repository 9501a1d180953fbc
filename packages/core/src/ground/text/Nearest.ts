const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j++) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** The candidate that a misspelt word most likely means, or null when none is near. */
export const nearest = (word: string, candidates: ReadonlyArray<string>): string | null => {
  const given = word.slice(0, 64).toLowerCase()
  let best: { readonly candidate: string; readonly distance: number } | null = null
  for (const candidate of candidates) {
    const steps = distance(given, candidate.toLowerCase())
    const near = steps <= Math.max(2, Math.floor(candidate.length / 3))
    if (near && (best === null || steps < best.distance)) best = { candidate, distance: steps }
  }
  return best?.candidate ?? null
}
