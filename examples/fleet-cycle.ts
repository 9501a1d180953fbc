/**
 * A small orchestrator: three tasks run on a schedule, each by an agent that has a skill. One breaks when the world around
 * it changes; the reflection cycle pauses it, says why, and proposes a change of its skill. The agent and the model here
 * are scripts that know only what they are told; put yours there.
 *
 *     node examples/dist/fleet-cycle.js [FOLDER]
 *
 * The folder has the skills, and below `.reflection` how the runs ended, what was found and what is proposed.
 */
import {
  FindingLog,
  OutcomeLog,
  RecommendedAction,
  ReflectionAnalysis,
  ReflectionCycle,
  ReflexionConfig,
  TaskControl
} from "@reflexion/core"
import { FileSystem } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Clock, Console, Context, Duration, Effect, Either, Fiber, Layer, Queue, Random, Ref, Schedule } from "effect"

interface Task {
  readonly id: string
  readonly objective: string
  readonly skill: string
}

const tasks: ReadonlyArray<Task> = [
  { id: "backup", objective: "Back the shop's orders up.", skill: "skills/backup.md" },
  { id: "report", objective: "Report how many orders there were.", skill: "skills/report.md" },
  { id: "prices", objective: "Refresh the shop's price list.", skill: "skills/prices.md" }
]

const files = {
  "skills/backup.md": "Read api/orders.json",
  "skills/report.md": "Read api/orders.json",
  "skills/prices.md": "Read api/v1/prices.json",
  "api/orders.json": '{"orders": [{"id": 1, "total": 90}, {"id": 2, "total": 120}, {"id": 3, "total": 15}]}',
  "api/v1/prices.json": '{"prices": {"apple": 0.5, "pear": 0.7, "plum": 0.9, "quince": 1.4}}'
}

class Folder extends Context.Tag("Folder")<Folder, string>() {}

/** The agent: it reads what its skill names, and answers with what it found there. */
const runAgent = Effect.fn(function* (task: Task) {
  const { readFileString } = yield* FileSystem.FileSystem
  const folder = yield* Folder
  const skill = yield* readFileString(`${folder}/${task.skill}`)
  return yield* readFileString(`${folder}/${skill.replace("Read ", "").trim()}`)
})

/** One run of a task; how it ended goes to the log, which is all that the cycle needs. */
const runTask = Effect.fn(function* (task: Task) {
  const { append } = yield* OutcomeLog.OutcomeLog
  const [took, answer] = yield* Effect.timed(Effect.either(runAgent(task)))
  const id = (yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)).toString(36)
  yield* append({
    id: `${task.id}-${id}`,
    taskId: task.id,
    sessionId: id,
    objective: task.objective,
    status: Either.isRight(answer) ? "completed" : "failed",
    durationMs: Duration.toMillis(took),
    tools: ["read"],
    loaded: [{ kind: "skill", name: task.skill }],
    resultLength: Either.isRight(answer) ? answer.right.length : 0,
    backend: "script",
    at: new Date(yield* Clock.currentTimeMillis).toISOString()
  })
  yield* Console.log(`${task.id}: ${Either.isRight(answer) ? "done" : "failed"}`)
})

/** What the scheduler runs no more. */
const TaskControlLive = Layer.effect(
  TaskControl.TaskControl,
  Effect.map(Ref.make<ReadonlySet<string>>(new Set()), (paused) => ({
    pause: (id: string, reason: string) =>
      Ref.update(paused, (ids) => new Set([...ids, id])).pipe(
        Effect.zipRight(Console.log(`\npaused ${id}: ${reason}\n`)),
        Effect.as(true)
      ),
    isPaused: (id: string) => Effect.map(Ref.get(paused), (ids) => ids.has(id)),
    active: Effect.map(Ref.get(paused), (ids) => tasks.filter(({ id }) => !ids.has(id)))
  }))
)

/** Instead of a model: `ReflectionAnalysis.Configured` asks the one of the configuration. */
const AnalysisLive = Layer.succeed(ReflectionAnalysis.ReflectionAnalysis, {
  analyse: ({ failed }) =>
    Effect.sync(() => {
      const skills = [...new Set(failed.flatMap(({ loaded }) => loaded.map(({ name }) => name)))]
      const tasks = [...new Set(failed.map(({ taskId }) => taskId))]
      const answer = `What failed is ${tasks.join(", ")}, each time right after it began, and it worked before: what it reads was moved.

SKILL_ACTION: ${skills[0]}: Look up where the file is before you read it, such as below api/v2.`
      return { ...RecommendedAction.parse(answer), model: "script" }
    })
})

const scheduled = Effect.fn(function* (task: Task) {
  const { isPaused } = yield* TaskControl.TaskControl
  const once = Effect.unlessEffect(runTask(task), isPaused(task.id))
  yield* Effect.repeat(once, Schedule.spaced("100 millis"))
})

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* Folder
  for (const path of ["skills", "api/v1", "api/v2"]) yield* fs.makeDirectory(`${folder}/${path}`, { recursive: true })
  for (const [name, text] of Object.entries(files)) yield* fs.writeFileString(`${folder}/${name}`, text)

  const cycle = yield* ReflectionCycle.ReflectionCycle
  const events = yield* cycle.subscribe
  for (const _ of [1, 2, 3]) yield* Effect.forEach(tasks, runTask)
  yield* Console.log("\nThe prices move to another place.\n")
  yield* fs.rename(`${folder}/api/v1/prices.json`, `${folder}/api/v2/prices.json`)
  const fleet = yield* Effect.fork(Effect.forEach(tasks, scheduled, { concurrency: "unbounded" }))
  yield* Effect.repeat(Queue.take(events), { until: ({ type }) => type === "reflection.analysis_completed" })
  yield* Fiber.interrupt(fleet)
  // What was recommended is handed on by the time that a run has ended.
  yield* cycle.run()

  const { findings } = yield* FindingLog.FindingLog
  yield* Console.log("\nWhat was found:")
  for (const { actionTaken, detail, rule, subjectId } of yield* findings())
    yield* Console.log(`\n${rule} (${subjectId}): ${detail}${actionTaken === null ? "" : `\n${actionTaken}`}`)
  const proposals = `${folder}/.reflection/proposals`
  for (const name of yield* fs.readDirectory(proposals))
    yield* Console.log(`\nProposed in ${name}:\n\n${yield* fs.readFileString(`${proposals}/${name}`)}`)
}).pipe(Effect.scoped)

const FolderLive = Layer.scoped(
  Folder,
  Effect.flatMap(FileSystem.FileSystem, (fs) => {
    const [, , folder] = process.argv
    return folder === undefined ? fs.makeTempDirectoryScoped() : Effect.succeed(folder)
  })
)

const CycleLive = Layer.unwrapEffect(
  Effect.map(Folder, (folder) => {
    const kept = `${folder}/.reflection`
    const logs = Layer.merge(
      OutcomeLog.OutcomeLog.Live({ path: `${kept}/outcomes.jsonl` }),
      FindingLog.FindingLog.Live({ path: `${kept}/findings.jsonl` })
    )
    // It brings what writes proposals.
    return ReflectionCycle.ReflectionCycle.Configured({ directory: folder, debounce: "10 millis" }).pipe(
      Layer.provide([AnalysisLive, ReflexionConfig.CurrentConfig.layer()]),
      Layer.provideMerge(Layer.merge(logs, TaskControlLive))
    )
  })
)

const MainLive = CycleLive.pipe(Layer.provideMerge(FolderLive), Layer.provideMerge(NodeContext.layer))

NodeRuntime.runMain(Effect.provide(program, MainLive))
