/**
 * A lock between processes: an entry of a folder that names its holder, so that what a killed process left is known as
 * abandoned at once. It needs nothing but what is created exclusively, which every file system and every Node can.
 */
import * as FS from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as LockGuard from "./internal/lockGuard.ts"
import * as LockLease from "./internal/lockLease.ts"
import * as PlainFiles from "./PlainFiles.ts"

/** How old a lock may be whose holder cannot be asked before it counts as abandoned. */
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

interface Process {
  /** When it began, in ticks of its system's clock. */
  readonly start: string
  /** Whether it has ended, with all its threads, and only waits for its parent to hear of it. */
  readonly hasEnded: boolean
}

/** What the system tells of a process, or of a thread as `1/task/2`; null where it does not. */
const statOf = (of: string): Process | null =>
  attempt(() => {
    const text = FS.readFileSync(`/proc/${of}/stat`, "latin1")
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    const isOver = fields[0] === "Z" || fields[0] === "X"
    // A killed one is so as soon as its first thread is, while another may be in the middle of a write.
    return { start: fields[19] ?? "-", hasEnded: isOver && !(Number(fields[17]) > 1) }
  })

/** Null where `/proc` has other numbers than this process, as a container may that was given its host's. */
const threadOf = (): string | null => {
  const path = attempt(() => FS.readlinkSync("/proc/thread-self"))
  return path?.startsWith(`${process.pid}/task/`) === true ? path : null
}

interface Self {
  readonly namespace: string
  readonly start: string
  /** Whether the system can be asked about the processes of this namespace by their numbers. */
  readonly canAsk: boolean
  /** What a name begins its last part with that is of a worker, which may end while its process goes on. */
  readonly worker: string
}

const identify = (): Self => {
  const path = threadOf()
  const pid = String(process.pid)
  if (path === null) return { namespace: namespace(), start: "-", canAsk: false, worker: "" }
  const thread = path.slice(path.lastIndexOf("/") + 1)
  const worker = thread === pid ? "" : `t${thread}-${statOf(path)?.start ?? "-"}.`
  return { namespace: namespace(), start: statOf(pid)?.start ?? "-", canAsk: true, worker }
}

let known: Self | null = null

const self = (): Self => (known ??= identify())

let count = 0

const ownName = (): string => {
  const { namespace, start, worker } = self()
  return `${process.pid} ${start} ${namespace} ${worker}${process.hrtime.bigint()}.${count++}`
}

const codeOf = (cause: unknown): unknown =>
  typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined

/** Windows makes links for administrators alone, and some file systems for nobody. */
const hasLinks = process.platform !== "win32"
const isNoPlaceForLinks = (cause: unknown): boolean =>
  ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"].includes(String(codeOf(cause)))

const write = (lock: string, owner: string): void => FS.writeFileSync(lock, owner, { flag: "wx", mode: 0o600 })

/**
 * The lock is a symbolic link to its holder's name: it is there with the name in it or not at all, whenever a process is
 * killed, where a file would be empty for a moment.
 */
const make = (lock: string, owner: string): void => {
  if (!hasLinks) return write(lock, owner)
  try {
    FS.symlinkSync(owner, lock)
  } catch (cause) {
    if (!isNoPlaceForLinks(cause)) throw cause
    write(lock, owner)
  }
}

