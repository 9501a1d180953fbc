/**
 * The one configuration tree. It has a default for every key; files, the environment and flags each lay a partial one
 * over it.
 */
import type * as Either from "effect/Either"
import * as Merging from "./ConfigMerge.ts"
import * as Schemas from "./model.ts"
import { type OldKey, renew } from "./OldKeys.ts"
import { read, valueOf } from "./parse.ts"
import { matchesGlob, matchesWildcard } from "../../ground/text/Wildcard.ts"
import { PartialConfig, type DeclaredGate, type ReflexionConfig } from "./model.ts"

export {
  ActiveCheck,
  ActiveGate,
  Attended,
  Check,
  ConfigProblem,
  DeclaredGate,
  PartialConfig,
  Profile,
  ReflexionConfig
} from "./model.ts"
export { CurrentConfig, fromEnv } from "./CurrentConfig.ts"
export { Provider } from "./modelSettings.ts"

export const defaults: ReflexionConfig = Merging.defaults

/**
 * Lays one source over what is known so far. Gates add up; one of the same name replaces the earlier.
 *
 * @category combinators
 */
export const merge: (base: ReflexionConfig, over: PartialConfig) => ReflexionConfig = Merging.merge

/**
 * Lays the file of a workspace that the user trusts over what is known so far. `stuck` and `verify.unsandboxed` are the
 * user's own to say: in a workspace they have no effect, nor has `attended`, but for `true` where the user leaves it open.
 *
 * @category combinators
 */
export const mergeTrusted: (base: ReflexionConfig, workspace: PartialConfig) => ReflexionConfig = Merging.mergeTrusted

/**
 * Lays an untrusted workspace's file over what is known so far: it may lower `maxAttempts`, never raise it; its gates
 * are marked as its own and replace neither the user's nor those that every project has. It chooses no model and lets no command run; it may switch the
 * memory, the reflection cycle and the reminders about todo lists off.
 *
 * @category combinators
 */
export const mergeWorkspace: (base: ReflexionConfig, workspace: PartialConfig) => ReflexionConfig =
  Merging.mergeWorkspace

/**
 * Whether a simple command's text is a run of the gate. Runs of white space count as one space.
 *
 * @category predicates
 */
export const matchesCommand = (gate: DeclaredGate, command: string): boolean => matchesWildcard(gate.command, command)

/**
 * Whether the gate covers a file, given by its path relative to the session's directory.
 *
 * @category predicates
 */
export const matchesPath = (gate: DeclaredGate, path: string): boolean =>
  gate.paths.length === 0 || gate.paths.some((glob) => matchesGlob(glob, path))

/**
 * Most characters of a configuration file. One has also at most 50 gates, and each of them 100 globs.
 *
 * @category limits
 */
export const maxLength = 64 * 1024

export { InvalidConfig } from "./model.ts"

/**
 * Reads the text of a configuration file: JSON in which comments and trailing commas are allowed.
 *
 * @example
 * ```ts
 * import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
 * import { Either } from "effect"
 *
 * const text = '{ "profile": "strict", "maxAttempts": 2 } // for agents on their own'
 * const given = Either.getOrThrow(ReflexionConfig.parse(text, { file: "/repo/config.json" }))
 * const { maxAttempts, profile } = ReflexionConfig.merge(ReflexionConfig.defaults, given)
 * console.log(profile, maxAttempts) // => strict 2
 *
 * const wrong = ReflexionConfig.parse('{ "profil": "strict" }', { file: "/repo/config.json" })
 * if (Either.isLeft(wrong)) console.log(wrong.left.message)
 * // => /repo/config.json:1:3: profil: unknown key; did you mean "profile"?
 * ```
 *
 * @category decoding
 */
export const parse = (
  text: string,
  { file }: { readonly file: string }
): Either.Either<PartialConfig, Schemas.InvalidConfig> =>
  read(PartialConfig, text, {
    maxLength,
    renew: (value) => renew(value).value,
    fail: (found) => new Schemas.InvalidConfig({ file, ...found })
  })

/**
 * The keys of a configuration file that are called otherwise now, or are gone.
 *
 * @category decoding
 */
export const oldKeys = (text: string): ReadonlyArray<OldKey> =>
  text.length > maxLength ? [] : renew(valueOf(text)).old
