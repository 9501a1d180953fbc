/**
 * A lock between processes: a symbolic link to its holder's name, so that it is there with the name in it or not at all, and
 * what a killed process left is known as abandoned at once.
 */
import * as FS from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { codeOf, isAbsent, isPresent, makeFolder } from "./PlainFiles.ts"

/** How old a lock may be whose holder cannot be asked before it counts as abandoned. */
const staleAfterMs = 60_000

const attempt = <A>(work: () => A): A | null => {
  try {
    return work()
  } catch {
    return null
  }
}

/** When a process began, in ticks of its system's clock, `ended` where it only waits for its parent; null where nobody tells. */
const startOf = (pid: string | number): string | null =>
  attempt(() => {
    const text = FS.readFileSync(`/proc/${pid}/stat`, "latin1")
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    // A killed one is over as soon as its first thread is, while another may be in the middle of a write.
    return /[ZX]/.test(fields[0] ?? "") && !(Number(fields[17]) > 1) ? "ended" : (fields[19] ?? null)
  })

/** `namespace`: in which numbering a process has its number; a container has one of its own, and may share the folder. */
const identify = (): { readonly start: string | null; readonly namespace: string } => ({
  // Where `/proc` has other numbers than this process it tells nothing.
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

/** Whether a holder still runs, null where that cannot be asked. A number alone says little: another may have it by now. */
const isAlive = (owner: string): boolean | null => {
  const [pid = "", start = "-", namespace = self().namespace] = owner.split(" ")
  if (namespace !== self().namespace || !(Number(pid) > 0)) return null
  if (!runs(Number(pid))) return false
  const now = self().start === null ? null : startOf(pid)
  if (now === null || start === "-") return now === "ended" ? false : null
  return now === start
}

/** One that runs may stand still for hours, as a debugger or a laptop's lid makes it, and go on in the middle of its work. */
const isAbandoned = (lock: string, owner: string, now: number): boolean => {
  const alive = isAlive(owner)
  if (alive !== null) return !alive
  const found = FS.lstatSync(lock, { throwIfNoEntry: false })
  return found !== undefined && now - found.ctimeMs >= staleAfterMs
}

/** Windows makes links for administrators alone, and some file systems for nobody: a file with the name in it there. */
const make = (lock: string, owner: string): void => {
  try {
    FS.symlinkSync(owner, lock)
  } catch (cause) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"].includes(codeOf(cause) ?? "")) throw cause
    FS.writeFileSync(lock, owner, { flag: "wx", mode: 0o600 })
  }
}

/** False where another was quicker. `isMade`: whether its folder was made just now. */
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
 * Who holds a lock, null for nobody, empty for a file that has no name yet. Throws for what no process of ours makes, which
 * would be waited for in vain.
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
  throw new Error(`${lock} is not a lock of reflexion. It is a folder, a pipe or a link to something else: remove it`)
}

/**
 * A lock that is held. `isOver`: whether the one that had it before ended in the middle of something.
 *
 * @category models
 */
export interface HeldLock {
  readonly isOver: boolean
  readonly release: () => void
}

const remove = (lock: string, own: string): void => {
  // One that could not be asked about, and was held for long, may be another's by now.
  if (ownerOf(lock) === own) FS.rmSync(lock, { force: true })
}

/** Of those who find a lock abandoned, one at a time looks again and removes it: the one that holds `.over`. */
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
 * Takes the lock at a path, making its folder; null while another holds it, also another part of this process. Throws
 * what the file system throws, and at once for a folder, a pipe or another link in its place. `now` is compared with the
 * lock's own time, which the system's clock wrote: no other clock can say how old it is.
 *
 * @category locking
 */
export const take = (path: string, now = Date.now()): HeldLock | null => {
  // The folder that it is named from may be another when it is released.
  const lock = Path.resolve(path)
  const own = ownName()
  const release = (): void => remove(lock, own)
  if (create(lock, own)) return { isOver: false, release }
  const owner = ownerOf(lock)
  if (owner !== null && !(isAbandoned(lock, owner, now) && removeAbandoned(lock, owner, now))) return null
  return create(lock, own) ? { isOver: owner !== null, release } : null
}

/**
 * Another holds the lock, and did for as long as was waited.
 *
 * @category errors
 */
export class Busy extends Error {}

const nap = new Int32Array(new SharedArrayBuffer(4))

/**
 * Does something under the lock at a path, waiting for it up to `patience` ms. Throws `Busy`, and what `take` throws.
 *
 * @category locking
 */
export const within = <A>(path: string, patience: number, work: (held: HeldLock) => A): A => {
  const until = 1000 * process.uptime() + patience
  let held = take(path)
  while (held === null) {
    if (1000 * process.uptime() >= until) throw new Busy(`another process holds ${path}`)
    // Those that wait look at different times.
    Atomics.wait(nap, 0, 0, 1 + (process.pid % 4))
    held = take(path)
  }
  try {
    return work(held)
  } finally {
    held.release()
  }
}
