/** Selects the lines of a failed command's output that explain the failure. */
import { outputLines } from "../../base/text/OutputLines.ts"
import { clip } from "../../base/text/Text.ts"

const tells =
  /error|exception|fail|panic|assert|expected|received|actual|not ok|cannot|undefined|✖|✗|●|^E {2,}|^\s*(?:[-+>❯]|-->|at) |^ *(?:left|right|got|want):|timed? ?out|killed|denied|refused/i

/** Lines that TAP prints around each test. */
const frame = /^\s*(?:TAP version \d+|# Subtest: .*|---|\.\.\.|\d+\.\.\d+)$/

/** Stack frames outside of the project, durations, and lines at the end of every failure. */
const idle =
  /node_modules|node:internal|site-packages|\/lib\/python|^npm (?:ERR!|error) |\b0 (?:errors?|fail(?:ed|ures?)?)\b|^[#ℹ] \w+ 0$|duration_ms|^Time: |^ +(?:Compiling|Finished|Running) /

const passes = /^\s*(?:[✓✔] |ok \d|--- PASS: |PASS )|^test .+ \.\.\. ok$|^running \d+ tests?$/

/**
 * Returns all useful lines if they are shorter than `limit` characters. Otherwise returns the lines that explain the
 * failure, each with one line before it and two lines after it. If no line explains it, returns some of the last lines.
 *
 * @category reading
 */
export const tellingLines = (output: string, limit = 1500): ReadonlyArray<string> => {
  const all = outputLines(output).lines.flatMap(({ raw }) => (raw.trim() === "" ? [] : [clip(raw, 400)]))
  const busy = all.filter((line) => ![frame, idle, passes].some((one) => one.test(line)))
  const lines = busy.length > 0 ? busy : all
  const isShort = lines.join("\n").length < limit
  const told = [...lines.keys()].filter((at) => isShort || tells.test(lines[at] ?? ""))
  const chosen = new Set<number>()
  let room = limit
  for (const at of (told.length > 0 ? told : [...lines.keys()].slice(-10)).flatMap((at) => [
    at,
    at - 1,
    at + 1,
    at + 2
  ])) {
    const length = (lines[at]?.length ?? Infinity) + 1
    if (chosen.has(at) || length > room) continue
    chosen.add(at)
    room -= length
  }
  return lines.filter((_, at) => chosen.has(at))
}
