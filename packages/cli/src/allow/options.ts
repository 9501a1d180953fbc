/** The arguments of `reflexion allow` as they were given. */
import type { Values } from "../command/Parts.ts"

export interface AllowArguments extends Values<"yes" | "revoke"> {
  readonly words: ReadonlyArray<string>
}
