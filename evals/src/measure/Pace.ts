/**
 * How fast the machine is at the moment, so that a limit on what the evaluation computes means the same on any: the
 * processor's time in which TypeScript parses the types of the DOM that it comes with, 1.9 MB of them.
 */
import * as Fs from "node:fs"
import { createRequire } from "node:module"
import TypeScript from "typescript"

const rounds = 5

const spent = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Seconds of the processor's for one such parse: the median of some, after one in which it is compiled. */
export const secondsOfParse = (): number => {
  const file = createRequire(import.meta.url).resolve("typescript/lib/lib.dom.d.ts")
  const text = Fs.readFileSync(file, "utf8")
  const timed = Array.from({ length: rounds + 1 }, () => {
    const begun = spent()
    TypeScript.createSourceFile(file, text, TypeScript.ScriptTarget.Latest)
    return spent() - begun
  })
  return timed.slice(1).toSorted((left, right) => left - right)[Math.floor(rounds / 2)] ?? Number.NaN
}
