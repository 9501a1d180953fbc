/**
 * How it stands with a host's own small model: by whose word it is asked at stops, or why it is not. What a configuration
 * names is asked in its place.
 */
import * as Billing from "@reflexion/hooks/models/Billing"
import * as OwnModels from "@reflexion/hooks/config/OwnModels"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Effect from "effect/Effect"
import { CliProcess } from "../process/CliProcess.ts"
import * as Settings from "../process/Settings.ts"
import * as Terminal from "../terminal/Terminal.ts"
import type { Standing } from "./model.ts"

/**
 * Whether a model is asked at the host's stops, as far as that is a matter of words.
 *
 * @category predicates
 */
export const isAsked = (standing: Standing): boolean =>
  (standing.state === "named" && standing.model !== "off") || (standing.state === "said" && standing.asked)

/**
 * What was said of a host; null where nothing was. Fails where it cannot be read.
 *
 * @category reading
 */
export const said = Effect.fnUntraced(function* (host: string) {
  const { env } = yield* CliProcess
  const directories = UserDirectories.make(env)
  const known = yield* Settings.attempt(OwnModels.fileOf(directories), () => OwnModels.read(directories))
  return known.get(host) ?? null
})

/** `why`: how a question would be paid. */
const from = Effect.fnUntraced(function* (
  host: string,
  { named, why }: { readonly named: Settings.Named | null; readonly why: string }
) {
  const { env } = yield* CliProcess
  if (named !== null) return { state: "named", ...named, by: Terminal.tilde(env, named.by) } satisfies Standing
  const given = yield* said(host)
  if (why !== Billing.login) return { state: "metered", why, agreed: given?.asked === true } satisfies Standing
  return given === null ? ({ state: "unasked" } satisfies Standing) : ({ state: "said", ...given } satisfies Standing)
})

/**
 * Looks for one host, in the project of a directory.
 *
 * @category programs
 */
export const at = Effect.fn("OwnStanding.at")(function* (host: string, directory: string) {
  const { env } = yield* CliProcess
  return yield* from(host, { named: yield* Settings.modelAt(directory), why: Billing.of(host, env) })
})

/**
 * The same where what cannot be read is a standing, too: the rest of a list does not wait for it.
 *
 * @category programs
 */
export const seenAt = (host: string, directory: string) =>
  Effect.catchTag(at(host, directory), "ConfigurationError", ({ problem }) =>
    Effect.succeed<Standing>({ state: "unread", why: problem })
  )

/**
 * The same for what is written once and read by sessions of any shell: by files alone, those of one project or, with null,
 * of the user.
 *
 * @category programs
 */
export const lasting = Effect.fn("OwnStanding.lasting")(function* (host: string, directory: string | null) {
  const { env } = yield* CliProcess
  return yield* from(host, { named: yield* Settings.lastingModel(directory), why: Billing.byFiles(host, env) })
})
