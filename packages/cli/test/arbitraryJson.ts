import { FastCheck as fc } from "effect"

/** JSON as people write it: comments, odd white space, trailing commas, both line ends, a byte order mark. */

const foreignCommand = fc.oneof(
  fc.constantFrom("echo done", "/opt/other/reflexion/hooks/check.sh", 'say "a, b" // c'),
  fc.string({ maxLength: 12 })
)

const handler = fc.record(
  { type: fc.constantFrom("command", "http"), command: foreignCommand, timeout: fc.nat(600) },
  { requiredKeys: ["type"] }
)

const group = fc.record(
  { matcher: fc.string({ maxLength: 6 }), hooks: fc.array(handler, { maxLength: 3 }) },
  {
    requiredKeys: ["hooks"]
  }
)

const events = fc.constantFrom("Stop", "SubagentStop", "PreCompact", "PreToolUse", "PostToolUse")

export const hooks = fc.dictionary(events, fc.array(group, { maxLength: 3 }), { maxKeys: 4 })

const other = fc.dictionary(
  fc.constantFrom("permissions", "env", "model", "a b", "ünï", "hooksDisabled"),
  // A key of this name sets the prototype in the parser that the tests read values with; bytes are compared elsewhere.
  fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes("__proto__")),
  { maxKeys: 4 }
)

/** A settings file's value: keys of others before and after `hooks`, or no `hooks` at all. */
export const settings = fc
  .tuple(other, fc.option(hooks, { nil: undefined }), other)
  .map(([before, found, after]) => ({ ...before, ...(found !== undefined && { hooks: found }), ...after }))

export interface Written {
  readonly text: string
  readonly comments: ReadonlyArray<string>
}

interface Pen {
  readonly gap: () => string
  readonly trailingComma: () => boolean
}

const join = (items: ReadonlyArray<string>, pen: Pen): string =>
  items.map((item, index) => `${pen.gap()}${item}${pen.gap()}${index < items.length - 1 ? "," : ""}`).join("") +
  (items.length > 0 && pen.trailingComma() ? `,${pen.gap()}` : items.length === 0 ? pen.gap() : "")

const print = (value: unknown, pen: Pen): string => {
  if (Array.isArray(value))
    return `[${join(
      value.map((item) => print(item, pen)),
      pen
    )}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}${pen.gap()}:${pen.gap()}${print(one, pen)}`
  )
  return `{${join(members, pen)}}`
}

const pretty = (value: unknown, indent: string): string => JSON.stringify(value, null, indent)

const scrawl = (value: unknown, choices: ReadonlyArray<number>, isPlain: boolean): Written => {
  const comments: Array<string> = []
  let at = 0
  const choose = (count: number): number => (choices[at++ % choices.length] ?? 0) % count
  const comment = (text: string): string => {
    comments.push(text)
    return text
  }
  const gap = (): string => {
    const kind = choose(isPlain ? 5 : 9)
    if (kind === 5) return ` ${comment(`/* c${comments.length}, "x" */`)} `
    if (kind === 6) return `${comment(`// c${comments.length} {"a": 1},`)}\n   `
    if (kind === 7) return `\n  ${comment(`// c${comments.length}`)}\n\t`
    return ["", " ", "\n  ", "\n\n\t", "  "][kind] ?? ""
  }
  const body = print(value, { gap, trailingComma: () => !isPlain && choose(4) === 0 })
  return { text: `${gap()}${body}${gap()}`, comments }
}

const odd = fc.tuple(fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 }), fc.boolean()).map(
  ([choices, isPlain]) =>
    (value: unknown) =>
      scrawl(value, choices, isPlain)
)

const usual = fc
  .tuple(fc.constantFrom("", "  ", "    ", "\t"), fc.constantFrom("", "\n"))
  .map(([indent, end]) => (value: unknown): Written => ({ text: `${pretty(value, indent)}${end}`, comments: [] }))

/** How a value is written down. */
export const hand = fc
  .tuple(fc.oneof(usual, odd), fc.boolean(), fc.boolean())
  .map(([write, isCrlf, hasMark]) => (value: unknown): Written => {
    const { comments, text } = write(value)
    return { text: `${hasMark ? "\uFEFF" : ""}${isCrlf ? text.replaceAll("\n", "\r\n") : text}`, comments }
  })

export const file = fc.tuple(settings, hand).map(([value, write]) => ({ value, ...write(value) }))
