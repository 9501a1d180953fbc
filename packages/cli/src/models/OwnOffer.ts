/** The one question by which a host's own small model is asked at stops: only "y" or "yes", typed on a terminal, agrees. */
import * as OwnModels from "@reflexion/hooks/config/OwnModels"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { hint } from "../command/CommandSpec.ts"
import { InstallError, UsageError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import * as Settings from "../process/Settings.ts"
import { oneLine, wrap } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as Asked from "./Asked.ts"
import * as OwnStanding from "./OwnStanding.ts"
import * as OwnWords from "./OwnWords.ts"

const print = (text: string) => Effect.flatMap(Terminal.style, ({ width }) => Console.log(wrap(text, width).join("\n")))

const say = Effect.fnUntraced(function* (host: string, asked: boolean) {
  const { env } = yield* CliProcess
  const directories = UserDirectories.make(env)
  const at = new Date(yield* Clock.currentTimeMillis).toISOString()
  yield* Settings.attempt(OwnModels.fileOf(directories), () => OwnModels.say(directories, host, asked, at))
})

const keep = Effect.fnUntraced(function* (small: OwnWords.Small, asked: boolean) {
  yield* say(small.host, asked)
  if (asked) yield* Asked.again(small.host)
  yield* print(asked ? OwnWords.agreed(small) : OwnWords.declined(small))
})

const put = Effect.fnUntraced(function* (small: OwnWords.Small, ask: (question: string) => Promise<string>) {
  yield* Console.log(OwnWords.terms(yield* Terminal.style, small))
  const answer = yield* Effect.promise(() => ask("\nAsk it at such stops? [y/N] ").catch(() => ""))
  if (Terminal.isYes(answer)) return yield* keep(small, true)
  if (Terminal.isNo(answer)) return yield* keep(small, false)
  yield* print(OwnWords.open(small))
})

/**
 * Asks once for each host, where nobody said anything yet and nothing speaks against it. `silent`: nothing is asked, and one
 * line says how it stands. What stands in the way of it is said, and nothing else fails for it.
 *
 * @category programs
 */
export const atInstall = Effect.fn("OwnOffer.atInstall")(
  function* (host: string, { silent }: { readonly silent: boolean }) {
    const { ask, cwd } = yield* CliProcess
    const small = OwnWords.of(host)
    const standing = yield* OwnStanding.at(host, cwd)
    yield* Console.log("")
    if (small !== null && standing.state === "unasked" && !silent && ask !== null) return yield* put(small, ask)
    yield* print(`A model at stops: ${OwnWords.standing(host, standing)}.`)
  },
  Effect.catchAll(({ problem }) => Console.error(`reflexion: no small model is offered: ${problem}`))
)

const usage = (problem: string) => new UsageError({ command: "reflexion models", problem })

/** The host that the words name, with its model. */
const smallOf = Effect.fnUntraced(function* (word: string, given: ReadonlyArray<string>) {
  const [name, ...more] = given
  const names = OwnWords.all.map(({ host }) => host)
  if (name === undefined)
    return yield* usage(`${word}: name a host: ${names.slice(0, -1).join(", ")} or ${names.at(-1) ?? ""}`)
  if (more.length > 0) return yield* usage(`${word}: one host at a time`)
  const small = OwnWords.of(name)
  if (small !== null) return small
  return yield* usage(`"${oneLine(name.slice(0, 100))}" is none of ${names.join(", ")}${hint(name, names)}`)
})

const on = Effect.fnUntraced(function* (small: OwnWords.Small) {
  const { cwd } = yield* CliProcess
  const standing = yield* OwnStanding.at(small.host, cwd)
  if (standing.state === "metered") return yield* new InstallError({ problem: OwnWords.refused(small, standing.why) })
  yield* Console.log(`${OwnWords.terms(yield* Terminal.style, small)}\n`)
  yield* keep(small, true)
  if (standing.state === "named") yield* print(OwnWords.behind(standing))
})

/**
 * Says or takes back later what `install` asks for: whoever types it agrees.
 *
 * @category programs
 */
export const change = Effect.fn("OwnOffer.change")(function* (word: "on" | "off", given: ReadonlyArray<string>) {
  const small = yield* smallOf(word, given)
  return yield* word === "on" ? on(small) : keep(small, false)
})

/**
 * Forgets what was said of a host, and says so where there was anything.
 *
 * @category programs
 */
export const forget = Effect.fn("OwnOffer.forget")(
  function* (host: string) {
    const { env } = yield* CliProcess
    const directories = UserDirectories.make(env)
    const known = yield* OwnStanding.said(host)
    yield* Settings.attempt(OwnModels.fileOf(directories), () => OwnModels.forget(directories, host))
    if (known === null) return
    yield* Console.log("")
    yield* print(OwnWords.forgotten)
  },
  Effect.mapError(({ problem }) => new InstallError({ problem }))
)
