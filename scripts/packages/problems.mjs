/** What a check has to say, and how long it took. */
import { AsyncLocalStorage } from "node:async_hooks"
import * as fs from "node:fs"

/** A part that cannot go on, for a reason that needs no stack; `output` is all that a program printed. */
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

/** Does a part of the check; what it throws is a problem, and the parts that do not need it go on. */
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
