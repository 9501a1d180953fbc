/** Secrets that stand in what an agent changed: it may have read files that nobody wants in a commit. */
import * as Effect from "effect/Effect"
import { findSecrets } from "../../base/redaction/Redaction.ts"
import * as QuietGit from "../../base/system/QuietGit.ts"
import { oneLine } from "../../base/text/Text.ts"

const link = "160000"

interface Change {
  readonly path: string
  /** The file's object before and now; null where there was or is none. */
  readonly before: string | null
  readonly after: string | null
}

const objectOf = (mode: string, hash: string): string | null =>
  mode === link || /^0+$/.test(hash) || !/^[0-9a-f]{40,64}$/.test(hash) ? null : hash

/** `:100644 100644 <hash> <hash> M` and the path, each ended by a NUL. */
const changesOf = (items: ReadonlyArray<string>): ReadonlyArray<Change> =>
  items.flatMap((item, index) => {
    const [before = "", after = "", hashBefore = "", hashAfter = ""] = item.slice(1).split(" ")
    const path = items[index + 1]
    return index % 2 === 1 || path === undefined
      ? []
      : [{ path, before: objectOf(before, hashBefore), after: objectOf(after, hashAfter) }]
  })

const lineBreak = 10

/** What `cat-file --batch` printed, by the objects' names. One that is missing has no text. */
const textsOf = (bytes: Uint8Array): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(lineBreak, at)
    if (end < 0) break
    const [hash = "", , size] = QuietGit.text(bytes.subarray(at, end)).split(" ")
    const length = size === undefined ? 0 : Number(size)
    if (size !== undefined) texts.set(hash, QuietGit.text(bytes.subarray(end + 1, end + 1 + length)))
    at = end + 1 + (size === undefined ? 0 : length + 1)
  }
  return texts
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

/** More than that nobody reads, and no agent of a few rounds writes. */
const mostBytes = 32 * 1024 * 1024

/**
 * Where secrets stand in what differs between two trees, as `path:line`, but for those that the changed files had before;
 * null where git does not say, or where it is too much to be looked at.
 */
export const found = Effect.fnUntraced(function* (
  git: QuietGit.Git,
  { after, before, directory }: { readonly directory: string; readonly before: string; readonly after: string }
) {
  const words = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index", before, after]
  const listed = yield* QuietGit.ask(git, words, { directory })
  if (listed === null) return null
  const changes = changesOf(QuietGit.items(listed))
  const objects = [...new Set(changes.flatMap((one) => [one.before, one.after]))].filter((hash) => hash !== null)
  const stdin = new TextEncoder().encode(objects.map((hash) => `${hash}\n`).join(""))
  const printed = yield* QuietGit.ask(git, ["cat-file", "--batch"], { directory, stdin, limit: mostBytes })
  if (printed === null) return null
  const texts = textsOf(printed)
  const textOf = (hash: string | null): string => (hash === null ? "" : (texts.get(hash) ?? ""))
  const known = [...new Set(changes.map((one) => one.before))].map(textOf)
  return changes.flatMap(({ after, path }) => {
    const text = textOf(after)
    return findSecrets(text)
      .filter(({ end, start }) => !known.some((one) => one.includes(text.slice(start, end))))
      .map(({ start }) => `${oneLine(path, 120)}:${lineAt(text, start)}`)
  })
})
