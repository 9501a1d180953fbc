/** What of a failed command's output tells why: its telling lines with their neighbours. */
import { outputLines } from "../../ground/text/OutputLines.ts"

const tells =
  /error|exception|fail|panic|assert|expected|received|actual|not ok|cannot|undefined|✖|✗|●|^E {2,}|^\s*(?:[-+>❯]|-->|at) |^ *(?:left|right|got|want):|timed? ?out|killed|denied|refused/i

/** Frames of what is not the project's, times, and what stands at the end of every failure. */
const idle =
  /^\s*$|node_modules|node:internal|site-packages|\/lib\/python|^npm (?:ERR!|error) |\b0 (?:errors?|fail(?:ed|ures?)?)\b|^[#ℹ] \w+ 0$|duration_ms|^Time: |^ +(?:Compiling|Finished|Running) /

const passes = /^\s*(?:[✓✔] |ok \d|--- PASS: |PASS )|^test .+ \.\.\. ok$|^running \d+ tests?$/

/**
 * All lines that are not idle where they are short enough, else the telling ones in their order, each with the line before it
 * and two behind it, until there is no more room.
 *
 * @category reading
 */
export const tellingLines = (output: string, limit = 1500): ReadonlyArray<string> => {
  const lines = outputLines(output).lines.flatMap(({ raw }) => (idle.test(raw) || passes.test(raw) ? [] : [raw]))
  const chosen = new Set<number>()
  let room = limit
  const take = (at: number): void => {
    const length = (lines[at]?.length ?? Infinity) + 1
    if (chosen.has(at) || length > room) return
    chosen.add(at)
    room -= length
  }
  const isShort = lines.join("\n").length < limit
  for (const [at, line] of lines.entries())
    if (isShort || tells.test(line)) for (const by of [0, -1, 1, 2]) take(at + by)
  return lines.filter((_, at) => chosen.has(at))
}
