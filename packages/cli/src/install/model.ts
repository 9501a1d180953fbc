/** The arguments of `reflexion install` and `uninstall` as they were given. */
import * as Args from "@effect/cli/Args"

/**
 * The arguments as they were given.
 *
 * @category models
 */
export interface Given {
  readonly hosts: ReadonlyArray<string>
  readonly global: boolean
  readonly project: boolean
  readonly loopWatch: boolean
  readonly dryRun: boolean
  readonly yes: boolean
}

export const hosts = Args.text({ name: "HOST" }).pipe(Args.repeated)
