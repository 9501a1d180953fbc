/** Whether the user has approved our hooks in Codex: asked of Codex itself. Nothing is approved here. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Finding from "./finding.ts"
import type { IsOurs } from "../install/HooksDocument.ts"
import * as Spawn from "../process/Spawn.ts"

const Hook = Schema.Struct({
  eventName: Schema.String,
  command: Schema.NullishOr(Schema.String),
  enabled: Schema.optionalWith(Schema.Boolean, { default: () => true }),
  trustStatus: Schema.String
})

type Hook = typeof Hook.Type

const Listed = Schema.Struct({
  hooks: Schema.Array(Hook),
  warnings: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
  errors: Schema.optionalWith(Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String })), {
    default: () => []
  })
})

type Listed = typeof Listed.Type

const Answer = Schema.parseJson(
  Schema.Union(
    Schema.Struct({ id: Schema.Literal(2), result: Schema.Struct({ data: Schema.Array(Listed) }) }),
    Schema.Struct({ id: Schema.Literal(1, 2), error: Schema.Struct({ message: Schema.String }) })
  )
)

const decode = Schema.decodeOption(Answer)

const dialogue = (cwd: string): string =>
  [
    { id: 1, method: "initialize", params: { clientInfo: { name: "reflexion", title: null, version: "0.1.0" } } },
    { method: "initialized" },
    { id: 2, method: "hooks/list", params: { cwds: [cwd] } }
  ]
    .map((message) => `${JSON.stringify(message)}\n`)
    .join("")

/** Only whole lines: the last may still be under way. */
const answerIn = (out: string) =>
  Option.firstSomeOf(
    out
      .split("\n")
      .slice(0, -1)
      .map((line) => decode(line))
  )

const ask = (options: Options): Effect.Effect<Either.Either<Listed, string>> =>
  Spawn.run({
    program: options.binary,
    words: ["app-server"],
    cwd: options.cwd,
    env: options.env,
    stdin: dialogue(options.cwd),
    timeout: 15_000,
    enough: (out) => Option.isSome(answerIn(out))
  }).pipe(
    Effect.map((ran) => {
      const answer = Option.getOrNull(answerIn(ran.out))
      if (answer === null) return Either.left(ran.timedOut ? "it gave no answer within 15 s" : "it gave no answer")
      if ("error" in answer) return Either.left(answer.error.message)
      const [listed] = answer.result.data
      return listed === undefined ? Either.left("it listed nothing") : Either.right(listed)
    })
  )

export interface Options {
  readonly binary: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isOurs: IsOurs
}

const where = "start codex and trust the hooks of reflexion, which it asks about; /hooks shows them later"

/** By the names that the settings have for them; all of them need no list. */
const named = (some: ReadonlyArray<Hook>, all: ReadonlyArray<Hook>): string =>
  some.length === all.length
    ? `all ${all.length}`
    : some.map(({ eventName }) => eventName.replace(/^[a-z]/u, (letter) => letter.toUpperCase())).join(", ")

const need = (text: string): Finding.Finding => Finding.needed("approval", text)

const unseen =
  "Codex does not see the hooks: they may be turned off in its config.toml ([features] hooks), or be a project's, which " +
  "Codex reads only where you trust the project"

const status = (ours: ReadonlyArray<Hook>): Finding.Finding => {
  const off = ours.filter(({ enabled }) => !enabled)
  const changed = ours.filter(({ trustStatus }) => trustStatus === "modified")
  const open = ours.filter(({ trustStatus }) => trustStatus === "untrusted")
  if (ours.length === 0) return need(unseen)
  if (changed.length > 0) return need(`modified since you approved it, and skipped: ${named(changed, ours)}; ${where}`)
  if (open.length > 0) return need(`untrusted, and skipped without a word: ${named(open, ours)}; ${where}`)
  return off.length > 0
    ? need(`turned off in Codex: ${named(off, ours)}; /hooks turns them on`)
    : Finding.good("approval", `trusted by you: ${named(ours, ours)}`)
}

const findings = ({ errors, hooks, warnings }: Listed, isOurs: IsOurs): ReadonlyArray<Finding.Finding> => [
  ...(errors.length > 0 ? [] : [status(hooks.filter(({ command }) => command != null && isOurs(command)))]),
  ...errors.map(({ message, path }) => Finding.needed("Codex says", `${path}: ${message}`)),
  ...warnings.map((warning) => Finding.needed("Codex says", warning))
]

export const look = (options: Options): Effect.Effect<ReadonlyArray<Finding.Finding>> =>
  Effect.map(
    ask(options),
    Either.match({
      onLeft: (problem) => [Finding.blind("approval", `unknown: Codex was asked for its hooks, and ${problem}`)],
      onRight: (listed) => findings(listed, options.isOurs)
    })
  )
