/** The schemas of the configuration. `npm run docs` writes docs/configuration.md from the keys' descriptions. */
import * as Schema from "effect/Schema"
import { type AcceptanceItem, maxCommand, maxItems } from "../donewhen/model.ts"
import { levels } from "./Levels.ts"
import { Flag, is, list, matching, must, number, object, oneOf, optional, shape, text, time, whole } from "./values.ts"

const gateName = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,39}$/

const Command = text(500, "a command")

/**
 * A command that may be run to decide a gate. `timeout` is in seconds.
 *
 * @category models
 */
export const Check = Schema.Struct({
  name: is("the gate that the check decides; one check for each gate", matching(gateName, "a gate's name")),
  command: is("the command, run by a shell in the session's project", Command),
  timeout: Schema.optionalWith(
    is(
      "the check is ended after this time, without a result; by default two minutes, or ten if no user is present",
      time(1, 3600)
    ),
    { exact: true }
  ),
  paths: Schema.optionalWith(
    is(
      "the files that the check covers; by default all files except documents",
      list(Schema.String.annotations(shape("a string")), 100, "globs")
    ),
    { exact: true }
  ),
  when: Schema.optionalWith(
    is(
      "`stop`: after a change; `claim`: if the gate is required or the agent says that the check passes; `ask`: if you ask",
      oneOf("stop", "claim", "ask")
    ),
    { exact: true }
  )
}).annotations(shape("an object with a gate and a command"))

export type Check = typeof Check.Type

/**
 * A check that is in use. Only the user's answer sets the extra fields. A configuration file cannot set them.
 *
 * @category models
 */
export interface ActiveCheck extends Check {
  /** The fingerprint of what the user accepted for a project. */
  readonly print?: string
  /** The folder of the check. Missing if the check runs in the session's folder. */
  readonly directory?: string
}

/**
 * How strict the judge is. `strict` also requires tests, a build, a pull request and green CI for every coding task.
 * `advisory` never nudges.
 *
 * @category models
 */
export const Profile = oneOf("balanced", "strict", "advisory")

export type Profile = typeof Profile.Type

/**
 * Whether a person is there to answer the agent. `auto` depends on the session.
 *
 * @category models
 */
export const Attendance = oneOf("auto", true, false)

export type Attendance = typeof Attendance.Type

/**
 * A gate of the project itself. For example, the tests of one package in a monorepo.
 *
 * @category models
 */
export const DeclaredGate = Schema.Struct({
  name: is(
    "the gate's name in a verdict",
    matching(gateName, "1 to 40 letters, digits, '.', '_', ':' or '-', beginning with a letter or digit")
  ),
  command: is("the whole simple command that runs the gate; `*` stands for any text", Command),
  paths: Schema.optionalWith(
    is(
      "the files that the gate covers, relative to the session's directory; by default every source file",
      list(Schema.String.annotations(shape("a string")), 100, "globs")
    ),
    { default: () => [], exact: true }
  ),
  required: Schema.optionalWith(is("whether a task that edits a covered file must run the gate", Flag), {
    default: () => true,
    exact: true
  })
}).annotations(shape("an object with a name and a command"))

export type DeclaredGate = typeof DeclaredGate.Type

export interface ActiveGate extends DeclaredGate {
  /** True if the gate comes from a workspace that the user does not trust. Then no text shows its command. */
  readonly untrusted?: boolean
  /** True if the gate comes from a condition for "done". Then it does not depend on the edited files. */
  readonly doneWhen?: boolean
}

const Condition = Schema.Union(
  Schema.String,
  Schema.Struct({
    text: is("the condition in your own words", Schema.String),
    command: optional(is("the command that proves it with exit status 0", text(maxCommand, "a command")))
  })
).annotations(shape("a text, or an object with a text and a command"))

export const MaxAttempts = Schema.Int.pipe(Schema.between(1, 3)).annotations(must("1, 2 or 3"))

/** The levels of rules by name. An unknown name does no harm, and `doctor` reports it. */
export const RuleLevels = Schema.Record({ key: Schema.String, value: oneOf(...levels) }).annotations(
  shape("an object of levels by the names of rules")
)

export type RuleLevels = typeof RuleLevels.Type

/** A name without spaces and control characters. The part after the provider may contain slashes, as for OpenRouter. */
const modelName = /^[a-z0-9][a-z0-9._-]{0,39}\/[^\s\p{C}]{1,150}$/u

const ModelName = matching(
  modelName,
  'a name such as "anthropic/claude-sonnet-4-5": a provider, a slash, and its model'
)

export const ModelChoice = Schema.String.pipe(
  Schema.filter((value) => value === "off" || value === "auto" || modelName.test(value))
).annotations(must('"off", "auto" or "provider/model"'))

const ProviderName = Schema.String.pipe(Schema.pattern(/^[a-z0-9][a-z0-9._-]{0,39}$/u))