const create = (lock: string, owner: string): boolean => {
  try {
    make(lock, owner)
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

const ownerOf = (lock: string): string | null => {
  try {
    return FS.readlinkSync(lock)
  } catch (cause) {
    return PlainFiles.isAbsent(cause) ? null : attempt(() => PlainFiles.read(lock))
  }
}

type Fate = "runs" | "gone" | "unknown"

/** Whether a worker runs that a name is of. */
const hasWorker = (pid: string, last: string): boolean => {
  const [, thread, start] = /^t(\d+)-(\d+)\./.exec(last) ?? []
  return thread === undefined || statOf(`${pid}/task/${thread}`)?.start === start
}

/** What has become of a holder. A number alone says little: another process may have it by now. */
const fateOf = (owner: string): Fate => {
  const [pid = "", start = "-", namespace = self().namespace, last = ""] = owner.split(" ")
  if (namespace !== self().namespace || !(Number(pid) > 0)) return "unknown"
  if (!runs(Number(pid))) return "gone"
  const now = self().canAsk ? statOf(pid) : null
  if (now === null) return "unknown"
  if (now.hasEnded) return "gone"
  if (start === "-") return "unknown"
  return now.start === start && hasWorker(pid, last) ? "runs" : "gone"
}

/** The names of locks of this process that could not be removed when they were released. */
const unremoved = new Set<string>()

/** One that runs may stand still for hours, as a debugger or a laptop's lid makes it, and go on in the middle of its work. */
const isAbandoned = (lock: string, owner: string, now: number): boolean => {
  if (unremoved.has(owner)) return true
  const fate = fateOf(owner)
  if (fate !== "unknown") return fate === "gone"
  // The time of a link that is made of another one, which is as old as that otherwise.
  const found = FS.lstatSync(lock, { throwIfNoEntry: false })
  return found !== undefined && now - found.ctimeMs >= staleAfterMs
}

/** Of those who find a lock abandoned, one at a time looks again and removes it: the one that holds this. */
const removalOf = (lock: string): string => `${lock}.over`

/** A third of what `rmSync` takes, which looks first. */
const remove = (lock: string): void => {
  try {
    FS.unlinkSync(lock)
  } catch (cause) {
    if (!PlainFiles.isAbsent(cause)) throw cause
  }
}

const removeIf = (lock: string, now: number, may: () => boolean): boolean => {
  const removal = take(removalOf(lock), now)
  if (removal === null) return false
  try {
    if (!may()) return false
    remove(lock)
    return true
  } finally {
    removal.release()
  }
}

/** The last word of a holder's name that gives way to those who ask. */
const heeds = " heeds"

/** The locks that this process has asked for. */
const asked = new Set<string>()

/** Where nothing can be made the lock is waited for all the same. */
const ask = (lock: string): void => {
  attempt(() => {
    write(LockLease.wantedOf(lock), "")
    asked.add(lock)
  })
}

const askNoMore = (lock: string): void => {
  if (asked.delete(lock)) attempt(() => remove(LockLease.wantedOf(lock)))
}

const isName = (owner: string): boolean => /^\d+(?: |$)/.test(owner)

const refused = (lock: string, what: string): Error =>
  new Error(`${lock} is ${what}, and no lock of reflexion's: remove it`)

/** Throws for what no process of ours makes, which would be waited for in vain. A file without a name may be in the making. */
const refuseOther = (lock: string): void => {
  const found = FS.lstatSync(lock, { throwIfNoEntry: false })
  if (found === undefined || found.isFile()) return
  if (found.isDirectory()) throw refused(lock, "a folder")
  if (!found.isSymbolicLink()) throw refused(lock, "a pipe or a device")
  const owner = ownerOf(lock)
  if (owner !== null && !isName(owner)) throw refused(lock, "a symbolic link to something else")
}

/** Null where another holds it; else whether it was abandoned. */
const takeOver = (lock: string, own: string, now: number): { readonly isOver: boolean } | null => {
  const owner = ownerOf(lock)
  if (owner === null || !isName(owner)) refuseOther(lock)
  if (owner !== null && !isAbandoned(lock, owner, now)) {
    if (owner.endsWith(heeds)) ask(lock)
    return null
  }
  // One that is taken often has the same name in it each time.
  const isOver = owner !== null && removeIf(lock, now, () => ownerOf(lock) === owner && isAbandoned(lock, owner, now))
  if (isOver) unremoved.delete(owner)
  return (owner === null || isOver) && create(lock, own) ? { isOver } : null
}

/**
 * A lock that is held. One that is held for long is to be touched, more often than once a minute, for whoever cannot see
 * that its holder runs.
 *
 * @category models
 */
export interface Held {
  /** Whether the one that had it before ended in the middle of something. */
  readonly isOver: boolean
  readonly touch: () => void
  readonly release: () => void
}

/**
 * Takes the lock at a path, making its folder; null while another holds it, be it another part of this process. Throws
 * what the file system throws, and at once for a folder, a pipe or another link in its place.
 *
 * @category locking
 */
export const take = (path: string, now: number): Held | null => {
  // The folder that it is named from may be another when it is released.
  const lock = Path.resolve(path)
  LockLease.end(lock)
  const own = ownName()
  const taken = createIn(lock, own) ? { isOver: false } : takeOver(lock, own, now)
  if (taken === null) return null
  askNoMore(lock)
  const { release, touch } = holding(lock, own)
  const give = (): void => {
    try {
      release()
    } catch (cause) {
      unremoved.add(own)
      throw cause
    }
  }
  return { ...taken, touch, release: give }
}

const holding = (lock: string, own: string): Omit<Held, "isOver"> => {
  let since: number | null = Date.now()
  return {
    touch: () => {
      const at = new Date()
      attempt(() => FS.lutimesSync(lock, at, at))
    },
    release: () => {
      const held = since === null ? null : Date.now() - since
      since = null
      if (held === null) return
      // One that was held for long may be another's by now, or becoming it.
      if (held >= 0 && held < staleAfterMs / 2) remove(lock)
      else removeIf(lock, Date.now(), () => ownerOf(lock) === own)
    }
  }
}

/** From the next time on a lock counts as taken often. */
const oftenAfter = 16

/** Linux makes a second entry of a symbolic link itself, where others make one of what it points to. */
const linksLinks = process.platform === "linux"

/** What names the holder, kept beside the lock: its number keeps those of several systems apart. */
const keptOf = (lock: string): string => `${lock}.${process.pid}-${process.hrtime.bigint().toString(36)}`

const isKept = (lock: string, name: string): boolean =>
  name.startsWith(`${Path.basename(lock)}.`) && /^\d+-[0-9a-z]+$/.test(name.slice(Path.basename(lock).length + 1))

/** Nobody keeps one for as long without taking the lock, and whoever does makes another. */
const forgottenAfterMs = 3_600_000

const isForgotten = (kept: string, now: number): boolean => {
  const owner = ownerOf(kept)
  const fate = owner === null ? "runs" : fateOf(owner)
  if (fate !== "unknown") return fate === "gone"
  const found = FS.lstatSync(kept, { throwIfNoEntry: false })
  return found !== undefined && now - found.ctimeMs >= forgottenAfterMs
}

/** What killed processes kept, and the mark of one that may be gone: who still waits makes another in some milliseconds. */
const tidy = (lock: string, now: number): void => {
  remove(LockLease.wantedOf(lock))
  const folder = Path.dirname(lock)
  for (const name of FS.readdirSync(folder)) {
    const kept = Path.join(folder, name)
    if (isKept(lock, name) && isForgotten(kept, now)) remove(kept)
  }
}

interface Kept {
  readonly path: string
  readonly own: string
  /** Whether the lock may stay made from one time to the next. */
  readonly mayStay: boolean
}

const keep = (lock: string, now: number): Kept | null =>
  attempt(() => {
    tidy(lock, now)
    const mayStay = LockLease.mayLeave()
    const kept = { path: keptOf(lock), own: `${ownName()}${mayStay ? heeds : ""}`, mayStay }
    FS.symlinkSync(kept.own, kept.path)
    return kept
  })

/** Null where what was kept cannot be used any more. */
const link = (kept: string, lock: string): boolean | null => {
  try {
    FS.linkSync(kept, lock)
    return true
  } catch (cause) {
    return PlainFiles.isPresent(cause) ? false : null
  }
}

/**
 * A lock that one process takes often, each time for no longer than a call that waits for nothing.
 *
 * @category models
 */
export interface Frequent {
  /** As `take`. What it gives is to be released before anything else of this process takes the lock. */
  readonly take: (now: number) => Held | null
  /** Removes what was kept. It can be taken again all the same. */
  readonly close: () => void
}

interface Made extends LockLease.Made {
  readonly touch: () => void
}

/**
 * After some times the holder's name is kept beside the lock, and taking it is to link that: a file system finds room for
 * a new entry far sooner than for a new file, all the more if many have just gone. In a burst within one turn of the event
 * loop the lock itself stays from one time to the next, unless somebody waits for it; `guard` starts the thread that gives it
 * back where the program does not.
 *
 * @category locking
 */
export const frequent = (path: string, guard: LockGuard.Start = LockGuard.start): Frequent => {
  const lock = Path.resolve(path)
  const lease = LockLease.make<Made>(lock, guard)
  let count = 0
  let kept: Kept | null = null
  let isTaken = false
  const forget = (): void => {
    const path = kept?.path
    kept = null
    count = 0
    if (path !== undefined) attempt(() => remove(path))
  }
  const held = (made: Made): Held => {
    let isHeld = true
    isTaken = true
    const release = (): void => {
      if (!isHeld) return
      isHeld = false
      isTaken = false
      if (kept?.mayStay === true) lease.leave(made, kept.own)
      else made.release()
    }
    return { isOver: false, touch: made.touch, release }
  }
  const linked = ({ own, path }: Kept, now: number): Held | null => {
    const isMade = link(path, lock)
    if (isMade === null) forget()
    // It is there still where it could not be removed.
    const isOurs = isMade === false && !isTaken && ownerOf(lock) === own
    if (isMade !== true && !isOurs) return take(lock, now)
    askNoMore(lock)
    return held({ at: now, ...holding(lock, own) })
  }
  const made = (now: number): Held | null => {
    count += 1
    if (kept === null && linksLinks && count > oftenAfter) {
      kept = keep(lock, now)
      if (kept === null) count = 0
    }
    return kept === null ? take(lock, now) : linked(kept, now)
  }
  return {
    take: (now) => {
      lease.count()
      const left = lease.resume(now)
      return left === null ? made(now) : held(left)
    },
    close: () => {
      attempt(lease.end)
      lease.close()
      forget()
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
