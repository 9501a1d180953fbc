/** The arguments of the commands of the memory as they were given, and what they show. */
import type { Reflection } from "@reflexion/core/Reflection"

/**
 * A command's arguments as they were given; null where an option was not, empty where one that has no value was.
 *
 * @category models
 */
export interface Given {
  readonly operands: ReadonlyArray<string>
  readonly option: (name: string) => string | null
}

/**
 * A lesson as it is shown. `open`: its failure stands, as far as is known; `settled`: its task was completed since; `resolved`: the user said that it is over. `foreign`: it was not
 * learned here, and nobody trusted it.
 *
 * @category models
 */
export interface Lesson {
  readonly reflection: Reflection
  readonly status: "open" | "settled" | "resolved"
  readonly foreign: boolean
  readonly given: number
  readonly succeeded: number
  readonly failed: number
}

export type Name = "memory" | "reflect" | "add" | "recall" | "outcome" | "stats" | "prune" | "verify"
