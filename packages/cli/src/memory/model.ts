/** TODO room */

/**
 * A command's arguments as they were given; null where an option was not, empty where one that has no value was.
 *
 * @since 0.1.0
 * @category models
 */
export interface Given {
  readonly operands: ReadonlyArray<string>
  readonly option: (name: string) => string | null
}

/**
 * @since 0.1.0
 * @category models
 */
export type Name = "reflect" | "add" | "recall" | "outcome" | "stats" | "prune" | "verify"
