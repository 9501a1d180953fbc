/** A host's own small model, which is asked at stops if the user agreed and no configuration names a model. */
import * as OwnModels from "@reflexion/hooks/config/OwnModels"
import * as Billing from "@reflexion/hooks/models/Billing"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type { SmallModel } from "@reflexion/core/internal/session/host/Host"
import type { Host } from "../host/Hosts.ts"
import * as Hosts from "../host/Hosts.ts"
import * as InstallRecord from "../install/InstallRecord.ts"
import * as Asked from "../models/Asked.ts"
import { CliFailure } from "../process/CliError.ts"
import { CliProcess, userDirectories } from "../process/CliProcess.ts"
import * as Settings from "../process/Settings.ts"
import * as Sheet from "../terminal/Sheet.ts"
import * as Terminal from "../terminal/Terminal.ts"
import type { TerminalStyle } from "../terminal/TerminalStyle.ts"
import * as Consent from "./consent.ts"

/** "metered": the user's login does not pay for the model. "said": the user agreed or refused, at the time `at`. */
export type Standing =
  | { readonly state: "named"; readonly model: string; readonly by: string }
  | { readonly state: "metered"; readonly why: string; readonly agreed: boolean }
  | { readonly state: "said"; readonly asked: boolean; readonly at: string }
  | { readonly state: "none" }
  | { readonly state: "unasked" }
  | { readonly state: "unread"; readonly why: string }

export const isAsked = (standing: Standing): boolean =>
  (standing.state === "named" && standing.model !== "off") || (standing.state === "said" && standing.asked)

const said = Effect.fnUntraced(function* (host: string) {
  const directories = yield* userDirectories
  const known = yield* Settings.onFile(OwnModels.fileOf(directories), () => OwnModels.read(directories))
  return known.get(host) ?? null
})

export const at = Effect.fn("OwnModel.at")(
  function* (host: string, directory: string) {
    const { env } = yield* CliProcess
    const named = yield* Settings.modelAt(directory)
    if (named !== null) return { state: "named", ...named, by: Terminal.tilde(env, named.by) } satisfies Standing
    if (Hosts.named(host)?.model === null) return { state: "none" } satisfies Standing
    const given = yield* said(host)
    const billing = Billing.of(host, env)
    // The text may contain a file path.
    const why = billing.replaceAll(/\/\S+/gu, (path) => Terminal.tilde(env, path))
    if (billing !== Billing.login) return { state: "metered", why, agreed: given?.asked === true } satisfies Standing
    return given === null ? ({ state: "unasked" } satisfies Standing) : ({ state: "said", ...given } satisfies Standing)
  },
  Effect.catchTag("ConfigurationError", ({ problem }) => Effect.succeed<Standing>({ state: "unread", why: problem }))
)

/** What the user types in a session to turn the host's model on or off. */
export const typed = ({ installation }: Host, word: "on" | "off"): string =>
  `\`${installation.words.command} model ${word}\``

/** docs/models.md has the measurements. */
const terms = (style: TerminalStyle, host: Host, { paid, program, title }: SmallModel): string => {
  const who =
    program === null ? "in a hidden session without tools" : `by \`${program}\` and your login, without tools and hooks`
  const often = "about two times in three; at most 20 times a day while you are there"
  const inSession = `${typed(host, "off")} in a session, \`"model": "off"\` in your configuration`
  return Sheet.terms(style, `Ask ${program === null ? "a" : "your own"} small model when the agent stops work?`, [
    ["who", `${title}, ${who}`],
    ["sees", "the turn without secrets; the agent sees only reflexion's own texts, not the model's"],
    ["when", `when the agent stops work, ${often}, without this limit in unattended runs`],
    ["cost", `about 4,000 input and 300 output tokens, twice if an answer cannot be read; ${paid}`],
    ["wait", "at most 20 s per stop; a late answer is ignored"],
    ["off", `${inSession}, or \`reflexion allow model ${host.name} --revoke\``]
  ]).join("\n")
}

