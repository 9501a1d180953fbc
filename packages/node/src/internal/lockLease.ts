/**
 * A lock that is taken in a burst stays made from one time to the next, which spares the file system two changes at each. It
 * is given back when the turn of the event loop ends, so by a program that waits for anything. Within the turn it is given
 * back the next time that it is taken, if somebody asks for it or some milliseconds have passed.
 */
import * as FS from "node:fs"

/** So often a lock is taken within one turn before it stays. */
const burstAfter = 16

/** The process may have stood still for longer meanwhile, and the lock be another's. */
const longestMs = 10

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
  /** Instead of the release of what was made. */
  readonly leave: (made: M) => void
  readonly end: () => void
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

/** A worker's thread may be ended at any moment, and the process that the lock names goes on. */
export const isMainThread = (): boolean => {
  try {
    return FS.readlinkSync("/proc/thread-self") === `${process.pid}/task/${process.pid}`
  } catch {
    return false
  }
}

export const make = <M extends Made>(lock: string): Lease<M> => {
  const mark = wantedOf(lock)
  let inTurn = 0
  let notBefore = 0
  let left: M | null = null

  const taken = (): M | null => {
    const made = left
    if (made !== null) leases.delete(lock)
    left = null
    return made
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
    leave: (made) => {
      if (inTurn < burstAfter || made.at < notBefore) return made.release()
      left = made
      leases.set(lock, endNow)
      atExit()
    },
    end: endNow
  }
}
