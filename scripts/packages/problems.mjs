/** What a check has to say, and how long it took. */
import { AsyncLocalStorage } from "node:async_hooks"
import * as fs from "node:fs"

/** A part that cannot go on, for a reason that needs no stack. */
export class CheckError extends Error {
  /** `output` is all that a program printed. */
  constructor(message, output = "") {
    super(message)
    this.output = output
  }
}

const current = new AsyncLocalStorage()

export const say = (text) => {
  if (current.getStore()?.texts === undefined) fs.writeSync(1, `${text}\n`)
}

let count = 0

export const problems = () => count

export const problem = (text) => {
  const found = current.getStore()
  if (found?.texts !== undefined) {
    found.texts.push(text)
    return
  }
  count += 1
  if (found !== undefined) found.count += 1
  say(`  ✗ ${text}`)
}

const reasonOf = (error) =>
  error instanceof CheckError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)

/** Does a part of the check; what it throws is a problem, and the parts that do not need it go on. */
export const part = (name, work) =>
  current.run({ count: 0 }, async () => {
    const started = performance.now()
    const result = await work().catch((error) => problem(`${name}: ${reasonOf(error)}`))
    const state = current.getStore().count === 0 ? "ok" : "FAILED"
    say(`${name}: ${state}, ${((performance.now() - started) / 1000).toFixed(1)} s`)
    return result
  })

/** The problems that a check finds, which are neither printed nor counted: for the tests of the checks themselves. */
export const problemsOf = (check) => {
  const texts = []
  return current.run({ texts }, async () => {
    await check()
    return texts
  })
}
