/**
 * Which model is asked for what: names, the order of fallbacks, who is too weak to judge, small models for small
 * questions, and the model that works on a kind of task. Pure: what can be reached is a parameter.
 */
import type { Evidence } from "../../session/evidence/Evidence.ts"
import { matchesWildcard } from "../../base/text/Wildcard.ts"
import type { ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import type { TaskContext } from "../../session/task/TaskContext.ts"
import { categoryOfPaths, categoryOfWords } from "./taskCategory.ts"

/**
 * A model's name in two: what is before the first slash, and all that is behind it.
 *
 * @category models
 */
export interface ModelName {
  readonly provider: string
  readonly model: string
}

/**
 * Reads `provider/model`; null where a part is missing.
 *
 * @category names
 */
export const parse = (name: string): ModelName | null => {
  const slash = name.indexOf("/")
  return slash <= 0 || slash === name.length - 1
    ? null
    : { provider: name.slice(0, slash), model: name.slice(slash + 1) }
}

export const show = ({ model, provider }: ModelName): string => `${provider}/${model}`

/** Bedrock has before a model's name where it runs and who made it, and behind it a version of its own. */
const bedrock =
  /^(?:(?:us|us-gov|eu|apac|jp|au|ca|global)\.)?(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|openai|qwen)\.(?<model>.+?)(?:-v\d+(?::\d+)?)?$/u

/** What makes no other model: how much it reads at a time, the date of a release, what it costs, `4-0` for `4`. */
const release: ReadonlyArray<RegExp> = [
  /\[\w+\]$/u,
  /(?:-latest|[-@]\d{8}|-\d{4}-\d{2}-\d{2}|:free|:latest)$/u,
  /(?<=-\d)-0$/u
]

const split = (name: string): readonly [place: string, model: string] => {
  const at = name.lastIndexOf("/") + 1
  const model = name.slice(at).toLowerCase()
  const plain = (bedrock.exec(model)?.groups?.["model"] ?? model).replaceAll(".", "-")
  return [name.slice(0, at).toLowerCase(), release.reduce((rest, part) => rest.replace(part, ""), plain)]
}

/**
 * Whether two names are of one model, be it in several releases or at several providers. A name without a number, as in
 * `local/default`, is its provider's own.
 *
 * @category predicates
 */
export const isSame = (one: string, other: string): boolean => {
  const [place, model] = split(one)
  const [otherPlace, otherModel] = split(other)
  return model === otherModel && (place === otherPlace || /\d/u.test(model))
}

const isWordChar = (char: string | undefined): boolean => char !== undefined && /[a-z0-9]/u.test(char)

/** Where the word stands by itself: "mini" is none of the parts of "gemini". */
const hasPart = (text: string, part: string): boolean => {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (!isWordChar(text[at - 1]) && !isWordChar(text[at + part.length])) return true
  }
  return false
}

/** What Claude Code calls the newest of a line by. */
const lines: ReadonlySet<string> = new Set(["opus", "sonnet", "haiku"])

/**
 * Whether a configured name is of a model that a session's record names: most of them name none of its provider, so that
 * any provider's will do.
 *
 * @category predicates
 */
export const isRecordedAs = (name: string, recorded: string): boolean => {
  const [place, model] = split(name)
  const [recordedPlace, recordedModel] = split(recorded)
  if (place === "claude-code/" && lines.has(model)) return hasPart(recordedModel, model)
  return isSame(name, recorded) || (model === recordedModel && `/${place}`.endsWith(`/${recordedPlace}`))
}

/**
 * The pattern by which a model is too weak to judge, or null. A pattern is a word of the model's part of the name, in
 * whatever case; one with a `*`, which stands for any text, has to fit the whole name.
 *
 * @category predicates
 */
export const weakBy = (name: string, patterns: ReadonlyArray<string>): string | null => {
  const whole = name.toLowerCase()
  const model = parse(whole)?.model ?? whole
  const fits = (pattern: string): boolean =>
    pattern.includes("*") ? matchesWildcard(pattern, whole) : pattern !== "" && hasPart(model, pattern)
  return patterns.find((pattern) => fits(pattern.toLowerCase())) ?? null
}

const ownNames: ReadonlySet<string> = new Set(["opencode/small", "claude-code/small", "codex/small"])

/**
 * Whether a name is that of a host's own small model, which is small on purpose.
 *
 * @category predicates
 */
export const isOwn = (name: string): boolean => ownNames.has(name)

/** Whoever waits for an answer that nobody configured waits so many seconds. */
const ownTimeout = 20

/**
 * After how many seconds an answer of the model that judges is late.
 *
 * @category limits
 */
export const patience = ({ model, models }: Pick<ReflexionConfig, "model" | "models">): number =>
  isOwn(model) ? Math.min(ownTimeout, models.timeout) : models.timeout

/**
 * Where a choice comes from: the configuration's `model` or `fallback`, or the keys in the environment.
 *
 * @category models
 */
export type Source = "model" | "fallback" | "environment"

export interface Choice {
  readonly name: string
  readonly source: Source
}

/**
 * The models that judge where the configuration names none, by provider, the best first.
 *
 * @category constants
 */
export const judges: Readonly<Record<string, ReadonlyArray<string>>> = {
  anthropic: ["claude-sonnet-4-5", "claude-sonnet-4-0"],
  openai: ["gpt-5.1", "gpt-5", "gpt-4.1"],
  google: ["gemini-2.5-pro"],
  openrouter: ["anthropic/claude-sonnet-4.5", "openai/gpt-5"]
}

/**
 * The models for small questions, by provider, the best first; the configuration's `models.fast` lays others over them.
 *
 * @category constants
 */
