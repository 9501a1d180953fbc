/**
 * Takes secrets out of whatever leaves the process or reaches a disk or a model. The rules are pure and go by a
 * secret's own shape or by the name it stands under; hashes, identifiers and placeholders stay.
 */
import { prefixedKeys } from "./prefixedKeys.ts"
import { privateKeys } from "./privateKeys.ts"
import { charged, perPlace, searchWork, type SearchWork } from "./searchWork.ts"
import { assertedSecrets } from "./secretAssertions.ts"
import { assignedAbroad, assignedSecrets, nameWords } from "./secretAssignments.ts"
import type { SecretRule, Span } from "./secretRule.ts"
import { secretRules } from "./secretRules.ts"
import { isPasswordName, isSecretName, kindOfName } from "./SecretNames.ts"
import { insertedSecrets } from "./secretTables.ts"
import { isMasked, isPlaceholder, isTelling } from "./secretValues.ts"
import { seen } from "../text/UnseenCharacters.ts"
import { wordFinder, wordScanner } from "../text/WordScan.ts"

/**
 * A secret's place in a text, `end` exclusive.
 *
 * @category models
 */
export interface SecretSpan {
  readonly kind: string
  readonly start: number
  readonly end: number
}

const extend = (text: string, end: number, more: RegExp | undefined): number => {
  let index = end
  if (more === undefined) return end
  while (index < text.length && more.test(text.charAt(index))) index++
  while (index > end && text.charAt(index - 1) === ".") index--
  return index
}

const matchesOf = (rule: SecretRule, text: string, work: SearchWork): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  if (!charged(work, text.length)) return spans
  rule.on.lastIndex = 0
  for (let match = rule.on.exec(text); match !== null; match = rule.on.exec(text)) {
    if (!charged(work, perPlace)) return spans
    const secret = match[2] ?? match[0]
    const start = match.index + (match[2] === undefined ? 0 : (match[1] ?? "").length)
    if ((rule.isNone ?? isMasked)(secret)) continue
    const end = extend(text, start + secret.length, rule.more)
    spans.push({ kind: rule.kind, start, end })
    rule.on.lastIndex = end
  }
  return spans
}

const needlesWhere = (begins: boolean): ReadonlyArray<string> =>
  secretRules().flatMap((rule) => ((rule.begins === true) === begins ? rule.needles : []))

const wanted = () => ({
  begin: needlesWhere(true),
  exact: [...needlesWhere(false), "PRIVATE KEY"],
  either: nameWords
})

const wordsIn = /* @__PURE__ */ wordFinder(wanted)

const ruleSecrets = (text: string, present: ReadonlySet<string>, work: SearchWork): ReadonlyArray<Span> => {
  const rules = secretRules().filter(
    (rule) => rule.needles.length === 0 || rule.needles.some((needle) => present.has(needle))
  )
  return rules.flatMap((rule) => matchesOf(rule, text, work))
}

const byPlace = (left: Span, right: Span): number => left.start - right.start || right.end - left.end

const merged = (spans: ReadonlyArray<Span>): ReadonlyArray<SecretSpan> => {
  const result: Array<Span> = []
  for (const span of spans.toSorted(byPlace)) {
    const last = result.at(-1)
    if (last === undefined || span.start >= last.end) result.push(span)
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end }
  }
  return result
}

