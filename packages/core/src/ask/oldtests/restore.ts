/** The files as they were before the task's first edit, by the record where it shows them, else by the commit before it. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Json from "../../ground/json/Json.ts"
import * as Git from "../../ground/system/QuietGit.ts"
import { back, fits } from "./changes.ts"
import type { Restored } from "./model.ts"
import type { Touched } from "./record.ts"
import { isManifest } from "./TestFiles.ts"

/** `text` is what the file was, null where there was none; `now`, what it is. */
export interface Old extends Restored {
  readonly file: string
  readonly text: string | null
  readonly now: string | null
}

/** The commit before the task; `isFirst`: nothing was done in this session before the task. */
export interface Base {
  readonly git: Git.Git
  readonly root: string
  readonly commit: string
  readonly isFirst: boolean
}

const maxFile = 1024 * 1024

const read = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const isLink = yield* Effect.isSuccess(fs.readLink(file))
  if (isLink) return null
  return yield* Effect.orElseSucceed(fs.readFileString(file), () => null)
})

const nameIn = Effect.fnUntraced(function* ({ root }: Base, file: string) {
  const path = yield* Path.Path
  const name = path.relative(root, file)
  return name === "" || name.startsWith("..") || path.isAbsolute(name) ? null : name.replaceAll("\\", "/")
})

const show = Effect.fnUntraced(function* ({ commit, git, root }: Base, name: string) {
  const asking = { directory: root, limit: maxFile }
  const bytes = yield* Git.ask(git, ["show", "--no-textconv", `${commit}:${name}`], asking)
  return bytes === null ? null : Git.text(bytes)
})

const isFile = ({ commit, git, root }: Base, name: string) =>
  Effect.map(Git.ask(git, ["ls-tree", "-z", commit, "--", name], { directory: root }), (out) =>
    out === null ? false : Git.text(out).startsWith("100")
  )

/** What was read of it stands in that text, line by line. */
const agrees = (text: string, shown: Touched["shown"]): boolean => {
  if (shown === null) return true
  const lines = new Set(text.split("\n").map((line) => line.trimEnd()))
  return shown.lines.every((line) => lines.has(line.trimEnd()))
}

type Before = Pick<Old, "from" | "text">

/** What was shown has lost the end of its last line. */
const ofShown = ({ changes, shown }: Touched, now: string | null): Before | null => {
  if (shown === null || !shown.whole) return null
  const text = shown.lines.join("\n").replace(/\n*$/, now === null || now.endsWith("\n") ? "\n" : "")
  return fits(text, changes) ? { from: "record", text } : null
}

const beforeOf = Effect.fnUntraced(function* (touched: Touched, now: string | null, base: Base, name: string) {
  const [first] = touched.changes
  if (first?._tag === "whole" && first.isNew) return { from: "absent", text: null } satisfies Before
  const reversed = now === null ? null : back(now, touched.changes)
  if (reversed !== null) return { from: "record", text: reversed } satisfies Before
  const shown = ofShown(touched, now)
  if (shown !== null) return shown
  const isThere = yield* isFile(base, name)
  if (!isThere)
    return first?._tag === "whole" && touched.shown === null ? { from: "absent" as const, text: null } : null
  const text = yield* show(base, name)
  // What was done to it earlier in the session is in no commit for all that is known.
  if (text === null || !base.isFirst || !fits(text, touched.changes) || !agrees(text, touched.shown)) return null
  return { from: "commit", text } satisfies Before
})

const parsed = (text: string): Json.Json | null => {
  try {
    const value: unknown = JSON.parse(text)
    return Json.isObject(value) ? value : null
  } catch {
    return null
  }
}

const ofRunners = ["scripts", "jest", "mocha", "ava", "tap", "nyc", "c8", "vitest"]

const parts = (manifest: Json.Json): string => JSON.stringify(ofRunners.map((key) => manifest[key] ?? null))

/** A manifest says more than how tests are run: the rest of it stays as it is. */
const merged = (before: string, now: string): string | null => {
  const [old, present] = [parsed(before), parsed(now)]
  if (old === null || present === null) return null
  const kept = Object.entries(present).filter(([key]) => !ofRunners.includes(key))
  const restored = Object.entries(old).filter(([key]) => ofRunners.includes(key))
  return parts(old) === parts(present) ? null : JSON.stringify(Object.fromEntries([...kept, ...restored]), null, 2)
}

const restoreOne = Effect.fnUntraced(function* (touched: Touched, base: Base) {
  const name = yield* nameIn(base, touched.path)
  if (name === null) return []
  const now = yield* read(touched.path)
  const before = yield* beforeOf(touched, now, base, name)
  if (before === null || before.text === now) return []
  const old: Old = { file: touched.path, path: name, now, ...before }
  if (!isManifest(name)) return [old]
  const text = before.text === null || now === null ? null : merged(before.text, now)
  return text === null ? [] : [{ ...old, text }]
})

const maxInFolder = 200

/** The files of a folder that is no longer there, as `rm -r tests` leaves it. */
const inFolder = Effect.fnUntraced(function* (touched: Touched, base: Base) {
  const path = yield* Path.Path
  const fs = yield* FileSystem.FileSystem
  const name = yield* nameIn(base, touched.path)
  if (name === null || (yield* Effect.orElseSucceed(fs.exists(touched.path), () => true))) return [touched]
  const asking = { directory: base.root }
  const out = yield* Git.ask(base.git, ["ls-tree", "-r", "-z", "--name-only", base.commit, "--", `${name}/`], asking)
  const names = out === null ? [] : Git.items(out)
  if (names.length === 0 || names.length > maxInFolder) return [touched]
  return names.map((one): Touched => ({ ...touched, path: path.join(base.root, one), shown: null }))
})

/** Those that were otherwise, as far as it is known how. */
export const restore = Effect.fnUntraced(function* (touched: ReadonlyArray<Touched>, base: Base) {
  const all = (yield* Effect.forEach(touched, (one) => inFolder(one, base))).flat()
  const distinct = [...new Map(all.map((one) => [one.path, one])).values()]
  const found: ReadonlyArray<ReadonlyArray<Old>> = yield* Effect.forEach(distinct, (one) => restoreOne(one, base))
  return found.flat()
})
