/** Moves records between a project's files, which hooks use, and a database. If a run is killed, the next continues. */
import { decode as decodeOutcome } from "@reflexion/core/AttemptOutcome"
import * as FileLock from "@reflexion/core/internal/base/system/FileLock"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import { redact } from "@reflexion/core/internal/base/redaction/Redaction"
import * as MemoryTrust from "@reflexion/core/internal/memory/log/MemoryTrust"
import * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import { clean, type MemoryEvent } from "@reflexion/core/internal/memory/store/MemoryLine"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import type { Reflection } from "@reflexion/core/Reflection"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as LearnedFile from "@reflexion/hooks/memory/LearnedFile"
import * as LessonTrust from "@reflexion/hooks/memory/LessonTrust"
import * as MemoryPlace from "@reflexion/hooks/memory/MemoryPlace"
import type { SharedLesson } from "@reflexion/postgres/MemorySync"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { hostname } from "node:os"
import { dirname, join } from "node:path"
import type { VerbArguments } from "../command/Parts.ts"
import { CliFailure } from "../process/CliError.ts"
import { CliProcess, userDirectories } from "../process/CliProcess.ts"
import { attempt } from "../process/FileProblem.ts"
import * as Settings from "../process/Settings.ts"
import { counted, oneLine } from "../terminal/Layout.ts"
import { client, inDatabase, type Place, warnings } from "./MemoryStore.ts"
import * as ProjectName from "./ProjectName.ts"
import { slowly } from "../terminal/Terminal.ts"

/** A hook reads only the end of the file. If more were fetched, it would not see the user's own lessons. */
const most = { lessons: 200, events: 1000 } as const

const batch = 500

/** What the file and the database both had after the last run. */
const State = Schema.Struct({
  lessons: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      /** The hash of the database's text. */
      hash: Schema.String,
      version: Schema.String,
      author: Schema.String,
      machine: Schema.NullOr(Schema.String)
    })
  }),
  events: Schema.Array(Schema.String),
  outcomes: Schema.Array(Schema.String)
})

type State = typeof State.Type

/** The states by the database's id. The database of the last run is at the end. */
const States = Schema.parseJson(Schema.Record({ key: Schema.String, value: State }))

type States = typeof States.Type

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32)

/** The file is in the user's state folder, so no project can claim what was synchronised or who wrote a lesson. */
const stateFile = (place: Place) =>
  Effect.map(userDirectories, ({ state }) => join(state, "sync", `${hashOf(place.path)}.json`))

const stateBytes = 64 * 1024 * 1024

const statesIn = Effect.fnUntraced(function* (file: string) {
  const text = yield* attempt(() => PlainFiles.read(file, { maxBytes: stateBytes }), file)
  const none: States = {}
  return text === null
    ? none
    : yield* Effect.mapError(
        Schema.decodeUnknown(States)(text),
        () =>
          new CliFailure({
            problem: `${file}: this is not what the last sync wrote. Delete the file, and the next run compares everything again; lessons that you deleted here may come back`
          })
      )
})

const hash = (lesson: Reflection): string => hashOf(JSON.stringify(clean(lesson)))

/** A lesson that was changed here has no other writer. */
export const writers = Effect.fnUntraced(function* (place: Place, found: ReadonlyArray<Reflection>) {
  const states = Object.values(yield* statesIn(yield* stateFile(place))).toReversed()
  return new Map(
    found.flatMap((one) => {
      const writer = states.map(({ lessons }) => lessons[one.id]).find((entry) => entry?.hash === hash(one))
      return writer === undefined ? [] : [[one.id, writer] as const]
    })
  )
})

const projectIn = Effect.fnUntraced(function* (directory: string, given: string | null) {
  const project = yield* ProjectName.of(directory, given)
  if (project !== null) return project
  return yield* new CliFailure({
    problem:
      "the name of the project is unknown, because git has no remote called origin: name it with --project, on all machines alike"
  })
})

const uuid = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/u

/** Drops fields that somebody may have added to the line. */
const plain = (one: MemoryEvent): MemoryEvent => {
  const { at, attemptNumber, reflectionIds, subtaskId, taskId } = one
  const of = { at, reflectionIds, taskId, subtaskId, attemptNumber }
  return one.event === "use"
    ? { event: one.event, kind: one.kind, ...of }
    : { event: one.event, success: one.success, ...of }
}

