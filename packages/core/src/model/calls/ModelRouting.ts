/**
 * Which model is asked for what: names, the order of fallbacks, who is too weak to judge, small models for small
 * questions, and the model that works on a kind of task. Pure.
 */
import type { Edit, Evidence } from "../../session/evidence/Evidence.ts"
import { matchesWildcard } from "../../base/text/Wildcard.ts"
import type { ReflexionConfig } from "../../session/config/ReflexionConfig.ts"

/** A model's name in two: what is before the first slash, and all that is behind it. */
export interface ModelName {
  readonly provider: string
  readonly model: string
}

/** Reads `provider/model`; null where a part is missing. */
export const parse = (name: string): ModelName | null => {
  const slash = name.indexOf("/")
  return slash <= 0 || slash === name.length - 1
    ? null
    : { provider: name.slice(0, slash), model: name.slice(slash + 1) }
}

export const show = ({ model, provider }: ModelName): string => `${provider}/${model}`

/**
 * Without what makes no other model: the place before it and its region, the stamp of a release, and a tag without a number,
 * such as `:free` or `:latest`. `qwen3:8b` and `qwen3:32b` are two.
 */
const lastPart = (name: string): string =>
  (name.split("/").at(-1) ?? name)
    .toLowerCase()
    .replace(/\[\w{1,9}\]$/u, "")
    .replace(/^(?:[a-z-]{1,20}\.){1,3}(?=[a-z])/u, "")
    .replace(/:[a-z-]{1,40}$|-v\d:\d$/u, "")
    .replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/u, "")
    .replaceAll(".", "-")

/** Whether two names are of one model, by their last part, whichever provider has it. */
export const isSame = (one: string, other: string): boolean => lastPart(one) === lastPart(other)

/** Parts of names of models that are too weak to judge, where the configuration's `models.weak` says no others. */
const weakWords: ReadonlyArray<string> =
  "haiku mini nano flash lite small tiny micro instant fast 1b 2b 3b 4b 5b 6b 7b 8b 9b".split(" ")

/** With a space around each word: "mini" is no word of "gemini". */
const spaced = (text: string): string => ` ${text.split(/[^a-z0-9]+/u).join(" ")} `

/**
 * The pattern that makes a model too weak to judge, or null. A pattern is a word of the model's part of the name, in
 * whatever case; one with a `*`, which stands for any text, has to fit the whole name.
 */
export const weakIn = ({ models }: Pick<ReflexionConfig, "models">, name: string): string | null => {
  const whole = name.toLowerCase()
  const model = parse(whole)?.model ?? whole
  const fits = (pattern: string): boolean =>
    pattern.includes("*") ? matchesWildcard(pattern, whole) : spaced(model).includes(spaced(pattern))
  return (models.weak ?? weakWords).find((pattern) => fits(pattern.toLowerCase())) ?? null
}

const ownNames: ReadonlySet<string> = new Set(["opencode/small", "claude-code/small", "codex/small"])

/** Whether a name is that of a host's own small model, which is small on purpose. */
export const isOwn = (name: string): boolean => ownNames.has(name)

/** So many seconds an answer is waited for that nobody configured. */
const ownTimeout = 20

/** After how many seconds an answer of the model that judges is late. */
export const patience = ({ model, models }: Pick<ReflexionConfig, "model" | "models">): number =>
  isOwn(model) ? Math.min(ownTimeout, models.timeout) : models.timeout

/** The model that judges where the configuration names none, by provider. */
const judges: Readonly<Record<string, string>> = {
  anthropic: "claude-sonnet-4-5",
  openai: "gpt-5.1",
  google: "gemini-2.5-pro",
  openrouter: "anthropic/claude-sonnet-4.5"
}

/**
 * The variables that the configuration names for keys of models: they are reflexion's own, and no check sees them.
 *
 * @category accessors
 */
