/**
 * A lock that is taken in a burst stays made from one time to the next, which spares the file system two changes at each. It
 * is given back when the turn of the event loop ends, so by a program that waits for anything. Within the turn it is given
 * back the next time that it is taken, if somebody asks for it or some milliseconds have passed; and by a thread that guards
 * it, where there is no next time in a few milliseconds.
 */
import * as FS from "node:fs"
import type * as LockGuard from "./lockGuard.ts"

/** So often a lock is taken within one turn before it stays: fewer do not pay for a thread. */
const burstAfter = 128

/** The process may have stood still for longer meanwhile, and the lock be another's. */
const longestMs = 10

/** A thread costs some megabytes, and is soon made. */
const idleMs = 10_000

/** For so long whoever asked has the chances that it would have without leases. */
const givesWayMs = 100

/** Whoever waits for a lock that stays made asks for it by this. */
export const wantedOf = (lock: string): string => `${lock}.wanted`

/** A lock that was made. */
export interface Made {
  readonly at: number
  readonly release: () => void
}

export interface Lease<M extends Made> {
  /** To be called each time the lock is taken. */
  readonly count: () => void
  /** What was left made; null where the lock is to be made. */
  readonly resume: (now: number) => M | null
  /** Instead of the release of what was made, which is a link to a name. */
  readonly leave: (made: M, name: string) => void
  readonly end: () => void
  /** Ends the thread. */
  readonly close: () => void
}

/** How to end what this process has left made, by its lock. */
const leases = new Map<string, () => void>()

/** Ends this process's own lease of a lock, if nothing of it holds the lock at the moment. */
export const end = (lock: string): void => leases.get(lock)?.()

const quietly = (work: () => void): void => {
  try {
    work()
  } catch {
    // What cannot be removed is waited for, or taken over once this process is gone.
  }
}

let endsWithProcess = false

/** A process that is told to exit in the middle of a turn has no end of it. */
const atExit = (): void => {
  if (!endsWithProcess) process.once("exit", () => leases.forEach(quietly))
  endsWithProcess = true
}

/**
 * Not in a worker, which may be ended at any moment while the process that the lock names goes on; and on Node alone, whose
 * threads run before the turn that starts them has ended.
 */
export const mayLeave = (): boolean => {
  try {
    return (
      process.versions["bun"] === undefined &&
      FS.readlinkSync("/proc/thread-self") === `${process.pid}/task/${process.pid}`
    )
  } catch {
    return false
  }
}

export const make = <M extends Made>(lock: string, start: LockGuard.Start): Lease<M> => {
  const mark = wantedOf(lock)
  let inTurn = 0
  let notBefore = 0
  let left: M | null = null
  let leaves = 0
  let guard: { readonly name: string; readonly by: LockGuard.Guard | null } | null = null
  let idle: ReturnType<typeof setTimeout> | undefined

  const close = (): void => {
    clearTimeout(idle)
    guard?.by?.close()
    guard = null
  }

  /** In a turn of its own nothing is left made. */
  const closeWhenIdle = (): void => {
    const before = leaves
    idle = setTimeout(() => (leaves === before ? close() : closeWhenIdle()), idleMs)
    idle.unref()
  }

  const guardOf = (name: string): LockGuard.Guard | null => {
    if (guard?.name !== name) {
      close()
      guard = { name, by: start(lock, name) }
      closeWhenIdle()
    }
    return guard.by
  }

  const taken = (): M | null => {
    const made = left
    if (made === null) return null
    if (leases.get(lock) === endNow) leases.delete(lock)
    left = null
    return guard?.by?.resume() === true ? made : null
  }

  const endNow = (): void => taken()?.release()

  const endTurn = (): void => {
    inTurn = 0
    quietly(endNow)
  }

  const isWanted = (now: number): boolean => {
    if (!FS.existsSync(mark)) return false
    quietly(() => FS.unlinkSync(mark))
    notBefore = now + givesWayMs
    return true
  }

  /** A clock that was set back says nothing. */
  const isOver = ({ at }: Made, now: number): boolean => now < at || now > at + longestMs || isWanted(now)

  return {
    count: () => {
      // Runs when the microtasks have, and before anything else does.
      if (inTurn === 0) process.nextTick(endTurn)
      inTurn += 1
    },
    resume: (now) => {
      const made = taken()
      if (made === null || !isOver(made, now)) return made
      made.release()
      return null
    },
    leave: (made, name) => {
      if (inTurn < burstAfter || made.at < notBefore) return made.release()
      const by = guardOf(name)
      if (by?.isReady() !== true) return made.release()
      left = made
      leaves += 1
      leases.set(lock, endNow)
      atExit()
      by.leave()
    },
    end: endNow,
    close
  }
}
