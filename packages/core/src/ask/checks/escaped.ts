/**
 * Processes that left their group, as browsers under test do: where the system shows them, they are found by their
 * parents and sessions, looked at now and then while a check runs, and by their environment.
 */
import * as Command from "@effect/platform/Command"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

const pids = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const names = yield* Effect.orElseSucceed(fs.readDirectory("/proc"), () => [])
  return names.filter((name) => /^\d{1,10}$/.test(name))
})

/** What runs under a number, and since when: another process may have it later. */
interface Process {
  readonly pid: string
  readonly parent: string
  readonly session: string
  readonly since: string
}

/** "pid (name) state parent group session …"; the name may hold anything, and the start is the 22nd field. */
const processOf = (pid: string, stat: string): Process => {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return { pid, parent: fields[1] ?? "", session: fields[3] ?? "", since: fields[19] ?? "" }
}

const statOf = Effect.fnUntraced(function* (pid: string) {
  const fs = yield* FileSystem.FileSystem
  return processOf(pid, yield* fs.readFileString(`/proc/${pid}/stat`))
})

const all = Effect.flatMap(pids, (found) =>
  Effect.map(
    Effect.forEach(found, (pid) => Effect.orElseSucceed(statOf(pid), () => null), { concurrency: 16 }),
    (processes) => processes.filter((process) => process !== null)
  )
)

/** All that was started below a process, as far as it has been seen: each by its number, with its start. */
export interface Family {
  readonly root: string
  readonly seen: Map<string, string>
}

export const family = (root: number): Family => ({ root: String(root), seen: new Map() })

/** Whoever's parent is of the family is, and whoever is in a session that one of it began. */
const joins = ({ root, seen }: Family, { parent, pid, session, since }: Process): boolean =>
  pid !== root &&
  seen.get(pid) !== since &&
  (parent === root || session === root || seen.has(parent) || seen.has(session))

/** Looks at what runs now. A child may be listed before its parent. */
export const look = Effect.fnUntraced(function* (known: Family) {
  const now = yield* all
  const alive = new Map(now.map(({ pid, since }) => [pid, since]))
  for (const [pid, since] of known.seen) if (alive.has(pid) && alive.get(pid) !== since) known.seen.delete(pid)
  for (let found = now; found.length > 0;) {
    found = found.filter((process) => joins(known, process))
    for (const { pid, since } of found) known.seen.set(pid, since)
    found = found.length > 0 ? now : []
  }
})

/** Often at first, for most of what leaves does so at once. */
const rhythm = Schedule.union(Schedule.exponential("25 millis", 1.5), Schedule.spaced("2 seconds"))

export const follow = (known: Family) => Effect.ignore(Effect.repeat(look(known), rhythm))

const holds = Effect.fnUntraced(function* (pid: string, variable: string) {
  const fs = yield* FileSystem.FileSystem
  const environment = yield* fs.readFileString(`/proc/${pid}/environ`)
  return environment.split("\0").includes(variable)
})

const marked = (variable: string) =>
  Effect.flatMap(pids, (found) =>
    Effect.filter(found, (pid) => Effect.orElseSucceed(holds(pid, variable), () => false), { concurrency: 16 })
  )

const left = Effect.fnUntraced(function* (known: Family, variable: string) {
  yield* look(known)
  const alive = yield* all
  const own = alive.filter(({ pid, since }) => known.seen.get(pid) === since).map(({ pid }) => pid)
  return [...new Set([...own, ...(yield* marked(variable))])]
})

const rounds = 3

/**
 * Kills every process of the family, and every one in whose environment the variable stands as it is written; who starts
 * another may need a second round.
 */
export const end = Effect.fnUntraced(function* (known: Family, variable: string) {
  for (let round = 0; round < rounds; round++) {
    const found = yield* left(known, variable)
    if (found.length === 0) return
    yield* Effect.ignore(Command.exitCode(Command.make("/bin/sh", "-c", 'kill -KILL "$@"', "sh", ...found)))
  }
})
