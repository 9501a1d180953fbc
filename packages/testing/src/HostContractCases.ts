/**
 * The host contract: all its cases that a host can show.
 *
 * @since 0.1.0
 */
import type { Case, Host } from "./HostContract.ts"
import * as HostContractFaults from "./HostContractFaults.ts"
import * as HostContractInterruptions from "./HostContractInterruptions.ts"
import * as HostContractMemory from "./HostContractMemory.ts"
import * as HostContractSessions from "./HostContractSessions.ts"
import * as HostContractTurns from "./HostContractTurns.ts"
import * as HostContractUser from "./HostContractUser.ts"
import * as HostContractWorkspace from "./HostContractWorkspace.ts"

const all: ReadonlyArray<Case> = [
  ...HostContractTurns.cases,
  ...HostContractInterruptions.cases,
  ...HostContractFaults.cases,
  ...HostContractSessions.cases,
  ...HostContractWorkspace.cases,
  ...HostContractUser.cases,
  ...HostContractMemory.cases
]

/**
 * The cases of a host, each ready to be run.
 *
 * @since 0.1.0
 * @category cases
 */
export const casesOf = (host: Host) =>
  all
    .filter(({ needs = [] }) => needs.every((need) => host.can.includes(need)))
    .map(({ name, run }) => ({ name, run: run(host) }))
