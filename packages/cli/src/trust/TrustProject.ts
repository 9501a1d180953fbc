/** The programs behind `reflexion trust` and `reflexion untrust`. */
import * as MemoryTrust from "@reflexion/core/internal/memory/log/MemoryTrust"
import type { Reflection } from "@reflexion/core/Reflection"
import { saidIn } from "@reflexion/core/internal/session/config/DoneWhenGates"
import type { Condition } from "@reflexion/core/internal/session/donewhen/DoneWhen"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import type * as ConfigSources from "@reflexion/hooks/config/ConfigSources"
import * as LessonTrust from "@reflexion/hooks/memory/LessonTrust"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { CliProcess } from "../process/CliProcess.ts"
import { ConfigurationError, UsageError } from "../process/CliError.ts"
import { explain } from "../process/FileProblem.ts"
import { isDirectory } from "../process/Input.ts"
import { clip, counted, oneLine, pad } from "../terminal/Layout.ts"
import { ofProject, type Place, refused, within } from "../memory/MemoryStore.ts"
import * as Settings from "../process/Settings.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { paint, symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"

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

/** What stands in the place of the user's own, or of one that every project has. */
const replacingEffect = (style: TerminalStyle, { command, name, required }: ReflexionConfig.DeclaredGate): string =>
  `gate ${oneLine(name)}: ${quoted(style, command)} becomes a run of it, and it is ${required ? "required" : "not required"}, in the place of what holds without trust`

/** The whole command, for this one is run. */
const checkEffect = ({ command, name }: ReflexionConfig.Check): string =>
  `check ${oneLine(name)}: \`${oneLine(command)}\` is run after a change of what it covers`

const conditionEffect = ({ command, text }: Condition): ReadonlyArray<string> =>
  command === null
    ? [`doneWhen: an agent may be told that this is missing: "${oneLine(text)}"`]
    : [`doneWhen: \`${oneLine(command)}\` has to pass before a task is done, and may be run for it`]

const providerEffect = (name: string, { keyEnv, url }: ReflexionConfig.Provider): string => {
  const key = keyEnv === undefined ? "" : `, and what ${oneLine(keyEnv)} has is sent there as the key`
  return `provider ${oneLine(name)}: what is asked goes to ${url === undefined ? "its usual address" : oneLine(url)}${key}`
}

const namedEffects = (key: string, names: Readonly<Record<string, string | undefined>> = {}): ReadonlyArray<string> =>
  Object.entries(names).flatMap(([name, model]) => (model === undefined ? [] : [`${key}.${name} ${oneLine(model)}`]))

const limits = [
  "fallback",
  "fast",
  "weak",
  "pushFrom",
  "timeout",
  "tokensPerReview",
  "tokensPerDay",
  "callsPerDay"
] as const

/** All that a project says of models and checks takes effect with trust, and nothing of it without. */
const modelEffects = (style: TerminalStyle, found: ReflexionConfig.PartialConfig): ReadonlyArray<string> => {
  const { crossReview, doneWhen, model, models = {}, routing, checks = [] } = found
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
    ...checks.map(checkEffect),
    ...saidIn(doneWhen, { commands: true }).flatMap(conditionEffect)
  ]
}

/** What an agent would be told in reflexion's name, whole; that nothing is told needs no trust. */
const todoEffects = (
  style: TerminalStyle,
  todos: NonNullable<ReflexionConfig.PartialConfig["todos"]> = {}
): ReadonlyArray<string> =>
  Object.entries(todos)
    .filter(([key]) => key !== "enabled")
    .map(([key, value]) => `todos.${key} ${clip(oneLine(JSON.stringify(value)), maxCommand, symbols(style).ellipsis)}`)

/** What the project's configuration can do with trust and cannot without. */
const effects = (
  style: TerminalStyle,
  base: ReflexionConfig.ReflexionConfig,
  { config: found }: ConfigSources.Said
): ReadonlyArray<string> => {
  const trusted = ReflexionConfig.mergeTrusted(base, found)
  const without = ReflexionConfig.mergeWorkspace(base, found)
  const hidden = without.gates.filter((gate) => gate.untrusted === true)
  const left = (found.gates ?? []).filter(({ name }) => !hidden.some((gate) => gate.name === name))
  return [
    ...(trusted.maxAttempts === without.maxAttempts
      ? []
      : [`maxAttempts ${trusted.maxAttempts}, where yours is ${without.maxAttempts}`]),
    ...hidden.map((gate) => gateEffect(style, gate)),
    ...left.map((gate) => replacingEffect(style, gate)),
    ...modelEffects(style, found),
    ...todoEffects(style, found.todos)
  ]
}

const good = (style: TerminalStyle, text: string): string => Terminal.signed(style, "passed", text).join("\n")

/** A project's memory, null where it has none. `others` are those that neither were learned here nor are trusted. */
interface Remembered {
  /** By which the user trusts it: what all work trees of a clone share is trusted once. */
  readonly root: string
  readonly all: ReadonlyArray<Reflection>
  readonly others: ReadonlyArray<Reflection>
  /** Whether nothing of it goes into a prompt, whoever wrote it. */
  readonly isHeldBack: boolean
}

