/**
 * The checks that the user agreed to for a project: a file of their own state for each project, for a workspace is not trusted.
 * They agreed to this very list, and to the content of what it runs.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type ActiveCheck, Check, type ReflexionConfig } from "./model.ts"

/** `print` is of what it runs, as `CheckPrint` has it. */
const TakenCheck = Schema.Struct({ ...Check.fields, print: Schema.String })

export type TakenCheck = typeof TakenCheck.Type

const hasOneEach = (checks: ReadonlyArray<Check>): boolean =>
  new Set(checks.map(({ name }) => name)).size === checks.length

/**
 * `root` is the project's, `at` when the user said so (ISO 8601).
 *
 * @category models
 */
export const TakenChecks = Schema.Struct({
  version: Schema.Literal(1),
  root: Schema.String,
  at: Schema.String,
  checks: Schema.Array(TakenCheck).pipe(Schema.maxItems(20), Schema.filter(hasOneEach))
})

export type TakenChecks = typeof TakenChecks.Type

const Text = Schema.parseJson(TakenChecks, { space: 2 })

/** Null for what is no such file, or another project's. */
export const parse = (text: string, root: string): TakenChecks | null => {
  const found = Either.getOrNull(Schema.decodeEither(Text)(text))
  return found?.root === root ? found : null
}

/** The text of the file. Throws for what is no such list. */
export const render = (taken: TakenChecks): string => `${Schema.encodeSync(Text)(taken)}\n`

/** Checks with those that are allowed now. What is configured under the same name is said more plainly, and holds. */
export const renewed = (
  checks: ReadonlyArray<ActiveCheck>,
  taken: Pick<TakenChecks, "checks" | "root"> | null
): ReadonlyArray<ActiveCheck> => {
  const own = checks.filter(({ print }) => print === undefined)
  if (taken === null) return own
  const more = taken.checks.filter(({ name }) => !own.some((other) => other.name === name))
  return [...own, ...more.map((check) => ({ ...check, directory: taken.root }))]
}

/** A configuration with these checks. */
export const over = (config: ReflexionConfig, taken: Pick<TakenChecks, "checks" | "root">): ReflexionConfig => ({
  ...config,
  checks: renewed(config.checks, taken)
})

/** The checks of a configuration that were taken. */
export const of = (config: Pick<ReflexionConfig, "checks">): ReadonlyArray<ActiveCheck & TakenCheck> =>
  config.checks.flatMap((check) => (check.print === undefined ? [] : [{ ...check, print: check.print }]))
