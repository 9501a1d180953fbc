/**
 * The checks that the user took for a project when they were proposed: a file of their own state for each project, for a
 * workspace is not trusted. What was taken is this very list.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Check, type ReflexionConfig } from "./model.ts"

/** Most that a project has. */
const most = 20

/**
 * `root` is the project's, `at` when the user said so (ISO 8601).
 *
 * @category models
 */
export const TakenChecks = Schema.Struct({
  version: Schema.Literal(1),
  root: Schema.String,
  at: Schema.String,
  checks: Schema.Array(Check).pipe(
    Schema.maxItems(most),
    Schema.filter((checks) => new Set(checks.map(({ gate }) => gate)).size === checks.length)
  )
})

export type TakenChecks = typeof TakenChecks.Type

const Text = Schema.parseJson(TakenChecks, { space: 2 })

/**
 * Null for what is no such file, or another project's.
 *
 * @category decoding
 */
export const parse = (text: string, root: string): TakenChecks | null => {
  const found = Either.getOrNull(Schema.decodeEither(Text)(text))
  return found?.root === root ? found : null
}

/**
 * The text of the file. Throws for what is no such list.
 *
 * @category encoding
 */
export const render = (taken: TakenChecks): string => `${Schema.encodeSync(Text)(taken)}\n`

/**
 * A configuration with these checks, but for gates that it has a check for already: what is configured is said more plainly.
 *
 * @category configuration
 */
export const over = (
  config: ReflexionConfig,
  { checks, root }: Pick<TakenChecks, "checks" | "root">
): ReflexionConfig => {
  const { verify } = config
  const more = checks.filter(({ gate }) => !verify.checks.some((other) => other.gate === gate))
  if (more.length === 0) return config
  const taken = more.map((check) => ({ ...check, taken: true, directory: root }))
  return { ...config, verify: { ...verify, checks: [...verify.checks, ...taken] } }
}

/**
 * The checks of a configuration that were taken.
 *
 * @category accessors
 */
export const of = ({ verify }: Pick<ReflexionConfig, "verify">): ReadonlyArray<Check> =>
  verify.checks.filter(({ taken }) => taken === true)

/**
 * A configuration in which what was taken is as if it were configured, for where the user asks for the checks.
 *
 * @category configuration
 */
export const asked = (config: ReflexionConfig): ReflexionConfig => {
  const { verify } = config
  const checks = verify.checks.map(Struct.omit("taken"))
  return { ...config, verify: { ...verify, checks } }
}
