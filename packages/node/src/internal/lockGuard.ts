/**
 * A thread that gives a lock back which was left made, when the program's own thread does not come back to it: it may compute,
 * or wait without a turn for a child that wants the lock. The two agree by a word that they share, so one of them has it.
 */
import type { Worker } from "node:worker_threads"

/** Nothing to give back, left made, and being given back. */
const [none, left, ending] = [0, 1, 2]

/** The word of the state, how often it was left, and whether the thread sleeps until it is. */
const [state, times, asleep] = [0, 1, 2]

/** What is not taken up again for so long is given back. */
const tickMs = 2

/** So often nothing happens before the thread sleeps. */
const idleTicks = 50

/** Longer than a file system takes to remove a name. */
const patienceMs = 30_000

/**
 * A text, for a bundle has no file beside it that a thread could be made of. The name is looked at first: a process that
 * stood still may find another's lock in its place.
 */
const program = `
const { workerData: { words, lock, own } } = require("node:worker_threads")
const { readlinkSync, unlinkSync } = require("node:fs")
const never = new Int32Array(new SharedArrayBuffer(4))
const giveBack = () => {
  try {
    if (readlinkSync(lock) === own) unlinkSync(lock)
  } catch {}
}
let seen = Atomics.load(words, ${times})
let idle = 0
Atomics.store(words, ${asleep}, 0)
for (;;) {
  Atomics.wait(never, 0, 0, ${tickMs})
  const now = Atomics.load(words, ${times})
  if (now !== seen) {
    seen = now
    idle = 0
    continue
  }
  if (Atomics.compareExchange(words, ${state}, ${left}, ${ending}) === ${left}) {
    giveBack()
    Atomics.store(words, ${state}, ${none})
    Atomics.notify(words, ${state})
  }
  idle += 1
  if (idle < ${idleTicks}) continue
  Atomics.store(words, ${asleep}, 1)
  Atomics.wait(words, ${times}, seen)
  Atomics.store(words, ${asleep}, 0)
  idle = 0
}
`

export interface Guard {
  /** Whether the thread runs: before that nothing is to be left. */
  readonly isReady: () => boolean
  readonly leave: () => void
  /** Whether what was left is still made: it is the caller's again. */
  readonly resume: () => boolean
  readonly close: () => void
}

const started = (words: Int32Array, lock: string, own: string): Worker => {
  const { Worker } = process.getBuiltinModule("node:worker_threads")
  const worker = new Worker(program, { eval: true, workerData: { words, lock, own }, execArgv: [], env: {} })
  worker.unref()
  // Without it the lock stays no more once this turn has ended.
  worker.on("error", () => Atomics.store(words, asleep, -1))
  return worker
}

/** Null where there can be no such thread. `own` is the holder's name, which the lock is a link to. */
export type Start = (lock: string, own: string) => Guard | null

export const start: Start = (lock, own) => {
  const words = new Int32Array(new SharedArrayBuffer(12))
  words[asleep] = -1
  let worker: Worker
  try {
    worker = started(words, lock, own)
  } catch {
    return null
  }
  return {
    isReady: () => Atomics.load(words, asleep) >= 0,
    leave: () => {
      // In this order: at a tick between the two the thread has seen that there is more to come.
      Atomics.add(words, times, 1)
      Atomics.store(words, state, left)
      if (Atomics.load(words, asleep) === 1) Atomics.notify(words, times)
    },
    resume: () => {
      if (Atomics.compareExchange(words, state, left, none) === left) return true
      Atomics.wait(words, state, ending, patienceMs)
      return false
    },
    close: () => void worker.terminate()
  }
}
