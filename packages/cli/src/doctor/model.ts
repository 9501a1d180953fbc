/** TODO room */

/**
 * The arguments as they were given; with neither scope, both are looked at.
 *
 * @since 0.1.0
 * @category models
 */
export interface Given {
  readonly hosts: ReadonlyArray<string>
  readonly global: boolean
  readonly project: boolean
}
