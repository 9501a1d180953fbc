/** Whether all that a run reports came from a cache: then nothing was run, however green it looks. */
import { outputLines } from "../../base/text/OutputLines.ts"

/** A line of one task, its name first, as Turborepo, Nx, Bazel, Gradle, Go, Wireit, moon and Rush write it. */
const tasks: ReadonlyArray<RegExp> = [
  /^(\S{1,200}:\S{1,80}): cache (?:hit|miss|bypass)\b/,
  /^\s{0,8}✔\s{1,4}nx run (\S+)(?:\s{1,4}\[.+\])?$/,
  /^(\/\/\S{1,200})\s+(?:\(.{1,30}\) )?PASSED\b/,
  /^> Task (:\S+?)(?: (?:FROM-CACHE|UP-TO-DATE))?$/,
  /^ok\s+(\S+)\s+(?:\(cached\)|[\d.]+s)(?=\s|$)/,
  /^\S{1,4} \[(\S+)\] (?:Restored from cache|(?:Was a|A)lready fresh|Executed successfully)/,
  /^▮{1,8} (\S+:\S+) \(.{1,80}\)$/,
  /^==\[ (FROM CACHE|SKIPPED|SUCCESS)\b/
]

/** What says of a task that it came from the cache. */
const cachedMark =
  /: cache hit\b|\[(?:local|remote) cache|\[existing outputs match|\(cached\b| (?:FROM-CACHE|UP-TO-DATE)$|\] (?:Restored from cache|(?:Was a|A)lready fresh)|^==\[ (?!SUCCESS)/

/** How many came from the cache, and how many there were. */
const sums: ReadonlyArray<RegExp> = [
  /(?<hits>\d{1,6}) ?(?:\/|of|out of|cached,) ?(?<all>\d{1,6}) (?:\w{1,20} )?(?:total|tasks|cached|from (?:the )?cache|cache hits?)\b/,
  /^\s*Tasks: (?<all>\d{1,6}) completed \((?<hits>\d{1,6}) cached\)/
]

/** Whole runs of Turborepo, Vite+, Bazel, Wireit, Lage and Gradle in which nothing ran. */
const whole: ReadonlyArray<RegExp> = [
  />>> FULL TURBO\b|^\[vp run\] cache hit\b|^Executed 0 out of [1-9]\d* tests?: |^\S{1,4} Ran 0 scripts and skipped [1-9]/,
  /\bsuccess: 0, skipped: [1-9]\d*, pending: 0, aborted: 0, failed: 0\b/,
  /^\d+ actionable tasks?: (?:\d+ (?:from cache|up-to-date)(?:, )?){1,2}$/
]

/** What is cheap to look for first. */
const speaksOfIt = /cache|FULL TURBO|fresh|up-to-date|Executed 0|Ran 0|success: 0/i

const isOfTests = (name: string): boolean => /tests?\b|spec/i.test(name)

/**
 * Whether nothing ran of what the output reports. `isEdited`: of a task whose name edited code goes by; where such a task came
 * from the cache, that others ran shows nothing of it.
 *
 * @category reading
 */
export const isFromCache = (output: string, isEdited: (task: string) => boolean): boolean => {
  if (!speaksOfIt.test(output)) return false
  const lines = outputLines(output).lines.map(({ raw }) => raw)
  const all = lines.flatMap((line) => {
    const name = tasks.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined)
    return name === undefined ? [] : [{ name, isCached: cachedMark.test(line) }]
  })
  /** Those that a condition holds for, or all where it holds for none. */
  const among = (told: typeof all, holds: (name: string) => boolean): typeof all =>
    told.some(({ name }) => holds(name)) ? told.filter(({ name }) => holds(name)) : told
  if (all.length > 0) return among(among(all, isOfTests), isEdited).every(({ isCached }) => isCached)
  const counts = lines.flatMap((line) => {
    const found = /cache/i.test(line) ? sums.map((sum) => sum.exec(line)).find((match) => match !== null) : null
    return found?.groups === undefined ? [] : [found.groups]
  })
  return counts.length > 0
    ? counts.every((count) => count["hits"] === count["all"] && count["hits"] !== "0")
    : lines.some((line) => whole.some((one) => one.test(line)))
}
