/** The arguments of the commands of the memory as they were given. */

/**
 * A command's arguments as they were given; null where an option was not, empty where one that has no value was.
 *
 * @category models
 */
export interface Given {
  readonly operands: ReadonlyArray<string>
  readonly option: (name: string) => string | null
}

export type Name = "reflect" | "add" | "recall" | "outcome" | "stats" | "prune" | "verify"
