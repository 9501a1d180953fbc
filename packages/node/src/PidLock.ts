/**
 * A lock between processes: a file that names its holder, so that what a killed process left is known as abandoned at
 * once. It needs nothing but a file that is created exclusively, which every file system and every Node can.
 *
 * @since 0.1.0
 */
import * as FS from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as PlainFiles from "./PlainFiles.ts"

/** How old a lock may be whose holder cannot be asked, or does not touch it, before it counts as abandoned. */
const staleAfterMs = 60_000

const attempt = <A>(work: () => A): A | null => {
  try {
    return work()
  } catch {
    return null
  }
}

/** In which numbering a process has its number: a container has one of its own, and may share the folder. */
const namespace = (): string =>
  (attempt(() => FS.readlinkSync("/proc/self/ns/pid")) ?? Os.hostname()).replaceAll(/\s/g, "_") || "unknown"

/** When a process began, in ticks of its system's clock; null where the system does not tell. */
const startOf = (pid: number | "self"): string | null =>
  attempt(() => {
    const text = FS.readFileSync(`/proc/${pid}/stat`, "latin1")
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null
  })

let known: { readonly namespace: string; readonly start: string } | null = null

const self = (): { readonly namespace: string; readonly start: string } =>
  (known ??= { namespace: namespace(), start: startOf("self") ?? "-" })

let count = 0

const ownName = (): string => `${process.pid} ${self().start} ${self().namespace} ${process.hrtime.bigint()}.${count++}`

const create = (lock: string, owner: string): boolean => {
  try {
    FS.writeFileSync(lock, owner, { flag: "wx", mode: 0o600 })
    return true
  } catch (cause) {
    if (PlainFiles.isPresent(cause)) return false
    throw cause
  }
}

/** Whether a process runs; one that may not be asked does. */
const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return !PlainFiles.isNoProcess(cause)
  }
}

const ownerOf = (lock: string): string | null => attempt(() => PlainFiles.read(lock))

const isGone = (owner: string): boolean => {
  const [pid = "", start = "-", namespace = self().namespace] = owner.split(" ")
  if (namespace !== self().namespace || !(Number(pid) > 0)) return false
  if (!runs(Number(pid))) return true
  const now = start === "-" ? null : startOf(Number(pid))
  return now !== null && now !== start
}

const isAbandoned = (lock: string, owner: string, now: number): boolean => {
  const found = FS.statSync(lock, { throwIfNoEntry: false })
  return (found !== undefined && now - found.mtimeMs >= staleAfterMs) || isGone(owner)
}

/** Takes an abandoned lock out of the way. Of several who try, one moves it; a living one's goes back. */
const clear = (lock: string, owner: string): void => {
  const aside = `${lock}.${process.pid}`
  try {
    FS.renameSync(lock, aside)
    if (ownerOf(aside) !== owner) FS.linkSync(aside, lock)
  } catch (cause) {
    if (!PlainFiles.isAbsent(cause) && !PlainFiles.isPresent(cause)) throw cause
  }
  FS.rmSync(aside, { force: true })
}

/**
 * A lock that is held. One that is held for long is to be touched, more often than once a minute.
 *
 * @since 0.1.0
 * @category models
 */
export interface Held {
  readonly touch: () => void
  readonly release: () => void
}

/**
 * Takes the lock at a path, making its folder; null while another holds it, be it another part of this process. Throws
 * what the file system throws.
 *
 * @since 0.1.0
 * @category locking
 */
export const take = (lock: string, now: number): Held | null => {
  const own = ownName()
  if (!createIn(lock, own)) {
    const owner = ownerOf(lock)
    if (owner !== null && !isAbandoned(lock, owner, now)) return null
    if (owner !== null) clear(lock, owner)
    if (!create(lock, own)) return null
  }
  return {
    touch: () => {
      const at = new Date()
      attempt(() => FS.utimesSync(lock, at, at))
    },
    release: () => {
      if (ownerOf(lock) === own) FS.rmSync(lock, { force: true })
    }
  }
}

const createIn = (lock: string, own: string): boolean => {
  try {
    return create(lock, own)
  } catch (cause) {
    if (!PlainFiles.isAbsent(cause)) throw cause
    PlainFiles.makeFolder(Path.dirname(lock))
    return create(lock, own)
  }
}
