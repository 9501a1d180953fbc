/**
 * Proves that every match of an expression has one of some words: the expression becomes an automaton, which is run side by
 * side with one that has seen how much of a word; a way to the end that completes no word is a text that refutes it.
 */
import { type Node, parse } from "./regexps.ts"

interface Edge {
  readonly to: number
  /** Null where nothing is read. */
  readonly atom: string | null
}

/** Assertions are left out: whatever holds without them holds with them. */
const automaton = (source: string, flags: string): { readonly edges: Array<Array<Edge>>; readonly end: number } => {
  const edges: Array<Array<Edge>> = [[]]
  const fresh = (): number => edges.push([]) - 1
  const link = (from: number, to: number, atom: string | null = null): void => {
    edges[from]?.push({ to, atom })
  }
  const walk = (node: Node, from: number): number => {
    switch (node.kind) {
      case "set": {
        const to = fresh()
        link(from, to, node.atom)
        return to
      }
      case "sequence":
        return node.items.reduce((at, item) => walk(item, at), from)
      case "choice": {
        const to = fresh()
        for (const option of node.options) link(walk(option, from), to)
        return to
      }
      case "repeat": {
        let at = from
        for (let round = 0; round < node.min; round++) at = walk(node.body, at)
        const to = fresh()
        link(at, to)
        if (node.max === Infinity) {
          const again = fresh()
          link(at, again)
          link(walk(node.body, again), to)
          link(to, again)
        } else {
          for (let round = node.min; round < node.max; round++) {
            at = walk(node.body, at)
            link(at, to)
          }
        }
        return to
      }
      default:
        return from
    }
  }
  return { edges, end: walk(parse(source, flags), 0) }
}

/** What of the end of a text may become a word; null once one is complete. */
const reader = (words: ReadonlyArray<string>) => {
  const prefixes = new Set(words.flatMap((word) => [...word].map((_, at) => [...word].slice(0, at + 1).join(""))))
  const known = new Map<string, string | null>()
  return (seen: string, char: string): string | null => {
    const key = `${seen}\u0000${char}`
    const before = known.get(key)
    if (before !== undefined) return before
    let rest = seen + char
    const complete = words.some((word) => rest.endsWith(word))
    while (rest !== "" && !prefixes.has(rest)) rest = [...rest].slice(1).join("")
    const now = complete ? null : rest
    known.set(key, now)
    return now
  }
}

/** Stands for every character that no word has. */
const other = "\uffff"

const probes = Array.from({ length: 0x2800 }, (_, code) => String.fromCharCode(code))

/** As a guard reads a text. */
const lowered = (char: string): string => char.toLowerCase().replaceAll("ſ", "s")

/** The letters of the words, and `other`, that an atom of an expression takes. */
const taker = (letters: ReadonlySet<string>, flags: string) => {
  const strangers = probes.filter((char) => !letters.has(lowered(char)))
  const forms = new Map([...letters].map((letter) => [letter, probes.filter((char) => lowered(char) === letter)]))
  const known = new Map<string, ReadonlyArray<string>>()
  return (atom: string): ReadonlyArray<string> => {
    const before = known.get(atom)
    if (before !== undefined) return before
    const one = new RegExp(`^(?:${atom})$`, flags.replaceAll(/[gy]/g, ""))
    const taken = [...letters].filter((letter) => [letter, ...(forms.get(letter) ?? [])].some((char) => one.test(char)))
    const all = strangers.some((char) => one.test(char)) ? [...taken, other] : taken
    known.set(atom, all)
    return all
  }
}

/** A text that the expression may match and that has none of the words; null where there is none. */
export const matchWithout = (expression: RegExp, words: ReadonlyArray<string>): string | null => {
  const { edges, end } = automaton(expression.source, expression.flags)
  const next = reader(words)
  const takes = taker(new Set(words.flatMap((word) => [...word])), expression.flags)
  const reached = new Set<string>()
  const open: Array<{ readonly at: number; readonly seen: string; readonly text: string }> = []
  const visit = (at: number, seen: string, text: string): void => {
    const key = `${at} ${seen}`
    if (reached.has(key)) return
    reached.add(key)
    open.push({ at, seen, text })
  }
  visit(0, "", "")
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (state.at === end) return state.text.replaceAll(other, "·")
    for (const { atom, to } of edges[state.at] ?? []) {
      if (atom === null) visit(to, state.seen, state.text)
      else
        for (const char of takes(atom)) {
          const seen = next(state.seen, char)
          if (seen !== null) visit(to, seen, state.text + char)
        }
    }
  }
  return null
}