export const fastModels: Readonly<Record<string, ReadonlyArray<string>>> = {
  anthropic: ["claude-haiku-4-5", "claude-3-5-haiku-latest"],
  openai: ["gpt-5-mini", "gpt-5-nano", "gpt-4.1-mini", "gpt-4o-mini"],
  google: ["gemini-2.5-flash", "gemini-2.5-flash-lite"],
  "github-copilot": ["gpt-5-mini", "claude-haiku-4.5", "gpt-4.1", "gemini-2.0-flash-001"]
}

/**
 * Those of earlier tools of this kind, which some machines still offer. They come after today's, and only where the provider
 * says that it has them: a model that was withdrawn would cost a failed question each time.
 *
 * @category constants
 */
export const earlierFastModels: Readonly<Record<string, ReadonlyArray<string>>> = {
  anthropic: ["claude-3-5-haiku-20241022", "claude-3-haiku-20240307", "claude-haiku-4", "claude-haiku-4.5"],
  openai: ["gpt-3.5-turbo"],
  google: ["gemini-2.0-flash", "gemini-1.5-flash", "gemini-flash"],
  "github-copilot": ["claude-3.5-haiku", "gpt-4o-mini"],
  azure: ["gpt-4o-mini", "gpt-35-turbo"],
  bedrock: ["anthropic.claude-3-haiku-20240307-v1:0"],
  groq: ["llama-3.1-8b-instant", "mixtral-8x7b-32768"]
}

/**
 * Parts of names of models that are too weak to judge, where the configuration's `models.weak` says no others.
 *
 * @category constants
 */
export const weakWords: ReadonlyArray<string> =
  "haiku mini nano flash lite small tiny micro instant fast 1b 2b 3b 4b 5b 6b 7b 8b 9b".split(" ")

/**
 * What a provider offers at present; null where that is not known.
 *
 * @category models
 */
export type Available = (provider: string) => ReadonlySet<string> | null

const unknown: Available = () => null

const firstOffered = (models: ReadonlyArray<string>, offered: ReadonlySet<string> | null): string | undefined =>
  offered === null ? models[0] : models.find((model) => offered.has(model))

const fromEnvironment = (providers: ReadonlyArray<string>, available: Available): ReadonlyArray<Choice> =>
  providers.flatMap((provider) => {
    const model = firstOffered(judges[provider] ?? [], available(provider))
    return model === undefined ? [] : [{ name: show({ provider, model }), source: "environment" as const }]
  })

const unique = (choices: ReadonlyArray<Choice>): ReadonlyArray<Choice> =>
  choices.filter(({ name }, index) => choices.findIndex((other) => other.name === name) === index)

/**
 * `keyed`: the providers whose key is in the environment, in the order in which they are preferred.
 *
 * @category models
 */
export interface Surroundings {
  readonly keyed: ReadonlyArray<string>
  readonly available?: Available
}

/**
 * The models that may be asked, in the order in which they are tried. Under `auto` they are the fallbacks, and without
 * any those of the providers that have a key; under `off` there is none.
 *
 * @category routing
 */
export const order = (
  { model, models }: Pick<ReflexionConfig, "model" | "models">,
  { available = unknown, keyed }: Surroundings
): ReadonlyArray<Choice> => {
  if (model === "off") return []
  const fallback = models.fallback.map((name) => ({ name, source: "fallback" as const }))
  if (model !== "auto") return unique([{ name: model, source: "model" }, ...fallback])
  return fallback.length > 0 ? unique(fallback) : fromEnvironment(keyed, available)
}

/**
 * The model for a small question at a provider: the first of its fast ones that it offers, or null.
 *
 * @category routing
 */
export const fast = (
  { models }: Pick<ReflexionConfig, "models">,
  { available = unknown, provider }: { readonly provider: string; readonly available?: Available }
): string | null => {
  const offered = available(provider)
  const own = models.fast[provider]
  const earlier = own === undefined && offered !== null ? (earlierFastModels[provider] ?? []) : []
  const model = firstOffered([...(own ?? fastModels[provider] ?? []), ...earlier], offered)
  return model === undefined ? null : show({ provider, model })
}

/**
 * What a task is about, for the choice of a model.
 *
 * @category models
 */
export type Category = "backend" | "architecture" | "frontend" | "default"

/**
 * Tells a task's category from the files that were edited for it, and from the words that ask for it; null where neither
 * tells.
 *
 * @category routing
 */
export const categoryOf = (task: Pick<TaskContext, "text">, evidence: Pick<Evidence, "edits">): Category | null => {
  const asked = categoryOfWords(task.text)
  return asked === "architecture" ? asked : (categoryOfPaths(evidence.edits) ?? asked)
}

/**
 * The model that works on what an agent is told to go on with; null for the session's own.
 *
 * @category routing
 */
export const forFeedback = ({ routing }: Pick<ReflexionConfig, "routing">, category: Category | null): string | null =>
  (category === null ? undefined : routing[category]) ?? routing.default ?? null

/**
 * Which model goes on with a task, and for what category.
 *
 * @category models
 */
export interface Route {
  readonly category: Category
  readonly model: string
}

/**
 * The route of a task; null where the session's own model goes on with it.
 *
 * @category routing
 */
export const route = (
  config: Pick<ReflexionConfig, "routing">,
  known: { readonly task: Pick<TaskContext, "text">; readonly evidence: Pick<Evidence, "edits"> }
): Route | null => {
  if (Object.keys(config.routing).length === 0) return null
  const category = categoryOf(known.task, known.evidence)
  const model = forFeedback(config, category)
  return model === null ? null : { category: category ?? "default", model }
}
