/** PORT: the program that runs tasks again and again. The cycle pauses a failing task through it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"

export class TaskControlError extends Schema.TaggedError<TaskControlError>("@reflexion/core/TaskControlError")(
  "TaskControlError",
  {
    operation: Schema.Literal("pause", "isPaused", "active"),
    taskId: Schema.NullOr(Schema.String),
    cause: Schema.Defect
  }
) {
  override get message() {
    const detail = this.cause instanceof Error ? this.cause.message : String(this.cause)
    const of = this.taskId === null ? "" : ` of task ${this.taskId}`
    return `${this.operation}${of} failed: ${detail}`
  }
}

/**
 * A task that is not paused.
 *
 * @category models
 */
export interface ActiveTask {
  readonly id: string
  readonly objective: string
}

export interface Service {
  /** Stops further runs until a person resumes the task. True if it is paused now. A second call changes nothing. */
  readonly pause: (taskId: string, reason: string) => Effect.Effect<boolean, TaskControlError>
  /** True if the cycle or a person paused the task. */
  readonly isPaused: (taskId: string) => Effect.Effect<boolean, TaskControlError>
  readonly active: Effect.Effect<ReadonlyArray<ActiveTask>, TaskControlError>
}

/**
 * What a test can read about paused tasks, and how a test resumes a task.
 *
 * @category testing
 */
export class TestTaskControl extends Context.Tag("@reflexion/core/TaskControl/TestTaskControl")<
  TestTaskControl,
  {
    /** Every call of `pause`, in order. */
    readonly pauses: Effect.Effect<ReadonlyArray<{ readonly taskId: string; readonly reason: string }>>
    readonly resume: (taskId: string) => Effect.Effect<void>
  }
>() {}

const makeTest = Effect.fnUntraced(function* (tasks: ReadonlyArray<ActiveTask>) {
  const pauses = yield* Ref.make<ReadonlyArray<{ readonly taskId: string; readonly reason: string }>>([])
  const paused = yield* Ref.make<ReadonlySet<string>>(new Set())
  const service: Service = {
    pause: Effect.fnUntraced(function* (taskId, reason) {
      yield* Ref.update(pauses, (before) => [...before, { taskId, reason }])
      yield* Ref.update(paused, (before) => new Set([...before, taskId]))
      return true
    }),
    isPaused: (taskId) => Effect.map(Ref.get(paused), (ids) => ids.has(taskId)),
    active: Effect.map(Ref.get(paused), (ids) => tasks.filter(({ id }) => !ids.has(id)))
  }
  return Context.make(TaskControl, service).pipe(
    Context.add(TestTaskControl, {
      pauses: Ref.get(pauses),
      resume: (taskId) => Ref.update(paused, (ids) => new Set([...ids].filter((id) => id !== taskId)))
    })
  )
})

export class TaskControl extends Context.Tag("@reflexion/core/TaskControl")<TaskControl, Service>() {
  /** Cannot pause anything and knows no task, so every finding is only a warning. */
  static readonly none: Service = {
    pause: () => Effect.succeed(false),
    isPaused: () => Effect.succeed(false),
    active: Effect.succeed([])
  }

  /** In memory. A test reads the tasks through `TestTaskControl`. */
  static readonly Test = (tasks: ReadonlyArray<ActiveTask> = []): Layer.Layer<TaskControl | TestTaskControl> =>
    Layer.effectContext(makeTest(tasks))
}