const continuation =
  /(?:\r?\n[ \t>|+]{0,20}|["'][ \t]{0,4}(?:[+.]\s{0,40}|\\?\r?\n[ \t]{0,40})["'])([A-Za-z0-9+/=_.-]{12,2000})(?![^\s"'`,;)}\]])/y

/** A secret that was broken, at the end of a line or into two texts, goes on where the next one begins with what no word is. */
const withRest = (text: string, span: SecretSpan): SecretSpan => {
  continuation.lastIndex = span.end
  const rest = continuation.exec(text)
  return rest === null || !isTelling(rest[1] ?? "") ? span : { ...span, end: span.end + rest[0].length }
}

const found = (text: string, work: SearchWork): ReadonlyArray<SecretSpan> => {
  if (!charged(work, text.length)) return []
  const { either, exact, isBeyond } = wordsIn(text)
  const spans = [
    ...(exact.has("PRIVATE KEY") ? privateKeys(text, work) : []),
    ...ruleSecrets(text, exact, work),
    ...prefixedKeys(text, work),
    ...(either ? [...assignedSecrets(text, work), ...assertedSecrets(text, work), ...insertedSecrets(text, work)] : []),
    ...(isBeyond ? assignedAbroad(text, work) : [])
  ]
  return spans.length === 0 ? spans : merged(merged(spans).map((span) => withRest(text, span)))
}

const searched = (text: string, work: SearchWork): ReadonlyArray<SecretSpan> => {
  const visible = seen(text)
  if (visible === null) return found(text, work)
  return found(visible.text, work).map(({ end, kind, start }) => ({
    kind,
    start: visible.at(start),
    end: visible.at(end - 1) + 1
  }))
}

/** The whole of a text in which the search did not come to its end. */
const whole = (text: string): SecretSpan => ({ kind: "too-costly-to-search", start: 0, end: text.length })

/**
 * Where a text holds secrets, in order and without overlaps. What is not seen of the text, such as colours and characters
 * without width, hides none. The search has a bound, past which the whole text counts as a secret.
 *
 * @category redaction
 */
export const findSecrets = (text: string): ReadonlyArray<SecretSpan> => {
  const work = searchWork()
  const spans = searched(text, work)
  return work.left < 0 ? [whole(text)] : spans
}

const replaced = (text: string, spans: ReadonlyArray<SecretSpan>): string => {
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
 * Replaces each secret by `[redacted:<kind>]`. Redacting twice changes nothing more: a secret that another one hid, by
 * standing right behind it, is found in a further round. A text whose search costs too much is replaced whole, by
 * `[redacted:too-costly-to-search]`.
 *
 * @category redaction
 */
export const redact = (text: string): string => {
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

const unchanged = (text: string): string => text

const lookThrough = /* @__PURE__ */ wordScanner(wanted)

/** Those that no fixed word gives away. */
const hasShape = (text: string, work: SearchWork): boolean =>
  secretRules().some((rule) => rule.needles.length === 0 && matchesOf(rule, text, work).length > 0) ||
  prefixedKeys(text, work).length > 0

/** False only where there is no secret. */
const mayHoldSecrets = (text: string): boolean => {
  const { either, exact, isBeyond } = lookThrough(text)
  if (exact || either || seen(text) !== null) return true
  const work = searchWork()
  return (isBeyond && assignedAbroad(text, work).length > 0) || hasShape(text, work) || work.left < 0
}

/**
 * `redact` for texts that come together. Most hold no secret, and one look at each of them says so: then it does nothing.
 *
 * @category redaction
 */
export const redactorOf = (texts: ReadonlyArray<string>): ((text: string) => string) =>
  texts.some(mayHoldSecrets) ? redact : unchanged

const maxDepth = 100

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" &&
  value !== null &&
  (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/** The name under which a value stands makes all of it secret; null where no name does. */
interface Walk {
  readonly known: Map<string | null, Map<object, unknown>>
  /** Whether a name promises a secret; most names come again and again. */
  readonly names: Map<string, boolean>
  /** What became of a text; states and records say the same over and over. */
  readonly texts: Map<string, string>
  readonly under: string | null
  readonly depth: number
  readonly ancestors: ReadonlySet<object>
}

const redactOnce = (text: string, texts: Map<string, string>): string => {
  const before = texts.get(text)
  if (before !== undefined) return before
  const redacted = redact(text)
  texts.set(text, redacted)
  return redacted
}

const redactLeaf = (value: unknown, { texts, under }: Walk): unknown => {
  if (typeof value === "string") {
    const plain = under === null || value === "" || isPlaceholder(value)
    return plain ? redactOnce(value, texts) : `[redacted:${kindOfName(under)}]`
  }
  const numeric = typeof value === "number" || typeof value === "bigint"
  return numeric && under !== null && isPasswordName(under) ? `[redacted:${kindOfName(under)}]` : value
}

const redactValue = (value: unknown, walk: Walk): unknown => {
  if (!isList(value) && !isRecord(value)) return redactLeaf(value, walk)
  if (walk.ancestors.has(value)) return "[redacted:cycle]"
  if (walk.depth >= maxDepth) return "[redacted:depth]"
  const known = walk.known.get(walk.under)?.get(value)
  if (known !== undefined) return known
  const result = redactInside(value, walk)
  const results = walk.known.get(walk.under) ?? new Map<object, unknown>()
  walk.known.set(walk.under, results.set(value, result))
  return result
}

const isSecret = (name: string, names: Map<string, boolean>): boolean => {
  const before = names.get(name)
  if (before !== undefined) return before
  const secret = isSecretName(name)
  names.set(name, secret)
  return secret
}

const redactInside = (value: ReadonlyArray<unknown> | Readonly<Record<string, unknown>>, walk: Walk): unknown => {
  const inner = { ...walk, depth: walk.depth + 1, ancestors: new Set([...walk.ancestors, value]) }
  if (isList(value)) return value.map((item) => redactValue(item, { ...inner, under: walk.under }))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      redactValue(item, { ...inner, under: isSecret(key, walk.names) ? key : walk.under })
    ])
  )
}

/**
 * Redacts every string of a JSON value, and whole whatever stands under a secret's name. Keys stay. A cycle and what
 * lies deeper than 100 levels are replaced; values that are not JSON are returned as they are.
 *
 * @category redaction
 */
export const redactJson = (value: unknown): unknown =>
  redactValue(value, {
    known: new Map(),
    names: new Map(),
    texts: new Map(),
    under: null,
    depth: 0,
    ancestors: new Set()
  })
