/** The program for `reflexion allow workspace`: trusts a project's files as they are now. */
import type { Reflection } from "@reflexion/core/Reflection"
import * as MemoryTrust from "@reflexion/core/internal/memory/log/MemoryTrust"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as LessonTrust from "@reflexion/hooks/memory/LessonTrust"
import type { UserDirectories } from "@reflexion/hooks/places/UserDirectories"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { ofProject, type Place, refused, within } from "../memory/MemoryStore.ts"
import { CliProcess, userDirectories } from "../process/CliProcess.ts"
import { attempt } from "../process/FileProblem.ts"
import * as Settings from "../process/Settings.ts"
import { clean, clip, counted, oneLine } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as Consent from "./consent.ts"
import type { AllowArguments } from "./consent.ts"

const rootFor = Effect.fnUntraced(function* ([given = ".", ...more]: ReadonlyArray<string>) {
  const directory = resolve((yield* CliProcess).cwd, given)
  if (more.length > 0) return yield* Consent.usage("name one directory only")
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
    return yield* Consent.usage(`"${oneLine(given)}" is not a directory`)
  return Trust.rootOf(directory)
})

const json = (value: unknown): string => JSON.stringify(value) ?? ""

/** The values that take effect only with trust. They are shown completely, because commands may be run. */
const differences = (trusted: unknown, without: unknown, path: string): ReadonlyArray<Sheet.Row> => {
  if (json(trusted) === json(without) || trusted === undefined) return []
  if (Array.isArray(trusted)) {
    const known = (Array.isArray(without) ? without : []).map(json)
    return trusted.filter((one) => !known.includes(json(one))).map((one) => [path, clean(json(one))] as const)
  }
  if (!Predicate.isReadonlyRecord(trusted)) return [[path, clean(json(trusted))]]
  const other = Predicate.isReadonlyRecord(without) ? without : {}
  return Object.entries(trusted).flatMap(([key, value]) =>
    differences(value, other[key], path === "" ? clean(key) : `${path}.${clean(key)}`)
  )
}

interface Memory {
  readonly root: string
  readonly all: ReadonlyArray<Reflection>
  /** The lessons that were not learned here and are not trusted. */
  readonly others: ReadonlyArray<Reflection>
  /** True if git tracks the memory and the user does not trust it. Then no lesson enters a prompt. */
  readonly isHeldBack: boolean
}

/** Null if there is nothing to trust. All work trees of a clone share one memory, so it is trusted once. */
const remembered = Effect.fnUntraced(function* (directories: UserDirectories, place: Place) {
  const { path, root } = place
  if (!existsSync(path)) return null
  const all = yield* Effect.flatMap(ReflexionStore, ({ stream }) =>
    Effect.mapError(Stream.runCollect(stream), refused)
  ).pipe(within(place, { writes: false }), Effect.map(Array.from<Reflection>))
  const known = new Set(LessonTrust.known(directories, root, all))
  const isTracked = yield* MemoryTrust.isTracked({ directory: root, file: path })
  const isHeldBack = isTracked && !LessonTrust.isTrusted(directories, root)
  const memory: Memory = { root, all, others: all.filter((one) => !known.has(one)), isHeldBack }
  return all.length > 0 && (memory.others.length > 0 || isHeldBack) ? memory : null
})

const mostShown = 5
const maxLesson = 160

/** Shows lessons of others, because a person should read them before trusting them. */
const lessons = ({ all, isHeldBack, others }: Memory): ReadonlyArray<Sheet.Row> => {
  const shown = others.slice(-mostShown).toReversed()
  const held = `${counted(all.length, "lesson")} in a file that git tracks`
  const more = `${others.length - shown.length} more lessons that were not learned here: reflexion memory show`
  return [
    ...(isHeldBack ? [["memory", held] as const] : []),
    ...shown.map((one) => ["lesson", clip(oneLine(`${one.analysis} ${one.suggestion}`), maxLesson, "...")] as const),
    ...(others.length > shown.length ? [["lessons", more] as const] : [])
  ]
}

export const run = Effect.fn("AllowWorkspace.run")(function* ({ revoke, words, yes }: AllowArguments) {
  const root = yield* rootFor(words)
  const { env } = yield* CliProcess
  const style = yield* Terminal.style
  const directories = yield* userDirectories
  const place = ofProject(root, env)
  const name = Terminal.tilde(env, root)
  if (revoke !== null) {
    const gone = yield* attempt(() => [Trust.untrust(directories, root), LessonTrust.untrust(directories, place.root)])
    return yield* Terminal.say(
      `${name}: ${gone.includes(true) ? "no longer trusted." : "not trusted; nothing changes."}`
    )
  }
  // Trusts the content that was shown, even if the files change meanwhile.
  const workspace = Trust.Workspace.at(directories, root)
  const contents = yield* attempt(() => workspace.contents)
  const memory = yield* remembered(directories, place)
  const isNew = contents.length > 0 && workspace.status !== "trusted"
  if (contents.length === 0 && memory === null && !LessonTrust.isTrusted(directories, place.root))
    return yield* Terminal.say(
      `${name}: there is nothing to trust. The project has no ${Trust.files.join(", ")} and no lessons that other people wrote.`
    )
  if (!isNew && memory === null) return yield* Terminal.say(`${name}: trusted already; nothing changes.`)
  const base = yield* Settings.user
  const said = contents.length === 0 ? {} : (yield* Settings.saidBy(workspace)).config
  const changes = differences(ReflexionConfig.mergeTrusted(base, said), ReflexionConfig.mergeWorkspace(base, said), "")
  const files = contents.map(([file, text]) => [file, `${Buffer.byteLength(text)} bytes`] as const)
  const nothing = "At present, trust changes nothing: no setting in these files needs trust."
  const learned = memory === null ? [] : lessons(memory)
  yield* Console.log(
    Sheet.blocks([
      files.length === 0
        ? Sheet.texts(style, [`Trust the lessons of ${name}?`])
        : Sheet.terms(style, `Trust the settings and lessons of ${name}?`, files),
      files.length > 0 && changes.length === 0
        ? Sheet.texts(style, [nothing])
        : Sheet.terms(style, "Takes effect", changes),
      Sheet.terms(style, "Lessons that will go into prompts and were not learned here", learned)
    ])
  )
  yield* Consent.agree("Trust this?", { yes, undone: "Nothing is trusted now." })
  if (isNew) yield* attempt(() => Trust.trust(directories, workspace))
  if (memory !== null) yield* attempt(() => LessonTrust.trust(directories, memory.root, memory.all))
  const what = [
    ...(isNew ? ["its settings, until one of these files changes"] : []),
    ...(memory === null ? [] : ["the lessons that the memory has now, but not later lessons of other people"])
  ]
  yield* Terminal.say(`\nTrusted now: ${what.join("; ")}. \`reflexion allow workspace --revoke\` withdraws the trust.`)
})