/**
 * A server of models. `api` is the API of the server. `url` and `keyEnv` have defaults if the provider's name is known.
 *
 * @category models
 */
export const Provider = Schema.Struct({
  api: is("the API that the server speaks", oneOf("anthropic", "openai", "chat-completions")),
  url: optional(
    is(
      "the server's address, if the provider's name is unknown",
      matching(
        /^https?:\/\/[^\s/@?#\p{C}]{1,253}(?:\/[^\s?#\p{C}]{0,500})?$/u,
        "an http or https address without a user, a password, `?` or `#`"
      )
    )
  ),
  keyEnv: optional(
    is(
      "the environment variable with the key, if the provider's name is unknown",
      matching(
        /^[A-Za-z_][A-Za-z0-9_]{0,99}$/u,
        "the name of an environment variable that has the key, never the key itself"
      )
    )
  )
}).annotations(shape("an object with api, and maybe url and keyEnv"))

export type Provider = typeof Provider.Type

const ModelId = matching(/^[^\s\p{C}]{1,150}$/u, "a model as its provider calls it")

const Pattern = matching(
  /^[^\s\p{C}]{1,100}$/u,
  "a word of a model's name, or a whole name in which `*` stands for any text"
)

const Tokens = Schema.Int.pipe(Schema.between(1, 1_000_000_000)).annotations(
  must("a whole number of tokens, at least 1")
)

const Models = object({
  fallback: is(
    "the models to try, in this order, if the model before fails; `auto` asks the first",
    list(ModelName, 50, "models")
  ),
  fast: Schema.Record({ key: ProviderName, value: list(ModelId, 50, "models") }).annotations({
    ...shape("an object with lists of models"),
    description: "each provider's models for small questions, the best first"
  }),
  reflection: is(
    "the model that `reflexion cycle` asks about findings; by default the fast model of the judge's provider",
    ModelName
  ),
  weak: is(
    "models that never judge: words in a model's name, or whole names with `*`; by default `mini`, `haiku`, `flash` and the like",
    list(Pattern, 50, "patterns")
  ),
  providers: Schema.Record({ key: ProviderName, value: Provider }).annotations({
    ...shape("an object with providers"),
    description: "servers, by the part of a model's name before the slash"
  }),
  nudgeFrom: is(
    'the lowest probability with which a model\'s "not done" nudges the agent',
    number(0, 1, "a probability")
  ),
  timeout: is("the time for all answers at a stop; the reviewers have the same time again", time(1, 600)),
  tokensPerReview: is("the tokens for one review", Tokens),
  tokensPerDay: is("the tokens for all reviews of a day (UTC)", Tokens),
  callsPerDay: is(
    "the number of stops a day (UTC) at which a model may be asked while you are present",
    whole(0, 10_000, "a whole number of questions")
  )
}).annotations(shape("an object"))

const CrossReview = object({
  reviewer: is("the model that reviews the work", ModelName),
  auditor: is("the model that reviews the security of the work", ModelName)
})

const Routing = object({
  backend: is("the model for tasks about server code", ModelName),
  architecture: is("the model for tasks about a system's structure", ModelName),
  frontend: is("the model for tasks about the user interface", ModelName),
  default: is("the model for all other tasks", ModelName)
})

const Agents = list(text(100), 50, "names of agents")

const Limit = whole(0, 20)

const Todos = object({
  enabled: is("whether agents get these reminders", Flag),
  agents: is(
    "the coordinators that get the reminders; in Claude Code and Codex `main` is the agent you speak to",
    Agents
  ),
  delegates: is(
    'the agents that get work; a todo is for an agent if it begins with the name, or has the name after "by" or "to"',
    Agents
  ),
  limits: is(
    "how often each reminder is sent for one list",
    object({
      implementation: is("a coordinator plans to write code itself", Limit),
      "no-delegation": is("no todo is given to another agent", Limit),
      parallel: is("two or more todos wait for other agents", Limit),
      "large-list": is("the list is long", Limit),
      completed: is("every todo is done or cancelled; for any agent", Limit)
    })
  ),
  resetOn: is(
    "when a todo list ends: when it is completed, never, or at each new list",
    oneOf("completion", "never", "each-todowrite")
  ),
  delegateFrom: is("`no-delegation` applies to lists with at least this many todos", whole(1, 100)),
  largeFrom: is("`large-list` applies to lists with at least this many todos", whole(1, 100)),
  required: is("whether a coordinator is told once to make a list before it works", Flag)
})

const Memory = object({
  enabled: is("whether lessons are learned and given to agents", Flag),
  maxReflectionsPerRetry: is("the maximum number of lessons in a prompt", whole(1, 10)),
  generationTimeoutMs: is("how many milliseconds a model may take to write a lesson", whole(1000, 600_000)),
  retentionDays: is("the number of days after which a lesson is forgotten", whole(1, 3650)),
  crossTask: Schema.Union(Schema.Literal(false), Schema.Number.pipe(Schema.between(0, 1))).annotations({
    ...must("false, or a similarity from 0 to 1"),
    description: "how similar another task must be so that its lessons are given too; `false`: never"
  })
})

const Cycle = object({
  enabled: is("whether the rules look at outcomes", Flag),
  batch_threshold: is(
    "the rules run after this many completed attempts, and after each failed attempt",
    whole(1, 10_000)
  ),
  consecutive_failure_limit: is("a task is paused after this many failures in a row", whole(1, 100)),
  lookback_seconds: is("how far back the rules look", whole(60, 31_536_000)),
  min_result_length: is("a task is stale if all its results have fewer characters; 0 for no limit", whole(0, 1_000_000))
})

/**
 * The configuration from one source: a file, the environment or the flags.
 *
 * @category models
 */
export const PartialConfig = object({
  profile: is("which gates a task must pass, and whether the agent is nudged at all", Profile),
  attended: is(
    "whether a user is present to answer; `auto` uses `/reflection away` or `here`, else the session's record",
    Attendance
  ),
  gates: is("the project's own gates, besides those that every project has", list(DeclaredGate, 50, "gates")),
  rules: is("the level of rules by their names: `off`, `tell` or `nudge`", RuleLevels),
  maxAttempts: is("how often an agent is nudged after one message of yours", MaxAttempts),
  continueAfterLimit: is(
    "whether an agent that a usage limit stopped goes on when the limit ends, if no user is present and the end is stated",
    Flag
  ),
  stuck: is(
    "when a silent session counts as stuck",
    object({
      silence: is("how long a session must be silent to count as stuck", number(1, 3600, "a number of seconds")),
      stall: is(
        "how long a working agent may have no output before reflexion checks the session",
        number(10, 86_400, "a number of seconds")
      )
    })
  ),
  model: is("the model that is asked if the evidence does not decide", ModelChoice),
  models: is("providers, fallbacks and limits", Models),
  crossReview: is("which models review a change that was judged complete", CrossReview),
  routing: is("the model that continues the work after a nudge, by the kind of task", Routing),
  checks: is("commands that are run after a change of the files that they cover", list(Check, 20, "checks")),
  doneWhen: is(
    "when a task is done, in your words; a command in backticks must have passed, and a model judges other conditions",
    list(Condition, maxItems, "conditions")
  ),
  memory: is("the lessons that failed attempts give to the next attempt", Memory),
  todos: is("the reminders to agents about their todo lists", Todos),
  cycle: is("what the rules look for in the outcomes of many attempts", Cycle),
  $schema: Schema.String.annotations({ ...shape("a string"), description: "for editors; it is not read" })
}).annotations(shape("an object"))

export type PartialConfig = typeof PartialConfig.Type

type Said = Required<PartialConfig>

type Whole<Key extends keyof Said> = { readonly [Name in Key]: Required<Said[Name]> }

/** Keys about models. These keys have no default. */
type Unnamed = "reflection" | "weak"

/**
 * The configuration in use: all sources merged over the defaults.
 *
 * @category models
 */
export interface ReflexionConfig
  extends
    Pick<
      Said,
      "profile" | "attended" | "rules" | "maxAttempts" | "continueAfterLimit" | "model" | "crossReview" | "routing"
    >,
    Whole<"stuck" | "memory" | "todos" | "cycle"> {
  readonly gates: ReadonlyArray<ActiveGate>
  /** The highest level that a workspace allows for a rule. */
  readonly ruleLimits: RuleLevels
  readonly models: Required<Omit<Said["models"], Unnamed>> & Pick<Said["models"], Unnamed>
  readonly checks: ReadonlyArray<ActiveCheck>
  readonly doneWhen: ReadonlyArray<AcceptanceItem>
}

/**
 * One problem in a configuration file.
 *
 * @category errors
 */
export const ConfigProblem = Schema.Struct({
  line: Schema.Number,
  column: Schema.Number,
  /** The path of the key. For example, `gates[0].command`. Null if the problem has no key. */
  key: Schema.NullOr(Schema.String),
  problem: Schema.String
})

export type ConfigProblem = typeof ConfigProblem.Type

export class InvalidConfig extends Schema.TaggedError<InvalidConfig>("@reflexion/core/InvalidConfig")("InvalidConfig", {
  file: Schema.String,
  /** The first five problems. */
  problems: Schema.NonEmptyArray(ConfigProblem),
  more: Schema.optionalWith(Schema.NonNegativeInt, { default: () => 0 })
}) {
  override get message() {
    const shown = this.problems.map(
      ({ column, key, line, problem }) => `${this.file}:${line}:${column}: ${key ? `${key}: ` : ""}${problem}`
    )
    return [...shown, ...(this.more === 0 ? [] : [`(and ${this.more} more)`])].join("\n")
  }
}
