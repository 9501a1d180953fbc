/** The schemas of the configuration. */
import * as Schema from "effect/Schema"
import { CrossReview, ModelChoice, Models, PartialModels, Routing } from "./modelSettings.ts"
import { AcceptanceItem, maxCommand, maxItems } from "../donewhen/model.ts"
import { levels, type RuleName, ruleNames } from "./RuleNames.ts"
import { Todos } from "./todoSettings.ts"
import { Flag, must, shape, time, whole } from "./values.ts"

/**
 * A command that may be run to decide a gate. `timeout` is in seconds.
 *
 * @category models
 */
export const Check = Schema.Struct({
  /** The gate that it decides: one of those that every project has, or a declared one. */
  gate: Schema.String.pipe(
    Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,39}$/),
    Schema.annotations(must("a gate's name"))
  ),
  /** Run by a shell in the session's project. */
  command: Schema.String.pipe(
    Schema.filter((command) => command.trim() !== "" && command.length <= 500),
    Schema.annotations(must("a command of 1 to 500 characters"))
  ),
  /** In seconds. */
  timeout: Schema.optionalWith(time(1, 3600), { default: () => 300, exact: true })
}).annotations(shape("an object with a gate and a command"))

export type Check = typeof Check.Type

/**
 * A check in force. `taken`: the user took it for a project when it was proposed, so that it is run where nobody is there, or
 * when they ask for it. `directory`: where it is run, if not where the session is. Neither has a place in a configuration file:
 * the user's own word sets them.
 *
 * @category models
 */
export const ActiveCheck = Schema.Struct({
  ...Check.fields,
  taken: Schema.optionalWith(Schema.Boolean, { exact: true }),
  directory: Schema.optionalWith(Schema.String, { exact: true })
})

export type ActiveCheck = typeof ActiveCheck.Type

const maxChecks = 20

const either = "a list of checks, or an object with checks and unsandboxed"

const checks = (what: string) =>
  Schema.Array(Check)
    .annotations(shape(what))
    .pipe(Schema.maxItems(maxChecks, shape(`at most ${maxChecks} checks`)))

export const Verify = Schema.Struct({
  checks: Schema.Array(ActiveCheck),
  /** Whether a hook may run them where its host's sandbox does not hold. */
  unsandboxed: Schema.Boolean
})

const VerifyObject = Schema.Struct({
  checks: Schema.optionalWith(checks("a list of checks"), { exact: true }),
  unsandboxed: Schema.optionalWith(Flag, { exact: true })
}).annotations(shape(either))

export const PartialVerify = Schema.transform(
  Schema.Union(checks(either), VerifyObject),
  Schema.typeSchema(VerifyObject),
  {
    strict: true,
    decode: (given) => ("length" in given ? { checks: given } : given),
    encode: (verify) => verify
  }
)

const cycleFields = {
  /** Whether anything is looked for; without it no fiber exists. */
  enabled: Flag,
  /** After so many attempts that completed the rules look at them; at a failure they do at once. */
  batch_threshold: whole(1, 10_000),
  /** After so many failures in a row a task is paused. */
  consecutive_failure_limit: whole(1, 100),
  /** How far back the rules look, in seconds. */
  lookback_seconds: whole(60, 31_536_000),
  /** A task whose results are all of fewer characters does nothing any more; 0 for none. */
  min_result_length: whole(0, 1_000_000)
}

export const Cycle = Schema.Struct(cycleFields)

export const PartialCycle = Schema.partialWith(Cycle, { exact: true }).annotations(
  shape(`an object with ${Object.keys(cycleFields).join(", ")}`)
)

const memoryFields = {
  /** Whether anything is learned and given. */
  enabled: Flag,
  /** How many reflections a prompt has at most. */
  maxReflectionsPerRetry: whole(1, 10),
  /** How long a model may take to reflect. */
  generationTimeoutMs: whole(1000, 600_000),
  /** After so many days a reflection is forgotten. */
  retentionDays: whole(1, 3650),
  /** How similar a reflection of another task must be to be given too; false for none. */
  crossTask: Schema.Union(Schema.Literal(false), Schema.Number.pipe(Schema.between(0, 1))).annotations(
    must("false, or a similarity from 0 to 1")
  )
}

export const Memory = Schema.Struct(memoryFields)

export const PartialMemory = Schema.partialWith(Memory, { exact: true }).annotations(
  shape("an object with enabled, maxReflectionsPerRetry, generationTimeoutMs, retentionDays or crossTask")
)

