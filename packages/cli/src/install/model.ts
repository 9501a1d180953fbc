/** TODO room */
import * as Args from "@effect/cli/Args"

/**
 * The arguments as they were given.
 *
 * @since 0.1.0
 * @category models
 */
export interface Given {
  readonly hosts: ReadonlyArray<string>
  readonly global: boolean
  readonly project: boolean
  readonly loopWatch: boolean
  readonly dryRun: boolean
}

export const hosts = Args.text({ name: "HOST" }).pipe(Args.repeated)
