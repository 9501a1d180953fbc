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
  return { all, pattern: new RegExp(longestFirst.map(escaped).join("|"), "g") }
}

export const needleFinder = (needles: () => Iterable<string>): ((text: string) => ReadonlySet<string>) => {
  const words = lazy(() => compiled(needles()))
  return (text) => {
    const { all, pattern } = words()
    const found = new Set<string>()
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match !== null && found.size < all.length; match = pattern.exec(text)) {
      found.add(match[0])
      pattern.lastIndex = match.index + 1
    }
    if (found.size === 0) return found
    // Of the words that start at one place only the longest was seen.
    return new Set(all.filter((needle) => found.has(needle) || [...found].some((word) => word.startsWith(needle))))
  }
}
