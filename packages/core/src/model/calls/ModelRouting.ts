/** Decides which model is asked: fallbacks, weak models, small models, and the model for a kind of task. Pure. */
import type { Edit, Evidence } from "../../session/evidence/Evidence.ts"
import { matchesWildcard } from "../../base/text/Wildcard.ts"
import type { ReflexionConfig } from "../../session/config/ReflexionConfig.ts"

export interface ModelName {
  readonly provider: string
  readonly model: string
}

export const parse = (name: string): ModelName | null => {
  const slash = name.indexOf("/")
  return slash <= 0 || slash === name.length - 1
    ? null
    : { provider: name.slice(0, slash), model: name.slice(slash + 1) }
}

export const show = ({ model, provider }: ModelName): string => `${provider}/${model}`

/** Drops what does not change the model: the region, the date, a tag without a number (`:free`, but not `:8b`). */
const lastPart = (name: string): string =>
  (name.split("/").at(-1) ?? name)
    .toLowerCase()
    .replace(/\[\w{1,9}\]$/u, "")
    .replace(/^(?:[a-z-]{1,20}\.){1,3}(?=[a-z])/u, "")
    .replace(/:[a-z-]{1,40}$|-v\d:\d$/u, "")
    .replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/u, "")
    .replaceAll(".", "-")

/** Compares only the last parts, because providers put different words before a model's name. */
export const isSame = (one: string, other: string): boolean => lastPart(one) === lastPart(other)

/** The configuration's `models.weak` replaces these words. */
const weakWords: ReadonlyArray<string> =
  "haiku mini nano flash lite small tiny micro instant fast 1b 2b 3b 4b 5b 6b 7b 8b 9b".split(" ")

/** Puts spaces around each word, so that "mini" does not match "gemini". */
const spaced = (text: string): string => ` ${text.split(/[^a-z0-9]+/u).join(" ")} `

/** Returns the matching pattern. With `*`, it must match the whole name, otherwise words in the model's part. */
export const weakIn = ({ models }: Pick<ReflexionConfig, "models">, name: string): string | null => {
  const whole = name.toLowerCase()
  const model = parse(whole)?.model ?? whole
  const fits = (pattern: string): boolean =>
    pattern.includes("*") ? matchesWildcard(pattern, whole) : spaced(model).includes(spaced(pattern))
  return (models.weak ?? weakWords).find((pattern) => fits(pattern.toLowerCase())) ?? null
}

const ownNames: ReadonlySet<string> = new Set(["opencode/small", "kilo/small", "claude-code/small", "codex/small"])

/** A host's own small model may judge although it is small. */
export const isOwn = (name: string): boolean => ownNames.has(name)

/** In seconds, like `patience`. */
const ownTimeout = 20

export const patience = ({ model, models }: Pick<ReflexionConfig, "model" | "models">): number =>
  isOwn(model) ? Math.min(ownTimeout, models.timeout) : models.timeout

/** The default judge of each provider. */
const judges: Readonly<Record<string, string>> = {
  anthropic: "claude-sonnet-4-5",
  openai: "gpt-5.1",
  google: "gemini-2.5-pro",
  openrouter: "anthropic/claude-sonnet-4.5"
}

/**
 * Returns the configured names of the environment variables with models' keys. Checks cannot see these variables.
 *
 * @category accessors
 */
export const keyVariables = ({ models }: Pick<ReflexionConfig, "models">): ReadonlyArray<string> =>
  Object.values(models.providers).flatMap(({ keyEnv }) => keyEnv ?? [])

/** Best first. The configuration's `models.fast` replaces these models. */
export const fastModels: Readonly<Record<string, ReadonlyArray<string>>> = {
  anthropic: ["claude-haiku-4-5", "claude-3-5-haiku-latest"],
  openai: ["gpt-5-mini", "gpt-4.1-mini"],
  google: ["gemini-2.5-flash", "gemini-2.5-flash-lite"],
  "github-copilot": ["gpt-5-mini", "claude-haiku-4.5"]
}

/**
 * The models to ask, in order. `auto` means the configured fallbacks. Without fallbacks, it means the default
 * judge of each provider in `keyed`, which has the providers whose key is set.
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

export const fast = ({ models }: Pick<ReflexionConfig, "models">, provider: string): ReadonlyArray<string> =>
  (models.fast[provider] ?? fastModels[provider] ?? []).map((model) => show({ provider, model }))

export type Category = "backend" | "architecture" | "frontend" | "default"

/** File endings come before folder names. */
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

/** More than half of the files with a known kind must agree, or the result is null. */
export const categoryOf = (edits: ReadonlyArray<Pick<Edit, "path" | "kind">>): Category | null => {
  const paths = [...new Set(edits.filter(isCounted).map(({ path }) => path.slice(-400).replaceAll("\\", "/")))]
  const found = paths.flatMap((path) => kinds.find(([, pattern]) => pattern.test(path))?.[0] ?? [])
  return found.find((category) => found.filter((one) => one === category).length * 2 > found.length) ?? null
}

export interface Route {
  readonly category: Category
  readonly model: string
}

/** Null if the session's own model should go on. */
export const route = (
  { routing }: Pick<ReflexionConfig, "routing">,
  { evidence }: { readonly evidence: Pick<Evidence, "edits"> }
): Route | null => {
  const category = categoryOf(evidence.edits) ?? "default"
  const model = routing[category] ?? routing.default
  return model === undefined ? null : { category, model }
}
