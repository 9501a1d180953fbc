/** What a case of the host contract plays in: a workspace, a home and a host. */
import type { Host } from "./HostContract.ts"
import type * as Sandbox from "../sandbox/Sandbox.ts"

export interface World {
  readonly host: Host
  readonly sandbox: Sandbox.Sandbox
  /** The folders of the user's own in which reflexion keeps anything. */
  readonly state: string
  readonly cache: string
  readonly config: string
  readonly data: string
}
