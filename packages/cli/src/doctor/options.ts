/** The arguments of `reflexion doctor`, as typed. Without a scope, both are checked. */
import type { Values } from "../command/Parts.ts"

export interface DoctorArguments extends Values<"global" | "project" | "show" | "format"> {
  readonly hosts: ReadonlyArray<string>
}
