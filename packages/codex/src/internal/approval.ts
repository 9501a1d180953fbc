/** Whether the user has approved our hooks in Codex: asked of Codex itself. Nothing is approved here. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Level, Look, Looked, LookFinding } from "@reflexion/core/internal/session/host/Host"

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

const ask = ({ run, where }: Looked): Effect.Effect<Either.Either<Listed, string>> =>
  run({
    words: ["app-server"],
    stdin: dialogue(where.cwd),
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

const finding = (level: Level, term: string, text: string): LookFinding => ({ level, term, text })

const trusting = "start codex and trust the hooks of reflexion, which it asks about; /hooks shows them later"

/** By the names that the settings have for them; all of them need no list. */
const named = (some: ReadonlyArray<Hook>, all: ReadonlyArray<Hook>): string =>
  some.length === all.length
    ? `all ${all.length}`
    : some.map(({ eventName }) => eventName.replace(/^[a-z]/u, (letter) => letter.toUpperCase())).join(", ")

const need = (text: string): LookFinding => finding("needed", "approval", text)

const unseen =
  "Codex does not see the hooks: they may be turned off in its config.toml ([features] hooks), or be a project's, which " +
  "Codex reads only where you trust the project"

const status = (ours: ReadonlyArray<Hook>): LookFinding => {
  const off = ours.filter(({ enabled }) => !enabled)
  const changed = ours.filter(({ trustStatus }) => trustStatus === "modified")
  const open = ours.filter(({ trustStatus }) => trustStatus === "untrusted")
  if (ours.length === 0) return need(unseen)
  if (changed.length > 0)
    return need(`modified since you approved it, and skipped: ${named(changed, ours)}; ${trusting}`)
  if (open.length > 0) return need(`untrusted, and skipped without a word: ${named(open, ours)}; ${trusting}`)
  return off.length > 0
    ? need(`turned off in Codex: ${named(off, ours)}; /hooks turns them on`)
    : finding("good", "approval", `trusted by you: ${named(ours, ours)}`)
}

const findings = ({ errors, hooks, warnings }: Listed, isOurs: Looked["isOurs"]): ReadonlyArray<LookFinding> => [
  ...(errors.length > 0 ? [] : [status(hooks.filter(({ command }) => command != null && isOurs(command)))]),
  ...errors.map(({ message, path }) => finding("needed", "Codex says", `${path}: ${message}`)),
  ...warnings.map((warning) => finding("needed", "Codex says", warning))
]

const unasked =
  "unknown: there is no codex to ask. Codex runs no hook before you approve it: start codex and trust those of reflexion"

export const look = (looked: Looked): Effect.Effect<Look> =>
  looked.binary === null
    ? Effect.succeed({ itself: [], more: [finding("blind", "approval", unasked)] })
    : Effect.map(
        ask(looked),
        Either.match({
          onLeft: (problem): Look => {
            const text = `unknown: Codex was asked for its hooks, and ${problem}`
            return { itself: [], more: [finding("blind", "approval", text)] }
          },
          onRight: (listed): Look => ({ itself: [], more: findings(listed, looked.isOurs) })
        })
      )
