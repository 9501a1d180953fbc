/** The schemas of what the configuration lets run. */
import * as Schema from "effect/Schema"
import { Flag, must, shape, time } from "./values.ts"

/**
 * A command that may be run to decide a gate. `timeout` is in seconds.
 *
 * @since 0.1.0
 * @category models
 */
export const Check = Schema.Struct({
  /** The gate that it decides: one of those that every project has, or a declared one. */
  gate: Schema.String.pipe(
    Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,39}$/),
    Schema.annotations(must("a gate's name"))
  ),
  /** Run by a shell in the session's project. */
  command: Schema.String.pipe(
    Schema.filter((command) => command.trim() !== "" && command.length <= 500),
    Schema.annotations(must("a command of 1 to 500 characters"))
  ),
  /** In seconds. */
  timeout: Schema.optionalWith(time(1, 3600), { default: () => 300, exact: true })
}).annotations(shape("an object with a gate and a command"))

export type Check = typeof Check.Type

const maxChecks = 20

const either = "a list of checks, or an object with checks and unsandboxed"

const checks = (what: string) =>
  Schema.Array(Check)
    .annotations(shape(what))
    .pipe(Schema.maxItems(maxChecks, shape(`at most ${maxChecks} checks`)))

export const Verify = Schema.Struct({
  checks: Schema.Array(Check),
  /** Whether a hook may run them where its host's sandbox does not hold. */
  unsandboxed: Schema.Boolean
})

const VerifyObject = Schema.Struct({
  checks: Schema.optionalWith(checks("a list of checks"), { exact: true }),
  unsandboxed: Schema.optionalWith(Flag, { exact: true })
}).annotations(shape(either))

export const PartialVerify = Schema.transform(
  Schema.Union(checks(either), VerifyObject),
  Schema.typeSchema(VerifyObject),
  {
    strict: true,
    decode: (given) => ("length" in given ? { checks: given } : given),
    encode: (verify) => verify
  }
)