/**
 * `strict` also requires tests, build, a pull request and green CI of every coding task; `advisory` never pushes.
 *
 * @category models
 */
export const Profile = Schema.Literal("balanced", "strict", "advisory").annotations({
  message: () => ({ message: 'must be "balanced", "strict" or "advisory"', override: true })
})

export type Profile = typeof Profile.Type

/**
 * Whether a person is there to answer the agent; `auto` goes by the session.
 *
 * @category models
 */
export const Attended = Schema.Literal("auto", true, false).annotations({
  message: () => ({ message: 'must be "auto", true or false', override: true })
})

export type Attended = typeof Attended.Type

const maxGlobs = 100

const Globs = Schema.Array(Schema.String.annotations({ message: () => "must be a string" }))
  .annotations({ message: () => "must be a list of globs" })
  .pipe(Schema.maxItems(maxGlobs, { message: () => `must be at most ${maxGlobs} globs` }))

/**
 * A gate of the project's own, such as one package's tests in a monorepo.
 *
 * @category models
 */
export const DeclaredGate = Schema.Struct({
  /** What the gate is called in a verdict: letters, digits, `.`, `_`, `:` and `-`. */
  name: Schema.String.pipe(
    Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,39}$/, {
      message: () => "must be 1 to 40 letters, digits, '.', '_', ':' or '-', beginning with a letter or digit"
    })
  ),
  /** The command that runs it: one simple command's whole text, where `*` stands for any text. */
  command: Schema.String.pipe(
    Schema.filter((command) => command.trim() !== "" && command.length <= 500, {
      message: () => "must be a command of 1 to 500 characters"
    })
  ),
  /** Globs of the files that it covers, relative to the session's directory; none means every source file. */
  paths: Schema.optionalWith(Globs, { default: () => [], exact: true }),
  /** Whether a task that edits a covered file must run it. */
  required: Schema.optionalWith(Schema.Boolean.annotations({ message: () => "must be true or false" }), {
    default: () => true,
    exact: true
  })
}).annotations({ message: () => "must be an object with a name and a command" })

export type DeclaredGate = typeof DeclaredGate.Type

/**
 * A declared gate in force. `untrusted`: it comes from a workspace that the user does not trust, so no text shows its
 * command. It has no place in a file: merging sets it.
 */
export const ActiveGate = Schema.Struct({
  ...DeclaredGate.fields,
  untrusted: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** It is a condition of the user's for being done, whatever files were edited. */
  doneWhen: Schema.optionalWith(Schema.Boolean, { exact: true })
})

export type ActiveGate = typeof ActiveGate.Type

const Condition = Schema.Union(
  Schema.String,
  Schema.Struct({
    /** In your own words. */
    text: Schema.String,
    /** Proves it by exit status 0. */
    command: Schema.optionalWith(
      Schema.String.pipe(
        Schema.filter((command) => command.trim() !== "" && command.length <= maxCommand),
        Schema.annotations(must(`a command of 1 to ${maxCommand} characters`))
      ),
      { exact: true }
    )
  })
).annotations(shape("a text, or an object with a text and a command"))

/** When a task is done, as a file says it. */
export const DoneWhen = Schema.Array(Condition)
  .annotations(shape("a list of conditions"))
  .pipe(Schema.maxItems(maxItems, shape(`at most ${maxItems} conditions`)))

const maxGates = 50

const Gates = Schema.Array(DeclaredGate)
  .annotations({ message: () => "must be a list of gates" })
  .pipe(Schema.maxItems(maxGates, { message: () => `must be at most ${maxGates} gates` }))

export const MaxAttempts = Schema.Int.pipe(
  Schema.between(1, 3),
  Schema.annotations({ message: () => ({ message: "must be 1, 2 or 3", override: true }) })
)

const seconds = (least: number, most: number) =>
  Schema.Number.pipe(
    Schema.between(least, most),
    Schema.annotations({
      message: () => ({ message: `must be a number of seconds from ${least} to ${most}`, override: true })
    })
  )

const Silence = seconds(1, 3600)
const Stall = seconds(10, 86_400)

const Stuck = Schema.Struct({
  silence: Schema.optionalWith(Silence, { exact: true }),
  stall: Schema.optionalWith(Stall, { exact: true })
}).annotations({ message: () => "must be an object with silence or stall" })

