/**
 * A lock between processes. It is a symbolic link to its holder's name, so it always has a name. If the holder was
 * killed, the lock counts as abandoned at once.
 */
import * as FS from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { codeOf, isAbsent, isPresent, makeFolder } from "./PlainFiles.ts"

/** If the holder cannot be checked, the lock counts as abandoned at this age. */
const staleAfterMs = 60_000

const attempt = <A>(work: () => A): A | null => {
  try {
    return work()
  } catch {
    return null
  }
}

/** When a process began, in clock ticks. `ended` if the process is a zombie. Null if unknown. */
const startOf = (pid: string | number): string | null =>
  attempt(() => {
    const text = FS.readFileSync(`/proc/${pid}/stat`, "latin1")
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    // A killed process has state Z or X as soon as its first thread has ended. Another thread may still be writing.
    return /[ZX]/.test(fields[0] ?? "") && !(Number(fields[17]) > 1) ? "ended" : (fields[19] ?? null)
  })

/** `namespace` is the pid namespace: containers with namespaces of their own may share the folder. */
const identify = (): { readonly start: string | null; readonly namespace: string } => ({
  // If `/proc` has another number for this process, `/proc` belongs to another namespace and cannot be used.
  start: attempt(() => FS.readlinkSync("/proc/self")) === String(process.pid) ? startOf(process.pid) : null,
  namespace: (attempt(() => FS.readlinkSync("/proc/self/ns/pid")) ?? Os.hostname()).replaceAll(/\s/g, "_") || "unknown"
})

let known: ReturnType<typeof identify> | null = null
let count = 0

const self = (): ReturnType<typeof identify> => (known ??= identify())

const ownName = (): string =>
  `${process.pid} ${self().start ?? "-"} ${self().namespace} ${process.hrtime.bigint()}.${count++}`

const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return codeOf(cause) !== "ESRCH"
  }
}

/** Null if unknown. The process number is not enough, because another process may have the same number now. */
const isAlive = (owner: string): boolean | null => {
  const [pid = "", start = "-", namespace = self().namespace] = owner.split(" ")
  if (namespace !== self().namespace || !(Number(pid) > 0)) return null
  if (!runs(Number(pid))) return false
  const now = self().start === null ? null : startOf(pid)
  if (now === null || start === "-") return now === "ended" ? false : null
  return now === start
}

/** A running holder keeps the lock: a debugger or a closed laptop may stop a process for hours. */
const isAbandoned = (lock: string, owner: string, now: number): boolean => {
  const alive = isAlive(owner)
  if (alive !== null) return !alive
  const found = FS.lstatSync(lock, { throwIfNoEntry: false })
  return found !== undefined && now - found.ctimeMs >= staleAfterMs
}

/** On Windows only administrators can make links, and some file systems have none. Then the lock is a file. */
const make = (lock: string, owner: string): void => {
  try {
    FS.symlinkSync(owner, lock)
  } catch (cause) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"].includes(codeOf(cause) ?? "")) throw cause
    FS.writeFileSync(lock, owner, { flag: "wx", mode: 0o600 })
  }
}

/** Returns false if another process was faster. `isMade` is true if the folder was made just now. */
const create = (lock: string, owner: string, isMade = false): boolean => {
  try {
    make(lock, owner)
    return true
  } catch (cause) {
    if (isPresent(cause)) return false
    if (isMade || !isAbsent(cause)) throw cause
    makeFolder(Path.dirname(lock))
    return create(lock, owner, true)
  }
}

const isName = (owner: string): boolean => /^\d+(?: |$)/.test(owner)

/**
 * Null if nobody holds the lock. Empty if the lock is a file that has no name yet. Throws if the path is not a lock: a
 * wait for it would never end.
 */
const ownerOf = (lock: string): string | null => {
  const found = FS.lstatSync(lock, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (found.isFile()) {
    const text = found.nlink === 1 ? (attempt(() => FS.readFileSync(lock, "utf8")) ?? "") : ""
    return isName(text) ? text : ""
  }
  const owner = found.isSymbolicLink() ? attempt(() => FS.readlinkSync(lock)) : ""
  if (owner === null || isName(owner)) return owner
  throw new Error(`${lock} is not a lock of reflexion, but a folder, a pipe or a link to something else: remove it`)
}

/**
 * A lock that is held.
 *
 * @category models
 */
export interface HeldLock {
  /** True if the previous holder ended without releasing the lock. */
  readonly isOver: boolean
  /** Must be called at least once a minute, because other processes may be unable to check whether the holder runs. */
  readonly touch: () => void
  readonly release: () => void
}

const remove = (lock: string, own: string): void => {
  // If we held the lock for long and nobody could check our process, another process may have the lock now.
  if (ownerOf(lock) === own) FS.rmSync(lock, { force: true })
}

/** Several processes may find the same abandoned lock. Only the process that holds the lock `.over` removes it. */
const removeAbandoned = (lock: string, owner: string, now: number): boolean => {
  const removal = take(`${lock}.over`, now)
  if (removal === null) return false
  try {
    if (ownerOf(lock) !== owner || !isAbandoned(lock, owner, now)) return false
    FS.rmSync(lock, { force: true })
    return true
  } finally {
    removal.release()
  }
}

/**
 * Takes the lock at a path and makes its folder. Null if another process, or another part of this process, holds the
 * lock. Throws the errors of the file system. Also throws if the path is not a lock. `now` must come from the system's
 * clock.
 *
 * @category locking
 */
export const take = (path: string, now = Date.now()): HeldLock | null => {
  // The current folder may change before the lock is released.
  const lock = Path.resolve(path)
  const own = ownName()
  const held = {
    touch: () => attempt(() => FS.lutimesSync(lock, new Date(), new Date())),
    release: () => remove(lock, own)
  }
  if (create(lock, own)) return { isOver: false, ...held }
  const owner = ownerOf(lock)
  if (owner !== null && !(isAbandoned(lock, owner, now) && removeAbandoned(lock, owner, now))) return null
  return create(lock, own) ? { isOver: owner !== null, ...held } : null
}

/**
 * Another process held the lock during the whole waiting time.
 *
 * @category errors
 */
export class Busy extends Error {}

const nap = new Int32Array(new SharedArrayBuffer(4))

/**
 * Waits up to `patience` ms for a lock, and runs `work` while it holds the lock. Throws `Busy`, and the errors of
 * `take`.
 *
 * @category locking
 */
export const within = <A>(path: string, patience: number, work: (held: HeldLock) => A): A => {
  const until = 1000 * process.uptime() + patience
  let held = take(path)
  while (held === null) {
    if (1000 * process.uptime() >= until) throw new Busy(`another process holds ${path}`)
    // Waiting processes check the lock at different times.
    Atomics.wait(nap, 0, 0, 1 + (process.pid % 4))
    held = take(path)
  }
  try {
    return work(held)
  } finally {
    held.release()
  }
}
