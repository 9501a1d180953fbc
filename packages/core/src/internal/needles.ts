/**
 * Finds in one pass which of many fixed words occur in a text, so that a large table of rules costs only the rules
 * that can apply.
 *
 * @since 0.1.0
 */

import { lazy } from "./lazy.ts"

const escaped = (needle: string): string => needle.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")

const compiled = (needles: Iterable<string>) => {
  const all = [...new Set(needles)]
  const longestFirst = all.toSorted((left, right) => right.length - left.length)
  return {
    all,
    begun: new Map<string, ReadonlyArray<string>>(),
    pattern: new RegExp(longestFirst.map(escaped).join("|"), "g")
  }
}

type Compiled = ReturnType<typeof compiled>

/** Of the words that start at one place only the longest is seen: the others are those that it begins with. */
const begunBy = ({ all, begun }: Compiled, word: string): ReadonlyArray<string> => {
  const known = begun.get(word) ?? all.filter((needle) => word.startsWith(needle))
  begun.set(word, known)
  return known
}

export const needleFinder = (needles: () => Iterable<string>): ((text: string) => ReadonlySet<string>) => {
  const words = lazy(() => compiled(needles()))
  return (text) => {
    const known = words()
    const { all, pattern } = known
    const found = new Set<string>()
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match !== null && found.size < all.length; match = pattern.exec(text)) {
      found.add(match[0])
      pattern.lastIndex = match.index + 1
    }
    for (const word of found) for (const needle of begunBy(known, word)) found.add(needle)
    return found
  }
}