const remembered = Effect.fnUntraced(function* (directories: UserDirectories.UserDirectories, place: Place) {
  const { root } = place
  if (!existsSync(place.path)) return null
  const found = yield* Effect.flatMap(ReflexionStore, ({ stream }) =>
    Effect.mapError(Stream.runCollect(stream), refused)
  ).pipe(within(place, { writes: false }))
  const all = [...found]
  const known = new Set(LessonTrust.known(directories, root, all))
  const isTracked = yield* MemoryTrust.isTracked({ directory: root, file: place.path })
  const memory: Remembered = {
    root,
    all,
    others: all.filter((one) => !known.has(one)),
    isHeldBack: isTracked && !LessonTrust.isTrusted(directories, root)
  }
  return memory
})

const isDue = (memory: Remembered | null): memory is Remembered =>
  memory !== null && memory.all.length > 0 && (memory.others.length > 0 || memory.isHeldBack)

const mostShown = 5
const maxLesson = 160

/** What others wrote is shown: whoever trusts it should have read it. */
const memoryEffects = (style: TerminalStyle, { all, isHeldBack, others }: Remembered): ReadonlyArray<string> => {
  const { ellipsis } = symbols(style)
  const shown = others.slice(-mostShown).toReversed()
  const more = others.length - shown.length
  return [
    ...(isHeldBack
      ? [`memory: ${counted(all.length, "reflection")} in a file that git tracks can go into prompts`]
      : []),
    ...shown.map(
      ({ analysis, suggestion }) =>
        `goes into prompts, not learned here: ${clip(oneLine(`${analysis} ${suggestion}`), maxLesson, ellipsis)}`
    ),
    ...(more > 0
      ? [`and ${more} more that were not learned here: reflexion recall --format json --limit ${all.length}`]
      : [])
  ]
}

type Contents = Trust.Workspace["contents"]

const memoryRow = (name: string, { all, others }: Remembered): readonly [string, string] => [
  name,
  `${counted(all.length, "reflection")}${others.length === 0 ? "" : `, ${others.length} not learned here`}`
]

const listing = (
  style: TerminalStyle,
  rows: ReadonlyArray<readonly [string, string]>,
  changes: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const width = Math.max(26, ...rows.map(([name]) => name.length + 3))
  return [
    ...rows.map(([name, what]) => `  ${paint(style, ["cyan"], pad(name, width))}${what}`),
    "",
    ...(changes.length === 0
      ? Terminal.signed(style, null, "Trust makes no difference to what these say at present.")
      : ["  Takes effect:", ...changes.flatMap((one) => Terminal.signed(style, "bullet", one, 2))])
  ]
}

const nothing = `There is nothing to trust: the project has none of ${Trust.files.join(", ")}, and no memory that others wrote.`

/** What the user is told at the end. */
const doneOf = (before: Trust.Status, contents: Contents, memory: Remembered | null): string => {
  const isNew = contents.length > 0 && before !== "trusted"
  const what = [
    ...(isNew ? ["until one of these files changes"] : []),
    ...(isDue(memory) ? ["what the memory has now and not what others add to it"] : [])
  ]
  return what.length === 0
    ? "Trusted already; nothing changes."
    : `Trusted${isNew && before === "changed" ? " anew" : ""}, ${what.join("; ")}. \`reflexion untrust\` takes it back.`
}

export const trust = Effect.fn("TrustProject.trust")(function* (given: ReadonlyArray<string>) {
  const root = yield* rootFor("trust", given)
  const { env } = yield* CliProcess
  const style = yield* Terminal.style
  const directories = UserDirectories.make(env)
  // What is shown is what is trusted, whatever lies there when it has been shown.
  const workspace = Trust.Workspace.at(directories, root)
  const contents = yield* attempt(() => workspace.contents)
  const place = ofProject(root, env)
  const memory = yield* remembered(directories, place)
  const name = paint(style, ["bold"], Terminal.tilde(env, root))
  const memoryName = place.root === root ? ".reflection/reflections.jsonl" : Terminal.tilde(env, place.path)
  if (contents.length === 0 && !isDue(memory) && !LessonTrust.isTrusted(directories, place.root))
    return yield* Console.log(`${name}\n\n${good(style, nothing)}`)
  const changes = [
    ...(contents.length === 0 ? [] : effects(style, yield* Settings.user, yield* Settings.saidBy(workspace))),
    ...(isDue(memory) ? memoryEffects(style, memory) : [])
  ]
  const rows = [
    ...contents.map(([file, text]) => [file, `${Buffer.byteLength(text)} bytes`] as const),
    ...(memory !== null && (isDue(memory) || LessonTrust.isTrusted(directories, place.root))
      ? [memoryRow(memoryName, memory)]
      : [])
  ]
  const done = doneOf(workspace.status, contents, memory)
  if (contents.length > 0 && workspace.status !== "trusted") yield* attempt(() => Trust.trust(directories, workspace))
  if (isDue(memory)) yield* attempt(() => LessonTrust.trust(directories, memory.root, memory.all))
  yield* Console.log([name, "", ...listing(style, rows, changes), "", good(style, done)].join("\n"))
})

export const untrust = Effect.fn("TrustProject.untrust")(function* (given: ReadonlyArray<string>) {
  const root = yield* rootFor("untrust", given)
  const { env } = yield* CliProcess
  const style = yield* Terminal.style
  const directories = UserDirectories.make(env)
  const [files, memory] = yield* attempt(() => [
    Trust.untrust(directories, root),
    LessonTrust.untrust(directories, ofProject(root, env).root)
  ])
  const name = paint(style, ["bold"], Terminal.tilde(env, root))
  const said = files || memory ? "No longer trusted." : "Not trusted; nothing changes."
  yield* Console.log(`${name}\n\n${good(style, said)}`)
})
