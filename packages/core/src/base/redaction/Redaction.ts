/**
 * Removes secrets from all text that goes to a disk, a model or a user. A secret is found by its form or by its name.
 * Hashes, identifiers and placeholders stay.
 */
import { seen } from "../text/PlainText.ts"
import { prefixedKeys } from "./prefixedKeys.ts"
import { privateKeys } from "./privateKeys.ts"
import { namedSecrets } from "./secretAssignments.ts"
import { isPasswordName, isSecretName, kindOfName } from "./SecretNames.ts"
import { type SearchWork, searchWork, type Span } from "./secretRule.ts"
import { shownSecrets } from "./secretRules.ts"
import { isPlaceholder, isTelling } from "./secretValues.ts"

/**
 * The position of a secret in a text. `end` is exclusive.
 *
 * @category models
 */
export type SecretSpan = Span

const merged = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const result: Array<Span> = []
  for (const span of spans.toSorted((left, right) => left.start - right.start || right.end - left.end)) {
    const last = result.at(-1)
    if (last === undefined || span.start >= last.end) result.push(span)
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end }
  }
  return result
}

const continuation =
  /(?:\r?\n[ \t>|+]{0,20}|["'][ \t]{0,4}(?:[+.]\s{0,40}|\\?\r?\n[ \t]{0,40})["'])([A-Za-z0-9+/=_.-]{12,2000})(?![^\s"'`,;)}\]])/y

/** If a secret goes on in the next line or string, adds that part. A part that looks like a word is not added. */
const withRest = (text: string, span: Span): Span => {
  continuation.lastIndex = span.end
  const rest = continuation.exec(text)
  return rest === null || !isTelling(rest[1] ?? "") ? span : { ...span, end: span.end + rest[0].length }
}

const found = (text: string, work: SearchWork): ReadonlyArray<Span> => {
  const search = [privateKeys, shownSecrets, prefixedKeys, namedSecrets]
  const spans = merged(search.flatMap((secrets) => secrets(text, work)))
  return spans.length === 0 ? spans : merged(spans.map((span) => withRest(text, span)))
}

const searched = (text: string, work: SearchWork): ReadonlyArray<Span> => {
  const visible = seen(text)
  if (visible === null) return found(text, work)
  return found(visible.text, work).map(({ end, kind, start }) => ({
    kind,
    start: visible.at(start),
    end: visible.at(end - 1) + 1
  }))
}

const whole = (text: string): Span => ({ kind: "too-costly-to-search", start: 0, end: text.length })

/**
 * Returns the secrets of a text, in order and without overlaps. Colours and characters without width cannot hide a
 * secret. If the search reaches its limit, the whole text counts as a secret.
 *
 * @category redaction
 */
export const findSecrets = (text: string): ReadonlyArray<SecretSpan> => {
  const work = searchWork()
  const spans = searched(text, work)
  return work.left < 0 ? [whole(text)] : spans
}

const replaced = (text: string, spans: ReadonlyArray<Span>): string => {
  const parts: Array<string> = []
  let from = 0
  for (const span of spans) {
    parts.push(text.slice(from, span.start), `[redacted:${span.kind}]`)
    from = span.end
  }
  return parts.join("") + text.slice(from)
}

const maxRounds = 8

/**
 * Replaces each secret with `[redacted:<kind>]`. A second call changes nothing. A text that is too expensive to search
 * is replaced completely with `[redacted:too-costly-to-search]`.
 *
 * @category redaction
 */
export const redact = (text: string): string => {
  if (text.length > longestKept) return searchedAndReplaced(text)
  if (clean.has(text)) return text
  const safe = searchedAndReplaced(text)
  if (safe !== text) return safe
  if (clean.size >= mostKept) clean.clear()
  clean.add(text)
  return text
}

/** Caches texts without secrets. A command is redacted several times: for its run, to find loops, and for display. */
const clean = new Set<string>()
const [mostKept, longestKept] = [64, 4000]

const searchedAndReplaced = (text: string): string => {
  let current = text
  const work = searchWork()
  for (let round = 0; round < maxRounds; round++) {
    const spans = searched(current, work)
    if (work.left < 0) return replaced(current, [whole(current)])
    if (spans.length === 0) break
    current = replaced(current, spans)
  }
  return current
}

const maxDepth = 100

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" &&
  value !== null &&
  (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/** `under` is the name that makes the whole value secret. */
interface Walk {
  /** The results so far: states and records repeat the same objects and texts many times. */
  readonly known: Map<string | null, Map<object, unknown>>
  readonly texts: Map<string, string>
  readonly under: string | null
  readonly ancestors: ReadonlySet<object>
}

const remembered = <Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value => {
  const before = known.get(key)
  if (before !== undefined) return before
  const made = make()
  known.set(key, made)
  return made
}

const redactLeaf = (value: unknown, { texts, under }: Walk): unknown => {
  const mark = under === null ? null : `[redacted:${kindOfName(under)}]`
  if (typeof value === "string")
    return mark === null || value === "" || isPlaceholder(value) ? remembered(texts, value, () => redact(value)) : mark
  const numeric = typeof value === "number" || typeof value === "bigint"
  return numeric && under !== null && isPasswordName(under) ? mark : value
}

const redactValue = (value: unknown, walk: Walk): unknown => {
  if (!isList(value) && !isRecord(value)) return redactLeaf(value, walk)
  if (walk.ancestors.has(value)) return "[redacted:cycle]"
  if (walk.ancestors.size >= maxDepth) return "[redacted:depth]"
  return remembered(
    remembered(walk.known, walk.under, () => new Map()),
    value,
    () => {
      const inner = { ...walk, ancestors: new Set([...walk.ancestors, value]) }
      if (isList(value)) return value.map((item) => redactValue(item, inner))
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          key,
          redactValue(item, isSecretName(key) ? { ...inner, under: key } : inner)
        ])
      )
    }
  )
}

/**
 * Redacts every string of a JSON value. Under a key that names a secret, the whole string is replaced. Keys do not
 * change. Cycles, and values nested deeper than 100 levels, are replaced. Values that are not JSON stay.
 *
 * @category redaction
 */
export const redactJson = (value: unknown): unknown =>
  redactValue(value, { known: new Map(), texts: new Map(), under: null, ancestors: new Set() })
