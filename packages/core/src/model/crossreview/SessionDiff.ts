/** The diff of a session's project, without key files: from the last commit before the task to the files now. */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Diff from "./CrossReviewDiff.ts"
import { isKeyFile } from "../../base/redaction/SecretFiles.ts"
import * as Git from "../../base/system/QuietGit.ts"

/** In characters. */
export const maxLength = 200_000

const maxNewFiles = 50
const maxLooked = 2000

/** In milliseconds. File times are coarse, and the host's times may be slightly late. */
const grace = 5000

export interface Options {
  /** In ISO 8601. If it is null, the diff has no commits and may have edits from before the task. */
  readonly since: string | null
  /** Absolute paths. Files that git does not track are shown only if they are listed here. */
  readonly edited: ReadonlyArray<string>
  /** The command words of a sandbox that runs git. */
  readonly within?: ReadonlyArray<string>
}

const leftOut = (count: number, what: string): string => (count === 0 ? "" : `(left out: ${count} ${what})\n`)

const ended = (text: string | null): string =>
  text === null || text === "" || text.endsWith("\n") ? (text ?? "") : `${text}\n`

/** Null outside a working copy, or if git fails. Runs no filter, diff tool, hook or monitor of the repository. */
export const ofDirectory: (
  directory: string,
  options: Options
) => Effect.Effect<string | null, never, CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path> =
  Effect.fn("SessionDiff.ofDirectory")(function* (directory: string, { edited, since, within = [] }: Options) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const git = yield* Git.open(directory, within)
    if (git === null) return null
    const ask = (words: ReadonlyArray<string>, more: Partial<Git.Asking> = {}) =>
      Effect.map(Git.ask(git, words, { ...more, directory }), (bytes) => (bytes === null ? null : Git.text(bytes)))
    const list = (...words: ReadonlyArray<string>) =>
      Effect.map(ask([...words, "--", "."]), (text) => (text ?? "").split("\0").filter((name) => name !== ""))
    if ((yield* ask(["rev-parse", "--is-inside-work-tree"]))?.trim() !== "true") return null

    const written = new Set(edited.map((file) => path.resolve(file)))
    const roots = [directory, yield* Effect.orElseSucceed(fs.realPath(directory), () => directory)]
    const isWritten = (name: string): boolean => roots.some((root) => written.has(path.resolve(root, name)))

    const isOlder = (name: string) =>
      fs.stat(path.join(directory, name)).pipe(
        Effect.map(({ mtime }) => Option.exists(mtime, (at) => at.getTime() < Date.parse(since ?? "") - grace)),
        Effect.orElseSucceed(() => false)
      )
    const base = yield* Git.baseOf(git, directory, since)
    const changed = yield* list("diff", "--name-only", "-z", "--relative", ...Git.plainDiff, base)
    const others = changed.filter((name) => !isWritten(name))
    const before = others.length > maxLooked ? [] : yield* Effect.filter(others, isOlder, { concurrency: 16 })
    const excluded = before.map((name) => `:(exclude,literal)${name}`)
    const known = yield* ask(["diff", ...Git.plainDiff, base, "--", ".", ...excluded], {
      limit: maxLength * 2,
      cut: true
    })
    if (known === null) return null

    const unknown = yield* list("ls-files", "--others", "--exclude-standard", "-z")
    const fresh = unknown.filter((name) => !isKeyFile(name))
    const made = fresh.filter(isWritten).slice(0, maxNewFiles)
    const parts = yield* Effect.forEach(made, (file) =>
      ask(["diff", "--no-index", ...Git.plainDiff, "--", "/dev/null", file], {
        status: 1,
        limit: maxLength / 10,
        cut: true
      })
    )
    const { kept, left } = Diff.withoutKeys([known, ...parts].map(ended).join(""))
    return [
      kept.length <= maxLength ? kept : `${kept.slice(0, maxLength)}\n(the diff is longer: the rest is left out)\n`,
      leftOut(left, "that may hold keys"),
      leftOut(before.length, "changed before the task, and not since"),
      leftOut(fresh.length - made.length, "new, and not known to be made by the session")
    ].join("")
  })
