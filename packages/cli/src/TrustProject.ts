/**
 * The programs behind `reflexion trust` and `reflexion untrust`.
 *
 * @since 0.1.0
 */
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as Trust from "@reflexion/hooks/Trust"
import * as UserDirectories from "@reflexion/hooks/UserDirectories"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import { CliProcess } from "./CliProcess.ts"
import { ConfigurationError, UsageError } from "./CliError.ts"
import { explain } from "./FileProblem.ts"
import { isDirectory } from "./Input.ts"
import { clip, oneLine, pad } from "./Layout.ts"
import * as Settings from "./Settings.ts"
import * as Terminal from "./Terminal.ts"
import { paint, symbols, type TerminalStyle } from "./TerminalStyle.ts"

const attempt = <A>(run: () => A): Effect.Effect<A, ConfigurationError> =>
  Effect.try({
    try: run,
    catch: (cause) => new ConfigurationError({ problem: explain(cause).problem })
  })

const rootFor = Effect.fnUntraced(function* (command: string, given: ReadonlyArray<string>) {
  const { cwd } = yield* CliProcess
  const directory = resolve(cwd, given[0] ?? ".")
  const fail = (problem: string) => new UsageError({ command: `reflexion ${command}`, problem })
  if (given.length > 1) return yield* fail("one directory at a time")
  if (!(yield* isDirectory(directory))) return yield* fail(`"${oneLine(given[0] ?? "")}" is not a directory`)
  return Trust.rootOf(directory)
})

const maxCommand = 120

const quoted = (style: TerminalStyle, command: string): string =>
  `\`${clip(oneLine(command), maxCommand, symbols(style).ellipsis)}\``

const gateEffect = (style: TerminalStyle, { command, name }: ReflexionConfig.ActiveGate): string =>
  `gate ${oneLine(name)}: texts to you and the agent show its command, ${quoted(style, command)}`

/** The whole command, for this one is run. */
const checkEffect = ({ command, gate }: ReflexionConfig.Check): string =>
  `check ${oneLine(gate)}: \`${oneLine(command)}\` is run where that gate has no result`

const providerEffect = (name: string, { keyEnv, url }: ReflexionConfig.Provider): string => {
  const key = keyEnv === undefined ? "" : `, and what ${oneLine(keyEnv)} has is sent there as the key`
  return `provider ${oneLine(name)}: what is asked goes to ${url === undefined ? "its usual address" : oneLine(url)}${key}`
}

const namedEffects = (key: string, names: Readonly<Record<string, string | undefined>> = {}): ReadonlyArray<string> =>
  Object.entries(names).flatMap(([name, model]) => (model === undefined ? [] : [`${key}.${name} ${oneLine(model)}`]))

const limits = ["fallback", "fast", "weak", "timeout", "tokensPerReview", "tokensPerDay"] as const

/** All that a project says of models and checks takes effect with trust, and nothing of it without. */
const modelEffects = (style: TerminalStyle, found: ReflexionConfig.PartialConfig): ReadonlyArray<string> => {
  const { crossReview, model, models = {}, routing, verify } = found
  return [
    ...(model === undefined ? [] : [model === "off" ? "no model is asked" : `model ${oneLine(model)} is asked`]),
    ...Object.entries(models.providers ?? {}).map(([name, provider]) => providerEffect(name, provider)),
    ...limits.flatMap((key) =>
      models[key] === undefined
        ? []
        : [`models.${key} ${clip(oneLine(JSON.stringify(models[key])), maxCommand, symbols(style).ellipsis)}`]
    ),
    ...namedEffects("crossReview", crossReview),
    ...namedEffects("routing", routing),
    ...(verify?.checks ?? []).map(checkEffect)
  ]
}

/** What the project's configuration can do with trust and cannot without. */
const effects = (
  style: TerminalStyle,
  base: ReflexionConfig.ReflexionConfig,
  found: ReflexionConfig.PartialConfig
): ReadonlyArray<string> => {
  const trusted = ReflexionConfig.mergeTrusted(base, found)
  const without = ReflexionConfig.mergeWorkspace(base, found)
  const hidden = without.gates.filter((gate) => gate.untrusted === true)
  return [
    ...(trusted.maxAttempts === without.maxAttempts
      ? []
      : [`maxAttempts ${trusted.maxAttempts}, where yours is ${without.maxAttempts}`]),
    ...hidden.map((gate) => gateEffect(style, gate)),
    ...modelEffects(style, found)
  ]
}

const good = (style: TerminalStyle, text: string): string => Terminal.signed(style, "passed", text).join("\n")

const listing = (
  style: TerminalStyle,
  contents: ReturnType<typeof Trust.contents>,
  changes: ReadonlyArray<string>
): ReadonlyArray<string> => [
  ...contents.map(([name, text]) => `  ${paint(style, ["cyan"], pad(name, 26))}${Buffer.byteLength(text)} bytes`),
  "",
  ...(changes.length === 0
    ? Terminal.signed(style, null, "Trust makes no difference to what these say at present.")
    : ["  Takes effect:", ...changes.flatMap((one) => Terminal.signed(style, "bullet", one, 2))])
]

/**
 * @since 0.1.0
 * @category programs
 */
export const trust = Effect.fn("TrustProject.trust")(function* (given: ReadonlyArray<string>) {
  const root = yield* rootFor("trust", given)
  const { env } = yield* CliProcess
  const style = yield* Terminal.style
  const directories = UserDirectories.make(env)
  const contents = yield* attempt(() => Trust.contents(root))
  const name = paint(style, ["bold"], Terminal.tilde(env, root))
  if (contents.length === 0) {
    return yield* Console.log(
      `${name}\n\n${good(style, `There is nothing to trust: the project has none of ${Trust.files.join(", ")}.`)}`
    )
  }
  const changes = effects(style, yield* Settings.user, yield* Settings.project(root))
  const before = Trust.status(directories, root)
  if (before !== "trusted") yield* attempt(() => Trust.trust(directories, root))
  const done =
    before === "trusted"
      ? "Trusted already; nothing changes."
      : `Trusted${before === "changed" ? " anew" : ""}, until one of these files changes. \`reflexion untrust\` takes it back.`
  yield* Console.log([name, "", ...listing(style, contents, changes), "", good(style, done)].join("\n"))
})

/**
 * @since 0.1.0
 * @category programs
 */
export const untrust = Effect.fn("TrustProject.untrust")(function* (given: ReadonlyArray<string>) {
  const root = yield* rootFor("untrust", given)
  const { env } = yield* CliProcess
  const style = yield* Terminal.style
  const was = yield* attempt(() => Trust.untrust(UserDirectories.make(env), root))
  const name = paint(style, ["bold"], Terminal.tilde(env, root))
  yield* Console.log(`${name}\n\n${good(style, was ? "No longer trusted." : "Not trusted; nothing changes.")}`)
})
