/**
 * What was changed in a session's project, as git has it: from the last commit before the task to the files as they are,
 * those included that git does not know yet.
 *
 * @since 0.1.0
 */
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/**
 * Most characters of a diff. What is beyond them is left out, and the text says so.
 *
 * @since 0.1.0
 * @category limits
 */
export const maxLength = 200_000

const maxNewFiles = 50

const patience = "20 seconds"

/** Nothing that a repository configures is run: no differ, no converter, no monitor. */
const still = ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false"]

const plain = ["--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"]

/** What git prints, up to a limit; null where it fails. `--no-index` ends with 1 where there is a difference. */
const git = (directory: string, args: ReadonlyArray<string>, limit: number = maxLength) =>
  Effect.gen(function* () {
    const command = Command.make("git", ...still, ...args).pipe(
      Command.workingDirectory(directory),
      Command.env({ GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" }),
      Command.stdin(Stream.empty),
      Command.stderr("pipe")
    )
    const child = yield* Command.start(command)
    yield* Effect.forkScoped(Stream.runDrain(child.stderr))
    const parts = yield* child.stdout.pipe(
      Stream.decodeText(),
      Stream.mapAccum(0, (length, part) => [length + part.length, { part, length: length + part.length }]),
      Stream.takeUntil(({ length }) => length > limit),
      Stream.map(({ part }) => part),
      Stream.runCollect
    )
    const text = Chunk.join(parts, "")
    if (text.length > limit) return text
    return (yield* child.exitCode) <= 1 ? text : null
  }).pipe(
    Effect.scoped,
    Effect.timeoutOption(patience),
    Effect.map(Option.getOrNull),
    Effect.orElseSucceed(() => null)
  )

/** The empty tree: what a repository begins with. */
const beginning = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

const isHash = (text: string): boolean => /^[0-9a-f]{40,64}$/.test(text)

const baseOf = Effect.fnUntraced(function* (directory: string, since: string | null) {
  const head = ((yield* git(directory, ["rev-parse", "--verify", "--quiet", "HEAD"])) ?? "").trim()
  if (!isHash(head)) return beginning
  if (since === null) return head
  const before = yield* git(directory, ["rev-list", "-1", `--before=${since}`, "HEAD"])
  const base = (before ?? "").trim()
  return isHash(base) ? base : beginning
})

const unknownFiles = Effect.fnUntraced(function* (directory: string) {
  const listed = yield* git(directory, ["ls-files", "--others", "--exclude-standard", "-z", "--", "."])
  return (listed ?? "").split("\0").filter((name) => name !== "")
})

const added = (directory: string, file: string) =>
  git(directory, ["diff", "--no-index", ...plain, "--", "/dev/null", file], maxLength / 10)

const bounded = (text: string, more: string): string =>
  text.length <= maxLength
    ? `${text}${more}`
    : `${text.slice(0, maxLength)}\n(the diff is longer: the rest is left out)\n${more}`

/**
 * The diff of a directory in a git working copy; null where there is none or git cannot say. `since`: when the task was
 * given, in ISO 8601; without it, what was committed is not part of the change.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofDirectory: (
  directory: string,
  since: string | null
) => Effect.Effect<string | null, never, CommandExecutor.CommandExecutor> = Effect.fn("SessionDiff.ofDirectory")(
  function* (directory: string, since: string | null) {
    const inside = ((yield* git(directory, ["rev-parse", "--is-inside-work-tree"])) ?? "").trim()
    if (inside !== "true") return null
    const base = yield* baseOf(directory, since)
    const known = yield* git(directory, ["diff", ...plain, base, "--", "."])
    if (known === null) return null
    const files = yield* unknownFiles(directory)
    const parts = yield* Effect.forEach(files.slice(0, maxNewFiles), (file) => added(directory, file))
    const left = files.length > maxNewFiles ? `(${files.length - maxNewFiles} more new files are left out)\n` : ""
    return bounded([known, ...parts].map((part) => part ?? "").join(""), left)
  }
)
