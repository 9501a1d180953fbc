/** Finds out whether all results of a run came from a cache. Then nothing ran, even if the output looks green. */
import { outputLines } from "../../base/text/OutputLines.ts"

/** Lines about one task. The group is the task's name. For Turborepo, Nx, Bazel, Gradle, Go, Wireit, moon and Rush. */
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

const cachedMark =
  /: cache hit\b|\[(?:local|remote) cache|\[existing outputs match|\(cached\b| (?:FROM-CACHE|UP-TO-DATE)$|\] (?:Restored from cache|(?:Was a|A)lready fresh)|^==\[ (?!SUCCESS)/

/** Sums: `hits` is the number of tasks from the cache, `all` is the number of tasks. */
const sums: ReadonlyArray<RegExp> = [
  /(?<hits>\d{1,6}) ?(?:\/|of|out of|cached,) ?(?<all>\d{1,6}) (?:\w{1,20} )?(?:total|tasks|cached|from (?:the )?cache|cache hits?)\b/,
  /^\s*Tasks: (?<all>\d{1,6}) completed \((?<hits>\d{1,6}) cached\)/
]

/** Lines that say that nothing ran at all. For Turborepo, Vite+, Bazel, Wireit, Lage and Gradle. */
const whole: ReadonlyArray<RegExp> = [
  />>> FULL TURBO\b|^\[vp run\] cache hit\b|^Executed 0 out of [1-9]\d* tests?: |^\S{1,4} Ran 0 scripts and skipped [1-9]/,
  /\bsuccess: 0, skipped: [1-9]\d*, pending: 0, aborted: 0, failed: 0\b/,
  /^\d+ actionable tasks?: (?:\d+ (?:from cache|up-to-date)(?:, )?){1,2}$/
]

/** A cheap test, used first. */
const speaksOfIt = /cache|FULL TURBO|fresh|up-to-date|Executed 0|Ran 0|success: 0/i

const isOfTests = (name: string): boolean => /tests?\b|spec/i.test(name)

/**
 * True if no task really ran. If there are test tasks, only these count. Among them, only tasks of edited code
 * (`isEdited`) count, if there are any.
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
  /** Returns the tasks that fulfil the condition, or all tasks if no task does. */
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