const RuleLevel = Schema.Literal(...levels).annotations(must('"off", "tell", "ask" or "push"'))

const ruleFields = Object.fromEntries(
  ruleNames.map((name) => [name, Schema.optionalWith(RuleLevel, { exact: true })])
) as Record<RuleName, Schema.optionalWith<typeof RuleLevel, { exact: true }>>

export const RuleLevels = Schema.Struct(ruleFields).annotations(shape("an object of levels by the names of rules"))

export const ReflexionConfig = Schema.Struct({
  /** Which gates a task must pass, and whether the agent is pushed at all. */
  profile: Profile,
  /** Whether a person is there to answer the agent: where nobody is, more rules push. */
  attended: Attended,
  /** The project's own gates, beside those that every project has. */
  gates: Schema.Array(ActiveGate),
  /** How far rules go, by name, where the user says so. */
  rules: RuleLevels,
  /** How far a workspace lets rules go at most. It has no place in a file: merging sets it. */
  ruleLimits: RuleLevels,
  /** Pushes per user message: never more than 3. */
  maxAttempts: MaxAttempts,
  /**
   * When silence counts, in seconds. `silence`: under it nobody is nudged; `stall`: how long an agent at work may be
   * without any output.
   */
  stuck: Schema.Struct({ silence: Silence, stall: Stall }),
  /** The model that is asked where evidence does not decide: "off", "auto" or a name. */
  model: ModelChoice,
  models: Models,
  crossReview: CrossReview,
  routing: Routing,
  /** The commands that may be run where a required gate has no result. */
  verify: Verify,
  /** When the user calls a task done. */
  doneWhen: Schema.Array(AcceptanceItem),
  /** What is learned from attempts that fail, and given to the next. */
  memory: Memory,
  /** What agents are told about their todo lists. */
  todos: Todos,
  /** What is looked for in how many attempts ended. */
  cycle: Cycle
})

export type ReflexionConfig = typeof ReflexionConfig.Type

/**
 * What one source (a file, the environment, the flags) says.
 *
 * @category models
 */
export const PartialConfig = Schema.Struct({
  profile: Schema.optionalWith(Profile, { exact: true }),
  attended: Schema.optionalWith(Attended, { exact: true }),
  gates: Schema.optionalWith(Gates, { exact: true }),
  rules: Schema.optionalWith(RuleLevels, { exact: true }),
  maxAttempts: Schema.optionalWith(MaxAttempts, { exact: true }),
  stuck: Schema.optionalWith(Stuck, { exact: true }),
  model: Schema.optionalWith(ModelChoice, { exact: true }),
  models: Schema.optionalWith(PartialModels, { exact: true }),
  crossReview: Schema.optionalWith(CrossReview, { exact: true }),
  routing: Schema.optionalWith(Routing, { exact: true }),
  verify: Schema.optionalWith(PartialVerify, { exact: true }),
  doneWhen: Schema.optionalWith(DoneWhen, { exact: true }),
  memory: Schema.optionalWith(PartialMemory, { exact: true }),
  todos: Schema.optionalWith(Todos, { exact: true }),
  cycle: Schema.optionalWith(PartialCycle, { exact: true }),
  $schema: Schema.optionalWith(Schema.String.annotations({ message: () => "must be a string" }), { exact: true })
}).annotations({ message: () => "must be an object" })

export type PartialConfig = typeof PartialConfig.Type

/**
 * One thing that is wrong in a configuration file. `key` is its path, as in `gates[0].command`.
 *
 * @category errors
 */
export const ConfigProblem = Schema.Struct({
  line: Schema.Number,
  column: Schema.Number,
  key: Schema.NullOr(Schema.String),
  problem: Schema.String
})

export type ConfigProblem = typeof ConfigProblem.Type

export class InvalidConfig extends Schema.TaggedError<InvalidConfig>("@reflexion/core/InvalidConfig")("InvalidConfig", {
  file: Schema.String,
  /** The first five. */
  problems: Schema.NonEmptyArray(ConfigProblem),
  /** How many there are beside these. */
  more: Schema.optionalWith(Schema.NonNegativeInt, { default: () => 0 })
}) {
  override get message() {
    const shown = this.problems.map(
      ({ column, key, line, problem }) => `${this.file}:${line}:${column}: ${key ? `${key}: ` : ""}${problem}`
    )
    return [...shown, ...(this.more === 0 ? [] : [`(and ${this.more} more)`])].join("\n")
  }
}
