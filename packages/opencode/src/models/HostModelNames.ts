/** What the configuration's names of models mean in the host. */
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import type { Prompt } from "../host/OpenCodeClient.ts"

/** Before the slash, for any model of the host; `opencode/default` is the one of the session that is judged. */
const host = "opencode"

const own = `${host}/default`

/** The small model of the provider of the session that is judged. */
export const small = `${host}/small`

const names = ({ crossReview, model, models }: ReflexionConfig): ReadonlyArray<string> => [
  model,
  ...models.fallback,
  crossReview.reviewer ?? "",
  crossReview.auditor ?? ""
]

/** Whether any model may ever be asked. */
export const areAsked = ({ crossReview, model }: ReflexionConfig): boolean =>
  model !== "off" || crossReview.reviewer !== undefined || crossReview.auditor !== undefined

/** Whether the small model is all that is configured beyond evidence. */
export const isSmallAlone = ({ crossReview, model, verify }: ReflexionConfig): boolean =>
  model === small && verify.checks.length === 0 && Object.keys(crossReview).length === 0

/**
 * Under `auto` the session's own model judges where the configuration says no others: it is there, it is paid for, and it
 * knows the record already.
 */
export const chosen = (config: ReflexionConfig): ReflexionConfig =>
  config.model === "auto" && config.models.fallback.length === 0
    ? { ...config, models: { ...config.models, fallback: [own] } }
    : config

/** Asked without the host, unless the configuration says that they speak what only a package knows. */
const reached: ReadonlySet<string> = new Set("google openrouter ollama lmstudio vllm claude-code codex".split(" "))

/** The plugin has no package of a provider's: what these would be needed for, the host is asked for. */
const isHosts = ({ models }: ReflexionConfig, provider: string): boolean => {
  const said = Object.hasOwn(models.providers, provider) ? models.providers[provider] : undefined
  return said === undefined ? !reached.has(provider) : said.api !== "chat-completions"
}

/** The names that stand before the slash of a model that is asked through the host. */
export const providersOf = (config: ReflexionConfig): ReadonlyArray<string> => {
  const named = names(config).flatMap((name) => ModelRouting.parse(name)?.provider ?? [])
  return [...new Set([host, ...named.filter((provider) => isHosts(config, provider))])]
}

/** Which model that is depends on the session. */
export type Named = NonNullable<Prompt["model"]> | "default" | "small"

/** The host's own providers' models may be called by themselves, as the host calls them. */
export const modelOf = (provider: string, name: string): Named => {
  if (provider !== host) return { providerID: provider, modelID: name }
  if (name === "default" || name === "small") return name
  const { model, provider: behind } = ModelRouting.parse(name) ?? { provider: host, model: name }
  return { providerID: behind, modelID: model }
}

export const nameOf = ({ modelID, providerID }: NonNullable<Prompt["model"]>): string => `${providerID}/${modelID}`
