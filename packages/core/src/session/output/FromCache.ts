/** Whether all that a run reports came from a cache: then nothing was run, however green it looks. */
import { outputLines } from "../../ground/text/OutputLines.ts"

/** A line about one task: whose, and whether it came from the cache. */
interface Task {
  readonly name: string
  readonly cached: boolean
}

/** A line of one task, its name first, as Turborepo, Nx, Bazel, Gradle, Go, Wireit and moon write it. */
const tasks: ReadonlyArray<RegExp> = [
  /^(\S{1,200}:\S{1,80}): cache (?:hit|miss|bypass)\b/,
  /^\s{0,8}✔\s{1,4}nx run (\S{1,200})(?:\s{1,4}\[.{1,80}\])?$/,
  /^(\/\/\S{1,200})\s{1,400}(?:\(.{1,30}\) )?PASSED\b/,
  /^> Task (:\S{1,200}?)(?: (?:FROM-CACHE|UP-TO-DATE))?$/,
  /^ok\s{1,8}(\S{1,300})\s{1,8}(?:\(cached\)|[\d.]{1,12}s)(?=\s|$)/,
  /^\S{1,4} \[(\S{1,200})\] (?:Restored from cache|(?:Was a|A)lready fresh|Executed successfully)/,
  /^▮{1,8} (\S{1,200}:\S{1,80}) \(.{1,80}\)$/
]

/** What says of one that it came from the cache. */
const cachedMark =
  /: cache hit\b|\[(?:local|remote) cache|\[existing outputs match|\(cached\b| (?:FROM-CACHE|UP-TO-DATE)$|\] (?:Restored from cache|(?:Was a|A)lready fresh)/

/** Sums: how many came from the cache and how many there were; where only the first is there, it is all of them. */
const sums: ReadonlyArray<RegExp> = [
  /^\s{0,8}Cached:\s{1,8}(\d{1,6}) cached, (\d{1,6}) total/,
  /\bfrom the cache instead of running the command for (\d{1,6}) out of (\d{1,6}) tasks/,
  /^\[vp run\] (\d{1,6})\/(\d{1,6}) cache hits?\b/,
  /^\s{0,8}Tasks: (?<all>\d{1,6}) completed \((?<hits>\d{1,6}) cached\)/,
  /\b(\d{1,6})\s?(?:\/|of|out of)\s?(\d{1,6}) (?:\w{1,20} )?(?:cached|from (?:the )?cache|cache hits?)\b/
]

const whole: ReadonlyArray<RegExp> = [
  />>> FULL TURBO\b/,
  /^\[vp run\] cache hit\b/,
  /^Executed 0 out of [1-9]\d{0,6} tests?: /,
  /^\S{1,4} Ran 0 scripts and skipped [1-9]/,
  /\bsuccess: 0, skipped: [1-9]\d{0,6}, pending: 0, aborted: 0, failed: 0\b/,
  /^\d{1,6} actionable tasks?: (?:\d{1,6} (?:from cache|up-to-date)(?:, )?){1,2}$/
]

/** What is cheap to look for first. */
const speaksOfIt = /cache|FULL TURBO|fresh|up-to-date|Executed 0|Ran 0|success: 0|SKIPPED/i

const rushed = /^==\[ (FROM CACHE|SKIPPED|SUCCESS|SUCCESS WITH WARNINGS): \d{1,6} operations? \]=/

const isOfTests = ({ name }: Task): boolean => /tests?\b|spec/i.test(name)

const isAllOf = (line: string, pattern: RegExp): boolean | null => {
  const match = pattern.exec(line)
  if (match === null) return null
  const hits = Number(match.groups?.["hits"] ?? match[1])
  return hits > 0 && hits === Number(match.groups?.["all"] ?? match[2])
}

const tasksIn = (lines: ReadonlyArray<string>): ReadonlyArray<Task> =>
  lines.flatMap((line) => {
    const name = tasks.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined)
    return name === undefined ? [] : [{ name, cached: cachedMark.test(line) }]
  })

/**
 * Whether nothing ran of what the output reports. `isEdited`: of a task by whose name edited code goes; where such a task came
 * from the cache, that others ran shows nothing of it.
 *
 * @category reading
 */
export const isFromCache = (output: string, isEdited: (task: string) => boolean): boolean => {
  if (!speaksOfIt.test(output)) return false
  const lines = outputLines(output)
    .lines.map(({ raw }) => raw.trimEnd())
    .filter((line) => line !== "")
  const all = tasksIn(lines)
  const ofTests = all.filter(isOfTests)
  const told = ofTests.length > 0 ? ofTests : all
  if (told.length > 0) {
    const edited = told.filter(({ name }) => isEdited(name))
    return (edited.length > 0 ? edited : told).every(({ cached }) => cached)
  }
  const rush = lines.flatMap((line) => rushed.exec(line)?.[1] ?? [])
  if (rush.length > 0) return !rush.some((state) => state.startsWith("SUCCESS"))
  const counted = lines.flatMap((line) => {
    for (const pattern of sums) {
      const isAll = isAllOf(line, pattern)
      if (isAll !== null) return [isAll]
    }
    return []
  })
  return counted.length > 0 ? counted.every(Boolean) : lines.some((line) => whole.some((one) => one.test(line)))
}
