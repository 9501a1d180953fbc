/** The arguments of `reflexion install` and `uninstall`, as typed. */
import type { Values } from "../command/Parts.ts"

export interface InstallArguments extends Values<"global" | "project" | "loopWatch" | "dryRun" | "yes"> {
  readonly hosts: ReadonlyArray<string>
}
