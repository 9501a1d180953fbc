/** The schemas of what the configuration says about models. */
import * as Schema from "effect/Schema"
import { must, shape, time } from "./values.ts"

const maxListed = 50

const list = <A, I>(item: Schema.Schema<A, I>, what: string) =>
  Schema.Array(item)
    .annotations(shape(`a list of ${what}`))
    .pipe(Schema.maxItems(maxListed, shape(`at most ${maxListed} ${what}`)))

/** Neither blanks nor control characters; a model's own part may have slashes, as those of OpenRouter do. */
export const namePattern = /^[a-z0-9][a-z0-9._-]{0,39}\/[^\s\p{C}]{1,150}$/u

export const ModelName = Schema.String.pipe(
  Schema.pattern(namePattern),
  Schema.annotations(must('a name such as "anthropic/claude-sonnet-4-5": a provider, a slash, and its model'))
)

export const ModelChoice = Schema.String.pipe(
  Schema.filter((value) => value === "off" || value === "auto" || namePattern.test(value)),
  Schema.annotations(must('"off", "auto" or "provider/model"'))
)

const ProviderName = Schema.String.pipe(Schema.pattern(/^[a-z0-9][a-z0-9._-]{0,39}$/u))

export const Api = Schema.Literal("anthropic", "openai", "chat-completions").annotations(
  must('"anthropic", "openai" or "chat-completions"')
)

const Url = Schema.String.pipe(
  Schema.pattern(/^https?:\/\/[^\s/@?#\p{C}]{1,253}(?:\/[^\s?#\p{C}]{0,500})?$/u),
  Schema.annotations(must("an http or https address without a user, a password, `?` or `#`"))
)

const KeyEnv = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/u),
  Schema.annotations(must("the name of an environment variable that has the key, never the key itself"))
)

/**
 * A server of models. `api` is what it speaks; without `url` and `keyEnv` they are those that are known of a provider of
 * its name.
 *
 * @category models
 */
export const Provider = Schema.Struct({
  /** What it speaks: Anthropic's Messages, OpenAI's Responses, or the chat completions that many servers know. */
  api: Api,
  /** Where it is, up to what the paths of the API follow; without it, where the provider of this name is known to be. */
  url: Schema.optionalWith(Url, { exact: true }),
  /** The environment variable that has the key; without it, the one that is usual for a provider of this name, if any. */
  keyEnv: Schema.optionalWith(KeyEnv, { exact: true })
}).annotations(shape("an object with api, and maybe url and keyEnv"))

export type Provider = typeof Provider.Type

const Word = Schema.String.pipe(
  Schema.pattern(/^[^\s\p{C}]{1,100}$/u),
  Schema.annotations(must("a word of a model's name, or a whole name in which `*` stands for any text"))
)

const ModelId = Schema.String.pipe(
  Schema.pattern(/^[^\s\p{C}]{1,150}$/u),
  Schema.annotations(must("a model as its provider calls it"))
)

const Names = list(ModelName, "models")
const Words = list(Word, "patterns")
const Ids = list(ModelId, "models")

const Tokens = Schema.Int.pipe(
  Schema.between(1, 1_000_000_000),
  Schema.annotations(must("a whole number of tokens, at least 1"))
)

const Calls = Schema.Int.pipe(
  Schema.between(0, 10_000),
  Schema.annotations(must("a whole number of questions from 0 to 10000"))
)

const Timeout = time(1, 600)

const Fast = Schema.Record({ key: ProviderName, value: Ids }).annotations(shape("an object with lists of models"))

const Providers = Schema.Record({ key: ProviderName, value: Provider }).annotations(shape("an object with providers"))

export const Models = Schema.Struct({
  /** What is tried in this order where the model fails; under `auto` the first of them is the model. */
  fallback: Names,
  /** For small questions, by provider, the best first, in place of those that are known of it. */
  fast: Fast,
  /** For the reflection cycle, before the fast ones; null for those alone. */
  reflection: Schema.NullOr(ModelName),
  /** Words of names of models that are not to judge; null for those that are usual. */
  weak: Schema.NullOr(Words),
  providers: Providers,
  /** For one answer, in seconds. */
  timeout: Schema.Number,
  tokensPerReview: Tokens,
  tokensPerDay: Tokens,
  /** Of somebody who is there. */
  callsPerDay: Calls
})

export const PartialModels = Schema.Struct({
  fallback: Schema.optionalWith(Names, { exact: true }),
  fast: Schema.optionalWith(Fast, { exact: true }),
  reflection: Schema.optionalWith(ModelName, { exact: true }),
  weak: Schema.optionalWith(Words, { exact: true }),
  providers: Schema.optionalWith(Providers, { exact: true }),
  timeout: Schema.optionalWith(Timeout, { exact: true }),
  tokensPerReview: Schema.optionalWith(Tokens, { exact: true }),
  tokensPerDay: Schema.optionalWith(Tokens, { exact: true }),
  callsPerDay: Schema.optionalWith(Calls, { exact: true })
}).annotations(shape("an object"))

const named = Schema.optionalWith(ModelName, { exact: true })

/** Which models review what was judged complete. */
export const CrossReview = Schema.Struct({ reviewer: named, auditor: named }).annotations(
  shape("an object with reviewer or auditor")
)

/** Which model works on what it is told to go on with, by the kind of the task. */
export const Routing = Schema.Struct({
  backend: named,
  architecture: named,
  frontend: named,
  default: named
}).annotations(shape("an object with models for backend, architecture, frontend or default"))
