/** The arguments of `reflexion doctor` as they were given; with neither scope, both are looked at. */
import type { Values } from "../command/Parts.ts"

export interface DoctorArguments extends Values<"global" | "project" | "show" | "format"> {
  readonly hosts: ReadonlyArray<string>
}
