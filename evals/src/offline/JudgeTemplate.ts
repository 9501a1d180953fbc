/**
 * Another judge's prompt in place of ours: a text with placeholders, and before it which of its answers are a push. The user
 * brings it; none is here.
 */
import * as JsonAnswer from "@reflexion/core/internal/base/json/JsonAnswer"
import { redact } from "@reflexion/core/Redaction"
import type { Turn } from "@reflexion/core/internal/model/assessment/TurnRecord"
import * as Either from "effect/Either"
import * as Fs from "node:fs"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

const Value = Schema.Union(Schema.String, Schema.Boolean, Schema.Number)

/**
 * An answer pushes where every key of `equals` has one of the values, and, if `some` has keys, one of these is a text, list
 * or object that is not empty.
 */
const Rule = Schema.Struct({
  equals: Schema.Record({ key: Schema.String, value: Schema.Union(Value, Schema.Array(Value)) }),
  some: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] })
})

/** `push`: by any of these rules. */
const Head = Schema.Struct({ push: Schema.NonEmptyArray(Rule) })

export interface Template {
  readonly push: typeof Head.Type.push
  readonly text: string
}

const decodeHead = Schema.decodeUnknownEither(Schema.parseJson(Head), { onExcessProperty: "error" })

const longest = 400

const clipped = (text: string): string => {
  const line = text.replaceAll(/\s+/gu, " ").trim()
  return line.length <= longest ? line : `${line.slice(0, longest)} …`
}

const events = ({ entries }: Turn) => entries.filter(({ at }) => at >= 0).map(({ event }) => event)

const calls = (turn: Turn) => events(turn).flatMap((event) => (event.type === "tool_call" ? [event] : []))

const inputOf = (input: unknown): string => (typeof input === "string" ? input : JSON.stringify(input ?? null))

const ended = ({ exitCode, output, status }: ReturnType<typeof calls>[number]): string =>
  [status ?? "unknown", ...(exitCode === null ? [] : [`exit ${exitCode}`]), clipped(output ?? "")].join(", ")

const requests = (turn: Turn): ReadonlyArray<string> => {
  const all = events(turn).flatMap((event) => (event.type === "user_message" ? [event.text] : []))
  return all.length === 1 ? all : all.map((text, index) => `[${index + 1}] ${text}`)
}

const lastWords = (turn: Turn): string =>
  events(turn).findLast((event) => event.type === "assistant_message")?.text ?? ""

/** What each placeholder stands for; of what has several lines `{{name:6}}` takes the last six. */
const placeholders: Readonly<Record<string, (turn: Turn) => ReadonlyArray<string>>> = {
  task: (turn) => [requests(turn).join("\n\n")],
  agent_response: (turn) => [lastWords(turn)],
  tools_used: (turn) => calls(turn).map(({ input, tool }) => `${tool}: ${clipped(inputOf(input))}`),
  tool_results: (turn) => calls(turn).map((call) => `${call.tool}: ${clipped(inputOf(call.input))}\n  ${ended(call)}`),
  todos: ({ known }) => known.stop.todos.map(({ content, status }) => `- ${content} (${status})`),
  required_checks: ({ known }) => known.gates.filter(({ required }) => required).map(({ gate }) => gate)
}

const placeholder = /\{\{([a-z_]{1,40})(?::(\d{1,4}))?\}\}/gu

const none = "(none)"

/** The prompt as the other judge would have it of a stop, without secrets. */
export const fill = ({ text }: Template, turn: Turn): string =>
  text.replaceAll(placeholder, (_, name: string, last: string | undefined) => {
    const lines = placeholders[name]?.(turn) ?? []
    const said = (last === undefined ? lines : lines.slice(-Number(last))).join("\n")
    return said.trim() === "" ? none : redact(said)
  })

const isFilled = (value: unknown): boolean =>
  typeof value === "string"
    ? value.trim() !== ""
    : Array.isArray(value)
      ? value.length > 0
      : Predicate.isRecord(value) && Object.keys(value).length > 0

/** Whether an answer is a push; null where it cannot be read, or lacks a key that decides. */
export const pushes = ({ push }: Template, answer: string): boolean | null => {
  const said = JsonAnswer.lastValue(answer)
  if (!Predicate.isRecord(said)) return null
  const keys = push.flatMap(({ equals }) => Object.keys(equals))
  if (keys.some((key) => said[key] === undefined)) return null
  return push.some(
    ({ equals, some }) =>
      Object.entries(equals).every(([key, value]) => [value].flat().some((one) => one === said[key])) &&
      (some.length === 0 || some.some((key) => isFilled(said[key])))
  )
}

const opening = "---\n"

/** The template of a file's text, or what is wrong with it. */
export const parse = (file: string, given: string): Either.Either<Template, string> => {
  const text = given.replaceAll("\r\n", "\n")
  const end = text.indexOf(`\n${opening}`, opening.length - 1)
  if (!text.startsWith(opening) || end < 0)
    return Either.left(
      `${file}: line 1: it has to begin with "---", JSON that says which answers are a push, and "---" again`
    )
  const head = decodeHead(text.slice(opening.length, end))
  if (Either.isLeft(head)) return Either.left(`${file}: between the lines "---": ${head.left.message}`)
  const body = text.slice(end + opening.length + 1)
  const strange = [...body.matchAll(/\{\{([^{}]{0,60})\}\}/gu)].find(
    ([, inside = ""]) => !Object.hasOwn(placeholders, inside.replace(/:\d{1,4}$/u, ""))
  )
  return strange === undefined
    ? Either.right({ push: head.right.push, text: body.trim() })
    : Either.left(`${file}: ${strange[0]} is none of ${Object.keys(placeholders).join(", ")}`)
}

export const load = (file: string): Either.Either<Template, string> =>
  Either.flatMap(
    Either.try({
      try: () => Fs.readFileSync(file, "utf8"),
      catch: () => `${file} cannot be read: name a text file`
    }),
    (text) => parse(file, text)
  )