export const words = ({ model, name, title }: Host, found: Standing): string => {
  const on = `\`reflexion allow model ${name}\``
  switch (found.state) {
    case "named":
      return found.model === "off" ? `off, by ${found.by}` : `${found.model}, named by ${found.by}`
    case "none":
      return `none: reflexion has no access to a model of ${title}. "model" in your configuration can name another model`
    case "unread":
      return `off: ${found.why}`
    case "metered":
      return `off${found.agreed ? ", though you agreed" : ""}: ${found.why}. To ask it anyway, set "model": "${name}/small" in your configuration`
    case "said": {
      const day = Sheet.moment(found.at).slice(0, 10)
      const by = model?.program ? `, by \`${model.program}\`` : ""
      return found.asked
        ? `${name}/small (${model?.title ?? title}${by}), as you agreed on ${day}`
        : `off, as you decided on ${day}: ${on} changes that`
    }
    case "unasked":
      return `off: you were not asked yet; ${on} explains it and asks you`
  }
}

/** After this, `install` does not ask again. */
export const keep = Effect.fn("OwnModel.keep")(function* ({ model, name, title }: Host, asked: boolean) {
  const directories = yield* userDirectories
  const now = new Date(yield* Clock.currentTimeMillis).toISOString()
  yield* Settings.onFile(OwnModels.fileOf(directories), () => OwnModels.keep(directories, name, { asked, at: now }))
  if (asked) yield* Asked.again(name)
  const yes = `Agreed: ${model?.title ?? title} is asked from the next stop on. \`reflexion allow model ${name} --revoke\` turns it off.`
  const no = `No model is asked: reflexion decides by evidence only. \`reflexion allow model ${name}\` changes this.`
  yield* Terminal.say(asked ? yes : no)
})

/** An error does not stop the installation. */
export const atInstall = Effect.fn("OwnModel.atInstall")(
  function* (host: Host, { silent }: { readonly silent: boolean }) {
    const { ask, cwd } = yield* CliProcess
    const standing = yield* at(host.name, cwd)
    if (standing.state === "unread")
      return yield* Console.error(`reflexion: the small model could not be offered: ${standing.why}`)
    if (host.model === null) return
    yield* Console.log("")
    if (standing.state !== "unasked" || silent || ask === null)
      return yield* Terminal.say(`The small model of ${host.title} is ${words(host, standing)}.`)
    yield* Console.log(terms(yield* Terminal.style, host, host.model))
    const given = (yield* Terminal.answer("Ask this model?")) ?? ""
    if (Terminal.isYes(given) || Terminal.isNo(given)) return yield* keep(host, Terminal.isYes(given))
    yield* Terminal.say(
      `No model is asked, as before. \`reflexion allow model ${host.name}\` and the next install ask you again.`
    )
  },
  Effect.catchAll(({ problem }) => Console.error(`reflexion: the small model could not be offered: ${problem}`))
)

export const allow = Effect.fn("OwnModel.allow")(function* (host: Host, yes: string | null) {
  const { cwd } = yield* CliProcess
  const standing = yield* at(host.name, cwd)
  const byName = `To ask it anyway, name it in your configuration: "model": "${host.name}/small"`
  const metered = "and your own small model is asked only if your login pays for it."
  if (standing.state === "metered") return yield* new CliFailure({ problem: `${standing.why}, ${metered} ${byName}` })
  if (standing.state === "unread") return yield* new CliFailure({ problem: standing.why })
  if (host.model === null) return yield* new CliFailure({ problem: `${host.name}: ${words(host, { state: "none" })}` })
  yield* Console.log(terms(yield* Terminal.style, host, host.model))
  yield* Consent.agree("Ask this model?", { yes, undone: "Nothing changes." })
  yield* Console.log("")
  yield* keep(host, true)
  if (InstallRecord.all(yield* userDirectories, host.name).length === 0)
    yield* Terminal.say(`reflexion is not installed in ${host.title} yet: run \`reflexion install ${host.name}\`.`)
  if (standing.state === "named")
    yield* Terminal.say(
      `For now, "model": "${standing.model}" in ${standing.by} decides. Your consent counts where no configuration names a model.`
    )
})

export const forget = Effect.fn("OwnModel.forget")(
  function* (host: string) {
    const directories = yield* userDirectories
    const known = yield* said(host)
    yield* Settings.onFile(OwnModels.fileOf(directories), () => OwnModels.forget(directories, host))
    if (known !== null) yield* Terminal.say("\nYour answer about the small model is deleted: no model is asked.")
  },
  Effect.mapError(({ problem }) => new CliFailure({ problem }))
)
