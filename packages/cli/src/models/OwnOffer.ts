/** The one question by which a host's own small model is asked at stops: only "y" or "yes", typed on a terminal, agrees. */
import * as Hosts from "../host/Hosts.ts"
import type { Host } from "../host/Hosts.ts"
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
  yield* Settings.attempt(OwnModels.fileOf(directories), () => OwnModels.keep(directories, host, { asked, at }))
})

const keep = Effect.fnUntraced(function* (host: Host, asked: boolean) {
  yield* say(host.name, asked)
  if (asked) yield* Asked.again(host.name)
  yield* print(asked ? OwnWords.agreed(host) : OwnWords.declined(host))
})

const put = Effect.fnUntraced(function* (host: Host, ask: (question: string) => Promise<string>) {
  yield* Console.log(OwnWords.terms(yield* Terminal.style, host))
  const answer = yield* Effect.promise(() => ask("\nAsk it at such stops? [y/N] ").catch(() => ""))
  if (Terminal.isYes(answer)) return yield* keep(host, true)
  if (Terminal.isNo(answer)) return yield* keep(host, false)
  yield* print(OwnWords.open(host))
})

/**
 * Asks once for each host, where nobody said anything yet and nothing speaks against it. `silent`: nothing is asked, and one
 * line says how it stands. What stands in the way of it is said, and nothing else fails for it.
 *
 * @category programs
 */
export const atInstall = Effect.fn("OwnOffer.atInstall")(
  function* (host: Host, { silent }: { readonly silent: boolean }) {
    const { ask, cwd } = yield* CliProcess
    const standing = yield* OwnStanding.at(host.name, cwd)
    yield* Console.log("")
    if (standing.state === "unasked" && !silent && ask !== null) return yield* put(host, ask)
    yield* print(`A model at stops: ${OwnWords.standing(host, standing)}.`)
  },
  Effect.catchAll(({ problem }) => Console.error(`reflexion: no small model is offered: ${problem}`))
)

const usage = (problem: string) => new UsageError({ command: "reflexion models", problem })

/** The host that the words name. */
const hostOf = Effect.fnUntraced(function* (word: string, given: ReadonlyArray<string>) {
  const [name, ...more] = given
  if (name === undefined) return yield* usage(`${word}: name a host: ${Hosts.listed(Hosts.names, "or")}`)
  if (more.length > 0) return yield* usage(`${word}: one host at a time`)
  const host = Hosts.named(name)
  if (host !== null) return host
  return yield* usage(
    `"${oneLine(name.slice(0, 100))}" is no host; there are ${Hosts.listed(Hosts.names, "and")}${hint(name, Hosts.names)}`
  )
})

const on = Effect.fnUntraced(function* (host: Host) {
  const { cwd } = yield* CliProcess
  const standing = yield* OwnStanding.at(host.name, cwd)
  if (standing.state === "metered") return yield* new InstallError({ problem: OwnWords.refused(host, standing.why) })
  yield* Console.log(`${OwnWords.terms(yield* Terminal.style, host)}\n`)
  yield* keep(host, true)
  if (standing.state === "named") yield* print(OwnWords.behind(standing))
})

/**
 * Says or takes back later what `install` asks for: whoever types it agrees.
 *
 * @category programs
 */
export const change = Effect.fn("OwnOffer.change")(function* (word: "on" | "off", given: ReadonlyArray<string>) {
  const host = yield* hostOf(word, given)
  return yield* word === "on" ? on(host) : keep(host, false)
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
