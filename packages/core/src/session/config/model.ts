/**
 * The schemas of the configuration. Each key has a description. `npm run docs` writes the tables in
 * docs/configuration.md from these descriptions.
 */
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
  name: is("the gate that it decides, one check for each", matching(gateName, "a gate's name")),
  command: is("run by a shell in the session's project", Command),
  timeout: Schema.optionalWith(
    is("then it is ended and decides nothing; without it two minutes while you are there, else ten", time(1, 3600)),
    { exact: true }
  ),
  paths: Schema.optionalWith(
    is(
      "the files that it covers; without any, all but documents",
      list(Schema.String.annotations(shape("a string")), 100, "globs")
    ),
    { exact: true }
  ),
  when: Schema.optionalWith(
    is(
      "`stop`: after a change; `claim`: where it is required or the agent says that it passes; `ask`: where you ask",
      oneOf("stop", "claim", "ask")
    ),
    { exact: true }
  )
}).annotations(shape("an object with a gate and a command"))

export type Check = typeof Check.Type

/**
 * A check that is in use. Its extra fields cannot stand in a configuration file. Only the user's answer sets them.
 *
 * @category models
 */
export interface ActiveCheck extends Check {
  /**
   * Set if the user accepted the check for a project. A fingerprint of what it runs, and only this content was
   * accepted.
   */
  readonly print?: string
  /** The folder in which it runs. Missing if it runs in the session's folder. */
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
    "what the gate is called in a verdict",
    matching(gateName, "1 to 40 letters, digits, '.', '_', ':' or '-', beginning with a letter or digit")
  ),
  command: is("the command that runs it, one simple command as a whole; `*` stands for any text", Command),
  paths: Schema.optionalWith(
    is(
      "the files that it covers, relative to the session's directory; without any, every source file",
      list(Schema.String.annotations(shape("a string")), 100, "globs")
    ),
    { default: () => [], exact: true }
  ),
  required: Schema.optionalWith(is("whether a task that edits a covered file must run it", Flag), {
    default: () => true,
    exact: true
  })
}).annotations(shape("an object with a name and a command"))

export type DeclaredGate = typeof DeclaredGate.Type

/** A declared gate that is in use. */
export interface ActiveGate extends DeclaredGate {
  /** True if it comes from a workspace that the user does not trust. No text shows its command then. */
  readonly untrusted?: boolean
  /** True if it is one of the user's conditions for "done". It counts whatever files were edited. */
  readonly doneWhen?: boolean
}

const Condition = Schema.Union(
  Schema.String,
  Schema.Struct({
    text: is("the condition in your own words", Schema.String),
    command: optional(is("what proves it by exit status 0", text(maxCommand, "a command")))
  })
).annotations(shape("a text, or an object with a text and a command"))

export const MaxAttempts = Schema.Int.pipe(Schema.between(1, 3)).annotations(must("1, 2 or 3"))

/** The levels of rules by name. An unknown name does no harm, and `doctor` reports it. */
export const RuleLevels = Schema.Record({ key: Schema.String, value: oneOf(...levels) }).annotations(
  shape("an object of levels by the names of rules")
)

export type RuleLevels = typeof RuleLevels.Type

/** A name without spaces and control characters. The model's part may contain slashes, as in names of OpenRouter. */
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
 * A server of models. `api` is the API that it speaks. `url` and `keyEnv` have defaults if the provider's name is
 * known.
 *
 * @category models
 */
