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

/**
 * Most characters of a diff. What is beyond them is left out, and the text says so.
 *
 * @category limits
 */
export const maxLength = 200_000

const maxNewFiles = 50

/**
 * `since`: when the task was given, in ISO 8601; without it, what was committed is not part of the change, and what was
 * changed before cannot be told from it. `edited`: the
 * files that the session wrote, absolute; of the files that git does not know no others are shown. `within`: the words of
 * a program that runs the rest of its words in a sandbox.
 *
 * @category models
 */
export interface Options {
  readonly since: string | null
  readonly edited: ReadonlyArray<string>
  readonly within?: ReadonlyArray<string>
}

interface Place {
  readonly git: Git.Git
  readonly directory: string
}

const ask = ({ directory, git }: Place, words: ReadonlyArray<string>, more: Partial<Git.Asking> = {}) =>
  Effect.map(Git.ask(git, words, { ...more, directory }), (bytes) => (bytes === null ? null : Git.text(bytes)))

/** Of the files that git does not know those that the session wrote, and how many others there are. */
const newFiles = Effect.fnUntraced(function* (place: Place, edited: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const listed = (yield* ask(place, ["ls-files", "--others", "--exclude-standard", "-z", "--", "."])) ?? ""
  const real = yield* Effect.orElseSucceed(fs.realPath(place.directory), () => place.directory)
  const written = new Set(edited.map((file) => path.resolve(file)))
  const isWritten = (name: string) =>
    written.has(path.resolve(place.directory, name)) || written.has(path.resolve(real, name))
  const files = listed.split("\0").filter((name) => name !== "" && !isKeyFile(name))
  const made = files.filter(isWritten)
  return { made: made.slice(0, maxNewFiles), others: files.length - Math.min(made.length, maxNewFiles) }
})

/** Where a link leads to is no part of the change. */
const added = Effect.fnUntraced(function* (place: Place, file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const isLink = yield* Effect.isSuccess(fs.readLink(path.join(place.directory, file)))
  if (isLink) return null
  const words = ["diff", "--no-index", ...Git.plainDiff, "--", "/dev/null", file]
  return yield* ask(place, words, { status: 1, limit: maxLength / 10, cut: true })
})

const maxLooked = 2000

/** Times of files are coarse, and of the host's record may be a little late. */
const grace = 5000

/** Whether a file was last written before a moment, as what the user left uncommitted there. */
const isOlder = Effect.fnUntraced(
  function* (file: string, moment: number) {
    const fs = yield* FileSystem.FileSystem
    const { mtime } = yield* fs.stat(file)
    return Option.exists(mtime, (written) => written.getTime() < moment - grace)
  },
  Effect.orElseSucceed(() => false)
)

/** Of the files that git knows those that nobody has written since the task was given: their changes are not of it. */
const leftFromBefore = Effect.fnUntraced(function* (place: Place, base: string, { edited, since }: Options) {
  const moment = Date.parse(since ?? "")
  if (Number.isNaN(moment)) return []
  const path = yield* Path.Path
  const listed =
    (yield* ask(place, ["diff", "--name-only", "-z", "--relative", ...Git.plainDiff, base, "--", "."])) ?? ""
  const names = listed.split("\0").filter((name) => name !== "")
  const written = new Set(edited.map((file) => path.resolve(file)))
  const others = names.filter((name) => !written.has(path.resolve(place.directory, name)))
  if (others.length > maxLooked) return []
  return yield* Effect.filter(others, (name) => isOlder(path.join(place.directory, name), moment), { concurrency: 16 })
})

/** What was left out, and how much of it. */
const leftOut = (count: number, what: string): string => (count === 0 ? "" : `(left out: ${count} ${what})\n`)

const ended = (text: string | null): string =>
  text === null || text === "" || text.endsWith("\n") ? (text ?? "") : `${text}\n`

/**
 * The diff of a directory in a git working copy; null where there is none or git cannot say. Nothing is run that the
 * repository configures, be it a filter, a differ, a converter, a hook or a monitor, and nothing is fetched.
 *
 * @category constructors
 */
export const ofDirectory: (
  directory: string,
  options: Options
) => Effect.Effect<string | null, never, CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path> =
  Effect.fn("SessionDiff.ofDirectory")(function* (directory: string, { edited, since, within = [] }: Options) {
    const git = yield* Git.open(directory, within)
    if (git === null) return null
    const place: Place = { git, directory }
    const inside = ((yield* ask(place, ["rev-parse", "--is-inside-work-tree"])) ?? "").trim()
    if (inside !== "true") return null
    const base = yield* Git.baseOf(git, directory, since)
    const before = yield* leftFromBefore(place, base, { edited, since })
    const words = ["diff", ...Git.plainDiff, base, "--", ".", ...before.map((name) => `:(exclude,literal)${name}`)]
    const known = yield* ask(place, words, { limit: maxLength * 2, cut: true })
    if (known === null) return null
    const { made, others } = yield* newFiles(place, edited)
    const parts = yield* Effect.forEach(made, (file) => added(place, file))
    const { kept, left } = Diff.withoutKeys([known, ...parts].map(ended).join(""))
    return [
      kept.length <= maxLength ? kept : `${kept.slice(0, maxLength)}\n(the diff is longer: the rest is left out)\n`,
      leftOut(left, "that may hold keys"),
      leftOut(before.length, "changed before the task, and not since"),
      leftOut(others, "new, and not known to be made by the session")
    ].join("")
  })