/** Events are recorded without ids, so a hash is used. Equal lines are different events. */
const numbered = (here: string, events: ReadonlyArray<MemoryEvent>) => {
  const counts = new Map<string, number>()
  return events.map((event) => {
    const { taskId, ...rest } = plain(event)
    const line = JSON.stringify([taskId === here ? null : taskId, rest])
    const count = (counts.get(line) ?? 0) + 1
    if (event.id === undefined) counts.set(line, count)
    return { id: event.id ?? hashOf(`${count} ${line}`).replace(uuid, "$1-$2-$3-$4-$5"), event }
  })
}

/** No record with a secret in an id is sent, because redaction does not change ids. */
const isClean = (...ids: ReadonlyArray<string | null>): boolean => ids.every((id) => id === null || redact(id) === id)

const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text))

/** If git tracks the file, anyone may have written its results. */
const isForeign = Effect.fnUntraced(function* (path: string, what: string) {
  const isTracked = yield* MemoryTrust.isTrackedAt(path)
  if (isTracked) yield* Effect.logWarning(`${oneLine(path)}: git tracks it, so no ${what} was sent`)
  return isTracked
})

/** `known` has the ids of all lessons that the file ever had. If one is missing now, it was deleted here. */
const moved = Effect.fnUntraced(function* (place: Place, project: string, before: State, known: ReadonlySet<string>) {
  const { MemorySync } = yield* client
  const directories = yield* userDirectories
  const { retentionDays } = (yield* Settings.user).memory
  const since = (yield* Clock.currentTimeMillis) - retentionDays * 86_400_000
  const writer = { project, machine: hostname() }
  const here = ReviewLesson.projectOf(place.root)
  // A project's folder may have another name on each machine, so the database has the project's name.
  const up = <A extends { readonly taskId: string | null }>(one: A): A => ({
    ...one,
    ...(one.taskId === here && { taskId: project })
  })
  const down = <A extends { readonly taskId: string | null }>(one: A): A => ({
    ...one,
    ...(one.taskId === project && { taskId: here })
  })
  const read = () => LearnedFile.read({ root: place.root, file: place.path }, Number.MAX_SAFE_INTEGER)
  const found = yield* attempt(read, place.path)

  const offers = LessonTrust.known(directories, place.root, found.reflections)
    .filter((one) => before.lessons[one.id]?.hash !== hash(one))
    .filter(({ id, sessionId, subtaskId, taskId }) => isClean(id, sessionId, subtaskId, taskId))
  const shared = new Map<string, SharedLesson>()
  let sent = 0
  for (const some of Arr.chunksOf(offers, batch)) {
    const given = some.map((one) => ({ lesson: clean(up(one)), base: before.lessons[one.id]?.version ?? null }))
    const result = yield* MemorySync.offer(writer, given)
    sent += result.count
    for (const [id, one] of result.shared) shared.set(id, one)
  }

  const newest = yield* MemorySync.lessons(project, { since, limit: most.lessons })
  const changed = yield* MemorySync.changed(
    Object.entries(before.lessons).map(([id, { version }]) => ({ id, version }))
  )
  for (const one of [...newest, ...changed]) shared.set(one.lesson.id, one)
  // Leaves out lessons of other projects: the file may have been used with another project's name.
  for (const [id, one] of shared) if (one.project !== project) shared.delete(id)
  const own = new Map(found.reflections.map((one) => [one.id, one]))
  const fresh = [...shared.values()].flatMap(({ lesson, version }) => {
    const one = clean(down(lesson))
    const mine = own.get(one.id)
    const isNew =
      mine === undefined ? !known.has(one.id) : before.lessons[one.id]?.version !== version && hash(mine) !== hash(one)
    return isNew ? [one] : []
  })
  yield* attempt(() => LearnedFile.append({ root: place.root, file: place.path }, fresh), place.path)

  const after = yield* attempt(read, place.path)
  const events = numbered(here, after.events)
  const past = new Set(before.events)
  const mine = (yield* isForeign(place.path, "event")) ? [] : events
  const due = mine
    .filter(({ event, id }) => event.id === undefined && !past.has(id) && isTime(event.at))
    .filter(({ event: { reflectionIds, subtaskId, taskId } }) => isClean(subtaskId, taskId, ...reflectionIds))
    .map(({ event, id }) => ({ id, event: up(plain(event)) }))
  let told = 0
  for (const some of Arr.chunksOf(due, batch)) told += yield* MemorySync.addEvents(writer, some)
  const theirs = yield* MemorySync.events(project, { of: after.reflections.map(up), since, limit: most.events })
  const ids = new Set(events.map(({ id }) => id))
  const heard = theirs.filter(({ id }) => !ids.has(id) && !past.has(id))
  yield* attempt(
    () =>
      LearnedFile.append(
        { root: place.root, file: place.path },
        heard.map(({ event, id }) => ({ ...down(plain(event)), id }))
      ),
    place.path
  )

  const entries = [...shared].map(([id, { author, lesson, machine, version }]) => {
    return [id, { hash: hash(down(lesson)), version, author, machine }] as const
  })
  const lessons = { ...before.lessons, ...Object.fromEntries(entries) }
  return {
    state: { lessons, events: [...new Set([...ids, ...theirs.map(({ id }) => id)])] },
    sent: { lessons: sent, events: told },
    received: { lessons: fresh.length, events: heard.length },
    foreign: after.reflections.length - LessonTrust.known(directories, place.root, after.reflections).length
  }
})