export const Provider = Schema.Struct({
  api: is("which API it speaks", oneOf("anthropic", "openai", "chat-completions")),
  url: optional(
    is(
      "its address, unless its name is known",
      matching(
        /^https?:\/\/[^\s/@?#\p{C}]{1,253}(?:\/[^\s?#\p{C}]{0,500})?$/u,
        "an http or https address without a user, a password, `?` or `#`"
      )
    )
  ),
  keyEnv: optional(
    is(
      "the environment variable with its key, unless its name is known",
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
    "tried in this order where the model before fails; under `auto` the first is asked",
    list(ModelName, 50, "models")
  ),
  fast: Schema.Record({ key: ProviderName, value: list(ModelId, 50, "models") }).annotations({
    ...shape("an object with lists of models"),
    description: "models for small questions by provider, the best first"
  }),
  reflection: is("asked by `reflexion cycle` what to do; else the fast model of the judge's provider", ModelName),
  weak: is(
    "models that never judge: words of their names, or whole names with `*`; by itself `mini`, `haiku`, `flash` and the like",
    list(Pattern, 50, "patterns")
  ),
  providers: Schema.Record({ key: ProviderName, value: Provider }).annotations({
    ...shape("an object with providers"),
    description: "servers by the name that models have before the slash"
  }),
  nudgeFrom: is("from which probability on a model's word nudges the agent", number(0, 1, "a probability")),
  timeout: is("for all answers at a stop, and again for the reviewers", time(1, 600)),
  tokensPerReview: is("for one review", Tokens),
  tokensPerDay: is("for all reviews of a day (UTC)", Tokens),
  callsPerDay: is(
    "stops of a day (UTC) at which a model may be asked while you are there",
    whole(0, 10_000, "a whole number of questions")
  )
}).annotations(shape("an object"))

const CrossReview = object({
  reviewer: is("reviews the work", ModelName),
  auditor: is("reviews its security", ModelName)
})

const Routing = object({
  backend: is("for tasks in what a server does", ModelName),
  architecture: is("for tasks in how a system is put together", ModelName),
  frontend: is("for tasks in what a user sees", ModelName),
  default: is("for all others", ModelName)
})

const Agents = list(text(100), 50, "names of agents")

const Limit = whole(0, 20)

const Todos = object({
  enabled: is("whether anybody is told anything", Flag),
  agents: is("the coordinators that the patterns are for; in Claude Code `main` is the agent you speak to", Agents),
  delegates: is('whom work is given to: a todo begins with the name, or says "by" or "to" it', Agents),
  limits: is(
    "how often each pattern is told in the life of a list",
    object({
      implementation: is("a coordinator means to write code itself", Limit),
      "no-delegation": is("nothing of a list is given to anybody", Limit),
      parallel: is("two or more that are given to agents wait", Limit),
      "large-list": is("the list is long", Limit),
      completed: is("all is done or cancelled; for any agent", Limit)
    })
  ),
  resetOn: is("what ends the life of a list", oneOf("completion", "never", "each-todowrite")),
  delegateFrom: is("from how many todos on `no-delegation` holds", whole(1, 100)),
  largeFrom: is("from how many todos on `large-list` holds", whole(1, 100)),
  required: is("whether a coordinator is told once to make a list before it works", Flag)
})

const Memory = object({
  enabled: is("whether anything is learned and given", Flag),
  maxReflectionsPerRetry: is("how many lessons a prompt has at most", whole(1, 10)),
  generationTimeoutMs: is("how many milliseconds a model may take to reflect", whole(1000, 600_000)),
  retentionDays: is("after so many days a reflection is forgotten", whole(1, 3650)),
  crossTask: Schema.Union(Schema.Literal(false), Schema.Number.pipe(Schema.between(0, 1))).annotations({
    ...must("false, or a similarity from 0 to 1"),
    description: "how similar a lesson of another task must be to be given too; `false` for none"
  })
})

const Cycle = object({
  enabled: is("whether anything is looked for", Flag),
  batch_threshold: is("after so many completed attempts the rules look; after a failed one at once", whole(1, 10_000)),
  consecutive_failure_limit: is("after so many failures in a row a task is paused", whole(1, 100)),
  lookback_seconds: is("how far back the rules look", whole(60, 31_536_000)),
  min_result_length: is("a task with only shorter results is stale; 0 for none", whole(0, 1_000_000))
})

/**
 * The configuration from one source: a file, the environment or the flags.
 *
 * @category models
 */
export const PartialConfig = object({
  profile: is("which gates a task must pass, and whether the agent is nudged at all", Profile),
  attended: is(
    "whether a person is there to answer; `auto` goes by `/reflection away` or `here`, then by the session's record",
    Attendance
  ),
  gates: is("the project's own gates, besides those that every project has", list(DeclaredGate, 50, "gates")),
  rules: is("the level of rules by their names: `off`, `tell` or `nudge`", RuleLevels),
  maxAttempts: is("how often an agent is nudged after one message of yours", MaxAttempts),
  stuck: is(
    "when silence counts",
    object({
      silence: is("how long a session is silent before that counts", number(1, 3600, "a number of seconds")),
      stall: is(
        "how long an agent at work has no output before it is looked at",
        number(10, 86_400, "a number of seconds")
      )
    })
  ),
  model: is("the model that is asked where evidence does not decide", ModelChoice),
  models: is("providers, fallbacks and limits", Models),
  crossReview: is("which models review what was judged complete", CrossReview),
  routing: is("which model works on what the agent is told to go on with, by the task's kind", Routing),
  checks: is("commands that are run after a change of what they cover", list(Check, 20, "checks")),
  doneWhen: is(
    "when a task is done, in your words; a command in backticks must have passed, the rest is put to the model",
    list(Condition, maxItems, "conditions")
  ),
  memory: is("what is learned from attempts that fail, and given to the next", Memory),
  todos: is("what agents are told of their todo lists", Todos),
  cycle: is("what is looked for in how many attempts ended", Cycle),
  $schema: Schema.String.annotations({ ...shape("a string"), description: "for editors; it is not read" })
}).annotations(shape("an object"))

export type PartialConfig = typeof PartialConfig.Type

type Said = Required<PartialConfig>

type Whole<Key extends keyof Said> = { readonly [Name in Key]: Required<Said[Name]> }

/** Keys about models that have no default. */
type Unnamed = "reflection" | "weak"

/**
 * The configuration in use: all sources merged over the defaults.
 *
 * @category models
 */
export interface ReflexionConfig
  extends
    Pick<Said, "profile" | "attended" | "rules" | "maxAttempts" | "model" | "crossReview" | "routing">,
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

/** The configuration file is not valid. */
export class InvalidConfig extends Schema.TaggedError<InvalidConfig>("@reflexion/core/InvalidConfig")("InvalidConfig", {
  file: Schema.String,
  /** The first five problems. */
  problems: Schema.NonEmptyArray(ConfigProblem),
  /** The number of further problems. */
  more: Schema.optionalWith(Schema.NonNegativeInt, { default: () => 0 })
}) {
  override get message() {
    const shown = this.problems.map(
      ({ column, key, line, problem }) => `${this.file}:${line}:${column}: ${key ? `${key}: ` : ""}${problem}`
    )
    return [...shown, ...(this.more === 0 ? [] : [`(and ${this.more} more)`])].join("\n")
  }
}
