/**
 * Extracts literal texts from a regular expression. Every match contains at least one of them. If a text contains none,
 * the expression need not be compiled. Compiling takes a hundred times as long as one run.
 */

type Texts = ReadonlyArray<string>

/** `before` has the texts of the earlier alternatives, `best` those of the current one. A look-ahead adds no text. */
interface Group {
  readonly isAhead: boolean
  before: Texts | null
  best: Texts | null
}

const least = (texts: Texts | null): number => (texts === null ? 0 : Math.min(...texts.map(({ length }) => length)))

const endAlternative = (one: Group): void => {
  one.before = one.before === null || one.best === null ? null : [...one.before, ...one.best]
  one.best = null
}

/** Returns the end of the element at a position, for example of a character class. */
const endOf = (source: string, at: number): number => {
  const sign = source[at]
  if (sign === "{") return source.indexOf("}", at) + 1
  if (sign === "\\") return at + ({ u: 6, x: 4 }[source[at + 1] ?? ""] ?? 2)
  if (sign !== "[") return at + 1
  let end = at + 1
  while (end < source.length && source[end] !== "]") end += source[end] === "\\" ? 2 : 1
  return end + 1
}

const special = "\\[](){}.^$|?*+"

/** Null if no text is certain. */
export const literalsOf = ({ flags, source }: RegExp): Texts | null => {
  if (/[iuv]/.test(flags)) return null
  const outer: Array<Group> = []
  let here: Group = { isAhead: false, before: [], best: null }
  const offer = (texts: Texts | null): void => {
    if (least(texts) > least(here.best)) here.best = texts
  }
  for (let at = 0; at < source.length;) {
    const sign = source[at] ?? ""
    let end = at
    while (end < source.length && !special.includes(source[end] ?? "")) end++
    if (end > at) {
      const isMaybe = "?*{".includes(source[end] ?? "/")
      offer([source.slice(at, isMaybe ? end - 1 : end)])
      at = end
    } else if (sign === "(") {
      outer.push(here)
      const begin = /\((?:\?(?:<\w+>|<?[=!]|:))?/y
      begin.lastIndex = at
      const [text = sign] = begin.exec(source) ?? []
      here = { isAhead: /[=!]$/.test(text), before: [], best: null }
      at += text.length
    } else if (sign === ")") {
      endAlternative(here)
      const { before, isAhead } = here
      here = outer.pop() ?? here
      if (!isAhead && !/^(?:[?*]|\{0)/.test(source.slice(at + 1, at + 3))) offer(before)
      at++
    } else {
      if (sign === "|") endAlternative(here)
      at = endOf(source, at)
    }
  }
  endAlternative(here)
  return here.before
}