/** Outcomes are never fetched, so no text of another machine reaches a model that is asked here. */
const outcomesOf = Effect.fnUntraced(function* (path: string, sent: ReadonlySet<string>) {
  if (yield* isForeign(path, "outcome")) return []
  const lines = yield* attempt(() => LearnedFile.linesOf(path, Number.MAX_SAFE_INTEGER), path)
  return lines
    .map((line) => decodeOutcome(line))
    .filter((one) => one !== null)
    .filter(({ id, sessionId, taskId }) => !sent.has(id) && isClean(id, sessionId, taskId))
})

const rememberedOutcomes = 50_000

const synced = Effect.fnUntraced(function* (place: Place, target: string, project: string) {
  const { cwd } = yield* CliProcess
  const { MemorySync } = yield* client
  const id = yield* MemorySync.database
  const file = yield* stateFile(place)
  const { [id]: before = { lessons: {}, events: [], outcomes: [] }, ...others } = yield* statesIn(file)
  const known = new Set([before, ...Object.values(others)].flatMap(({ lessons }) => Object.keys(lessons)))
  const { foreign, received, sent, state } = yield* moved(place, project, before, known)
  const outcomes = yield* outcomesOf(join(Trust.rootOf(cwd), ".reflection", "outcomes.jsonl"), new Set(before.outcomes))
  const { append } = yield* OutcomeLog
  for (const some of Arr.chunksOf(outcomes, batch)) yield* append(some)
  const all = [...before.outcomes, ...outcomes.map(({ id }) => id)].slice(-rememberedOutcomes)
  const next: State = { ...state, outcomes: all }
  if (JSON.stringify(next) !== JSON.stringify(before))
    yield* attempt(() => PlainFiles.write(file, `${JSON.stringify({ ...others, [id]: next }, null, 1)}\n`), file)
  const summary = `sent ${counted(sent.lessons, "lesson")}, ${counted(sent.events, "event")} and ${counted(outcomes.length, "outcome")}; received ${counted(received.lessons, "lesson")} and ${counted(received.events, "event")}`
  yield* Console.log(`${oneLine(project)} with ${oneLine(target)}: ${summary}`)
  if (foreign > 0)
    yield* Console.log(
      `${counted(foreign, "lesson")} ${foreign === 1 ? "was" : "were"} not learned here and ${foreign === 1 ? "goes" : "go"} into no prompt: read them (reflexion memory show), then trust them: reflexion allow workspace`
    )
})

/** Only one run is active at a time, so a run that hangs must end before the next can start. */
const patience = "5 minutes"

/** If a permission is missing, another run would not help. */
const ended = ({ message }: { readonly message: string }) => {
  const again = /permission denied|read-only transaction/u.test(message) ? "" : ", run this again"
  return new CliFailure({ problem: `${oneLine(message)}; nothing is lost${again}` })
}

export const run = Effect.fn("Sync.run")(
  function* (given: VerbArguments, { database, path: target }: Place, place: Place) {
    if (database === undefined) return yield* new CliFailure({ problem: "sync needs --store with a database" })
    const project = yield* projectIn(place.root, given.option("project"))
    yield* attempt(() => MemoryPlace.prepare(place.path), place.path)
    const lock = yield* Effect.acquireRelease(
      attempt(() => FileLock.take(join(dirname(place.path), "sync.lock")), place.path),
      (held) => Effect.sync(() => held?.release())
    )
    if (lock === null) return yield* Console.log("another sync of this project runs; nothing was done")
    yield* Effect.forkScoped(Effect.repeat(Effect.sync(lock.touch), Schedule.spaced("20 seconds")))
    yield* synced(place, target, project).pipe(
      Effect.provide(inDatabase(database, true)),
      slowly(`moving records to and from ${oneLine(target)}`),
      Effect.provide(warnings),
      Effect.timeoutFail({
        duration: patience,
        onTimeout: () => new CliFailure({ problem: `${target}: no answer within ${patience}; run this again` })
      })
    )
  },
  Effect.scoped,
  Effect.catchTags({
    StorageError: ended,
    ReflectionError: ended
  })
)
