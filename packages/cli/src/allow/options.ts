/** The arguments of `reflexion allow`, as typed. */
import type { Values } from "../command/Parts.ts"

export interface AllowArguments extends Values<"yes" | "revoke"> {
  readonly words: ReadonlyArray<string>
}
