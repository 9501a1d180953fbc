/** Where models are asked: what is known of providers by their names, under what the configuration says of them. */
import * as Either from "effect/Either"
import type { Provider, ReflexionConfig } from "../../../session/config/ReflexionConfig.ts"

export interface Place {
  readonly provider: string
  readonly api: Provider["api"]
  readonly url: string
  /** The environment variable that has the key; null for a server that asks for none. */
  readonly keyEnv: string | null
}

const apis: Readonly<Record<Provider["api"], string | null>> = {
  anthropic: "https://api.anthropic.com",
  openai: "https://api.openai.com/v1",
  "chat-completions": null
}

const chat = (url: string, keyEnv?: string): Provider => ({
  api: "chat-completions",
  url,
  ...(keyEnv !== undefined && { keyEnv })
})

/** In the order in which `auto` prefers them. */
const known: Readonly<Record<string, Provider>> = {
  anthropic: { api: "anthropic", keyEnv: "ANTHROPIC_API_KEY" },
  openai: { api: "openai", keyEnv: "OPENAI_API_KEY" },
  google: chat("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
  openrouter: chat("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
  ollama: chat("http://localhost:11434/v1"),
  lmstudio: chat("http://localhost:1234/v1"),
  vllm: chat("http://localhost:8000/v1")
}

export const knownNames: ReadonlyArray<string> = Object.keys(known)

type Providers = ReflexionConfig["models"]["providers"]

/** Own keys alone: a provider may be called `constructor`. */
const own = (providers: Readonly<Record<string, Provider>>, name: string): Provider | undefined =>
  Object.hasOwn(providers, name) ? providers[name] : undefined

/** Where a provider of that name is asked, or what is missing to know it. */
export const placeOf = (providers: Providers, provider: string): Either.Either<Place, string> => {
  const said = own(providers, provider)
  const usual = own(known, provider)
  const found = said ?? usual
  if (found === undefined) return Either.left(`no provider "${provider}" is known: add it to models.providers`)
  const url = found.url ?? (found.api === usual?.api ? usual.url : undefined) ?? apis[found.api]
  if (url === null) return Either.left(`models.providers.${provider} needs a url`)
  return Either.right({ provider, api: found.api, url, keyEnv: found.keyEnv ?? usual?.keyEnv ?? null })
}
