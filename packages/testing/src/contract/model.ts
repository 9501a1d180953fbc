/** TODO room */
import type { Host } from "./HostContract.ts"
import * as Sandbox from "../sandbox/Sandbox.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface World {
  readonly host: Host
  readonly sandbox: Sandbox.Sandbox
  /** The folders of the user's own in which reflexion keeps anything. */
  readonly state: string
  readonly cache: string
  readonly config: string
  readonly data: string
}
