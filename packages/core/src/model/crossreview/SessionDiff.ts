/**
 * What was changed in a session's project, as git has it: from the last commit before the task to the files as they are,
 * with those new ones that the session made. Files that hold keys by their names are left out.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Diff from "./CrossReviewDiff.ts"
import { isKeyFile } from "../../base/redaction/SecretFiles.ts"
import * as Git from "../../base/system/QuietGit.ts"

/** Most characters of a diff. What is beyond them is left out, and the text says so. */
export const maxLength = 200_000

const maxNewFiles = 50
const maxLooked = 2000

/** Times of files are coarse, and of the host's record may be a little late. */
const grace = 5000

/**
 * `since`: when the task was given, in ISO 8601; without it, what was committed is not part of the change, and what was
 * changed before cannot be told from it. `edited`: the files that the session wrote, absolute; of the files that git does
 * not know no others are shown. `within`: the words of a program that runs the rest of its words in a sandbox.
 */
export interface Options {
  readonly since: string | null
  readonly edited: ReadonlyArray<string>
  readonly within?: ReadonlyArray<string>
}

const leftOut = (count: number, what: string): string => (count === 0 ? "" : `(left out: ${count} ${what})\n`)

const ended = (text: string | null): string =>
  text === null || text === "" || text.endsWith("\n") ? (text ?? "") : `${text}\n`

/**
 * The diff of a directory in a git working copy; null where there is none or git cannot say. Nothing is run that the
 * repository configures (no filter, differ, converter, hook or monitor), and nothing is fetched.
 */
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

    /** Whether the user left the file so: it was last written before the task. */
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