export const keyVariables = ({ models }: Pick<ReflexionConfig, "models">): ReadonlyArray<string> =>
  Object.values(models.providers).flatMap(({ keyEnv }) => keyEnv ?? [])

/** The models for small questions, by provider, the best first; the configuration's `models.fast` lays others over them. */
export const fastModels: Readonly<Record<string, ReadonlyArray<string>>> = {
  anthropic: ["claude-haiku-4-5", "claude-3-5-haiku-latest"],
  openai: ["gpt-5-mini", "gpt-4.1-mini"],
  google: ["gemini-2.5-flash", "gemini-2.5-flash-lite"],
  "github-copilot": ["gpt-5-mini", "claude-haiku-4.5"]
}

/**
 * The models that may be asked, in the order in which they are tried. Under `auto` they are the fallbacks, and without
 * any those of the providers that have a key, `keyed`, the preferred first; under `off` there is none.
 */
export const order = (
  { model, models }: Pick<ReflexionConfig, "model" | "models">,
  keyed: ReadonlyArray<string>
): ReadonlyArray<string> => {
  if (model === "off") return []
  const named = model === "auto" ? models.fallback : [model, ...models.fallback]
  if (named.length > 0) return [...new Set(named)]
  return keyed.flatMap((provider) => {
    const found = judges[provider]
    return found === undefined ? [] : [show({ provider, model: found })]
  })
}

/** The models for a small question at a provider, the first to be asked first. */
export const fast = ({ models }: Pick<ReflexionConfig, "models">, provider: string): ReadonlyArray<string> =>
  (models.fast[provider] ?? fastModels[provider] ?? []).map((model) => show({ provider, model }))

/** What a task is about, for the choice of a model. */
export type Category = "backend" | "architecture" | "frontend" | "default"

/** By a file's own kind first, then by the folders that it is in. */
const kinds: ReadonlyArray<readonly [Exclude<Category, "default">, RegExp]> = [
  [
    "architecture",
    /(?:^|\/)(?:adrs?|architecture|rfcs?|design-docs?|helm|k8s)(?:\/|\.md$)|docker-compose|\.(?:tf|puml|drawio)$/iu
  ],
  ["frontend", /\.(?:tsx|jsx|vue|svelte|astro|css|scss|sass|less|html?|hbs)$/iu],
  ["backend", /\.(?:py|go|rs|java|kts?|scala|cs|rb|php|exs?|sql|proto|c|cc|cpp|h|hpp|lua)$/iu],
  ["frontend", /(?:^|\/)(?:frontend|client|web|ui|components?|pages|views|styles|public|hooks)\//iu],
  ["backend", /(?:^|\/)(?:backend|servers?|api|db|database|migrations|models|controllers|services|routes)\//iu]
]

const isCounted = ({ kind }: Pick<Edit, "kind">): boolean =>
  ["source", "test", "config", "docs", "unknown"].includes(kind)

/**
 * Tells a task's category from the files that were edited for it, a file once, however often: more than half of those that
 * tell anything have to tell the same. Null where they do not.
 */
export const categoryOf = (edits: ReadonlyArray<Pick<Edit, "path" | "kind">>): Category | null => {
  const paths = [...new Set(edits.filter(isCounted).map(({ path }) => path.slice(-400).replaceAll("\\", "/")))]
  const found = paths.flatMap((path) => kinds.find(([, pattern]) => pattern.test(path))?.[0] ?? [])
  return found.find((category) => found.filter((one) => one === category).length * 2 > found.length) ?? null
}

/** Which model goes on with a task, and for what category. */
export interface Route {
  readonly category: Category
  readonly model: string
}

/** The route of a task; null where the session's own model goes on with it. */
export const route = (
  { routing }: Pick<ReflexionConfig, "routing">,
  { evidence }: { readonly evidence: Pick<Evidence, "edits"> }
): Route | null => {
  const category = categoryOf(evidence.edits) ?? "default"
  const model = routing[category] ?? routing.default
  return model === undefined ? null : { category, model }
}
