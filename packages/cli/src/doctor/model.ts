/** The arguments of `reflexion doctor` as they were given. */

/**
 * The arguments as they were given; with neither scope, both are looked at.
 *
 * @category models
 */
export interface Given {
  readonly hosts: ReadonlyArray<string>
  readonly global: boolean
  readonly project: boolean
}
