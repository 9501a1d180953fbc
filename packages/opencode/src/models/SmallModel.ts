/**
 * The small model of a session's provider, as the host chooses the one for its titles: what `small_model` names, else the
 * newest of the provider's small families. A project has a say in `small_model`, so what it names counts only where it leads
 * to the provider that the session is with anyway. Pure.
 */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import type { Prompt } from "../host/OpenCodeClient.ts"

type Model = NonNullable<Prompt["model"]>

/**
 * What is set up in the host. `providers` as it lists them; `configured` is the `small_model` in force, `own` those that the
 * user's own files name, the weightiest last; `fast`: models for small questions by provider, as reflexion knows them.
 */
export interface Setup {
  readonly providers: ReadonlyArray<Json.Json>
  readonly configured: string | null
  readonly own: ReadonlyArray<string>
  readonly fast: Readonly<Record<string, ReadonlyArray<string>>>
}

/** In the host's order (1.18.33), by the family that its list of models gives each. */
const families: ReadonlyArray<string> = ["gemini-flash", "gpt-nano", "claude-haiku"]

const familiesOf = (provider: string): ReadonlyArray<string> => {
  if (provider === "azure" || provider === "azure-cognitive-services") return []
  if (provider.startsWith("opencode")) return ["gpt-nano"]
  return provider.startsWith("github-copilot") ? ["gpt-mini", ...families] : families
}

interface Offered {
  readonly id: string
  readonly family: string
  readonly released: string
}

const modelsOf = (provider: Json.Json): ReadonlyArray<Offered> =>
  Object.entries(Json.object(provider["models"])).map(([id, model]) => {
    const { family, release_date: released } = Json.object(model)
    return { id, family: Json.text(family), released: Json.text(released) }
  })

const newestFirst = (one: Offered, other: Offered): number =>
  one.released === other.released ? (one.id < other.id ? 1 : -1) : one.released < other.released ? 1 : -1

const regions = ["global.", "us.", "eu."]

/** Bedrock has each model once for a region; one of another region may be out of reach. */
const ofRegion = (models: ReadonlyArray<Offered>, provider: Json.Json): Offered | undefined => {
  const region = Json.text(Json.object(provider["options"])["region"]).split("-")[0] ?? ""
  const wanted = ["global.", ...(region === "us" || region === "eu" ? [`${region}.`] : [])]
  const placed = wanted.flatMap((prefix) => models.find(({ id }) => id.startsWith(prefix)) ?? [])
  return placed[0] ?? models.find(({ id }) => !regions.some((prefix) => id.startsWith(prefix)))
}

const picked = (name: string, provider: Json.Json): string | null => {
  const offered = modelsOf(provider).toSorted(newestFirst)
  for (const family of familiesOf(name)) {
    const models = offered.filter((model) => model.family === family)
    const found = name === "amazon-bedrock" ? ofRegion(models, provider) : models[0]
    if (found !== undefined) return found.id
  }
  return null
}

/**
 * The small model for a session with that provider; null where the host has none.
 *
 * @category constructors
 */
export const of = (provider: string, { configured, fast, own, providers }: Setup): Model | null => {
  const setUp = (id: string): Json.Json | undefined => providers.find((one) => one["id"] === id)
  const offers = (id: string, model: string): boolean => Object.hasOwn(Json.object(setUp(id)?.["models"]), model)
  const isFree = (name: string): boolean => own.includes(name) || ModelRouting.parse(name)?.provider === provider
  const named = [...(configured !== null && isFree(configured) ? [configured] : []), ...own.toReversed()].flatMap(
    (name) => ModelRouting.parse(name) ?? []
  )
  const said = named.find((one) => offers(one.provider, one.model))
  if (said !== undefined) return { providerID: said.provider, modelID: said.model }
  const known = Object.hasOwn(fast, provider) ? (fast[provider] ?? []) : []
  const found = picked(provider, setUp(provider) ?? {}) ?? known.find((model) => offers(provider, model))
  return found === undefined ? null : { providerID: provider, modelID: found }
}
