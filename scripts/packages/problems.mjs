/** Collects and prints the problems of a check and the time that it took. */
import { AsyncLocalStorage } from "node:async_hooks"
import * as fs from "node:fs"

/** An expected error without a stack. `output` is the whole output of a program. */
export class CheckError extends Error {
  constructor(message, output = "") {
    super(message)
    this.output = output
  }
}

const current = new AsyncLocalStorage()

export const say = (text) => fs.writeSync(1, `${text}\n`)

let count = 0

export const problems = () => count

export const problem = (text) => {
  count += 1
  const found = current.getStore()
  if (found !== undefined) found.count += 1
  say(`  ✗ ${text}`)
}

/** If the part throws, the error becomes a problem, and independent parts continue. */
export const part = (name, work) =>
  current.run({ count: 0 }, async () => {
    const started = performance.now()
    const result = await work().catch((error) =>
      problem(`${name}: ${error instanceof CheckError ? error.message : (error.stack ?? error)}`)
    )
    const state = current.getStore().count === 0 ? "ok" : "FAILED"
    say(`${name}: ${state}, ${((performance.now() - started) / 1000).toFixed(1)} s`)
    return result
  })
