/**
 * What a long step is at: on a terminal one line that is written over, with the seconds and what the step says; elsewhere
 * nothing, for a line at its begin and end is all that a log needs.
 */
import { stripVTControlCharacters } from "node:util"

/** In the width of the terminal, without what a terminal would obey. */
const fitting = (text, columns) => {
  const plain = stripVTControlCharacters(text)
    .replaceAll(/\p{Cc}/gu, " ")
    .trimEnd()
  return plain.length < columns ? plain : `${plain.slice(0, columns - 2)}…`
}

/** `say` takes what the step is at now, `end` takes the line away. */
export const progress = (stream, prefix, now = () => performance.now()) => {
  if (stream.isTTY !== true) return { say: () => {}, end: () => {} }
  const began = now()
  let at = ""
  const draw = () => {
    const seconds = `${Math.floor((now() - began) / 1000)} s`
    const text = [seconds, at].filter((part) => part !== "").join(", ")
    stream.write(`\r\u001b[K${fitting(`${prefix}${text}`, stream.columns || 80)}`)
  }
  draw()
  const timer = setInterval(draw, 1000)
  timer.unref()
  return {
    say: (text) => {
      if (text === at) return
      at = text
      draw()
    },
    end: () => {
      clearInterval(timer)
      stream.write("\r\u001b[K")
    }
  }
}

const building = /^\[?[\d: ]{0,12}(?:AM|PM)?\]?[ -]{0,3}Building project '(.+?)\/tsconfig[^/]*\.json'/
const compiler = /^\[?\d{1,2}:\d{2}:\d{2}(?: [AP]M)?\]?\s.{0,400}$/

/** What a line of pnpm, or of the compiler with `--verbose`, tells of where it is; null where it tells nothing. */
export const stepIn = (line) => {
  const packages = /^Progress: .*?\bresolved (\d+), reused (\d+), downloaded (\d+), added (\d+)/.exec(line)
  if (packages !== null) {
    const [, resolved, reused, downloaded, added] = packages.map(Number)
    return added > 0
      ? `${added} of ${resolved} packages installed`
      : `${reused + downloaded} of ${resolved} packages here`
  }
  const project = building.exec(line)?.[1]
  return project === undefined ? null : project.split("/").at(-1)
}

/** The compiler's account of its own work, which is no error. */
export const isAccount = (line) => compiler.test(line) || /^\s{4}\* .*tsconfig/.test(line)
