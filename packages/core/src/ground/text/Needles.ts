/**
 * Finds in one pass which of many fixed words occur in a text, so that a large table of rules costs only the rules
 * that can apply.
 */

import { lazy } from "./Lazy.ts"

const escaped = (needle: string): string => needle.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")

const compiled = (all: ReadonlyArray<string>) => {
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

const matched = (known: Compiled, text: string): ReadonlySet<string> => {
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

/** After so many characters the expression has paid for its compilation; before, looking for each word costs less. */
const patience = 64 * 1024

export const needleFinder = (needles: () => Iterable<string>): ((text: string) => ReadonlySet<string>) => {
  const words = lazy(() => [...new Set(needles())])
  const known = lazy(() => compiled(words()))
  let searched = 0
  return (text) => {
    searched += text.length
    if (searched > patience) return matched(known(), text)
    return new Set(words().filter((word) => text.includes(word)))
  }
}
