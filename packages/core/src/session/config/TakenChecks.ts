/**
 * The checks that the user accepted for a project. The user accepts exactly this list, and the scripts that its
 * commands run. The checks are stored in the user's own state, because a workspace is not trusted.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type ActiveCheck, Check, type ReflexionConfig } from "./model.ts"

/** An accepted check. `print` is a fingerprint of what the check runs, from `CheckPrint`. */
const TakenCheck = Schema.Struct({ ...Check.fields, print: Schema.String })

export type TakenCheck = typeof TakenCheck.Type

const hasOneEach = (checks: ReadonlyArray<Check>): boolean =>
  new Set(checks.map(({ name }) => name)).size === checks.length

/**
 * The accepted checks of one project.
 *
 * @category models
 */
export const TakenChecks = Schema.Struct({
  version: Schema.Literal(1),
  root: Schema.String,
  /** The time of the user's answer (ISO 8601). */
  at: Schema.String,
  checks: Schema.Array(TakenCheck).pipe(Schema.maxItems(20), Schema.filter(hasOneEach))
})

export type TakenChecks = typeof TakenChecks.Type

const Text = Schema.parseJson(TakenChecks, { space: 2 })

/** Returns null if the text is not valid, or if the file belongs to another project. */
export const parse = (text: string, root: string): TakenChecks | null => {
  const found = Either.getOrNull(Schema.decodeEither(Text)(text))
  return found?.root === root ? found : null
}

/** Returns the text of the file. Throws if the value is not valid. */
export const render = (taken: TakenChecks): string => `${Schema.encodeSync(Text)(taken)}\n`

/** Replaces the accepted checks with the checks in `taken`. A configured check with the same name wins. */
export const renewed = (
  checks: ReadonlyArray<ActiveCheck>,
  taken: Pick<TakenChecks, "checks" | "root"> | null
): ReadonlyArray<ActiveCheck> => {
  const own = checks.filter(({ print }) => print === undefined)
  if (taken === null) return own
  const more = taken.checks.filter(({ name }) => !own.some((other) => other.name === name))
  return [...own, ...more.map((check) => ({ ...check, directory: taken.root }))]
}

export const over = (config: ReflexionConfig, taken: Pick<TakenChecks, "checks" | "root">): ReflexionConfig => ({
  ...config,
  checks: renewed(config.checks, taken)
})

/** Returns the checks that the user accepted for the project. */
export const of = (config: Pick<ReflexionConfig, "checks">): ReadonlyArray<ActiveCheck & TakenCheck> =>
  config.checks.flatMap((check) => (check.print === undefined ? [] : [{ ...check, print: check.print }]))
