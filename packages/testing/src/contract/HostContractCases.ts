/** The host contract: its cases that a host can show. */
import type { Case, Host } from "./HostContract.ts"
import * as HostContractFaults from "./faults.ts"
import * as HostContractInterruptions from "./interruptions.ts"
import * as HostContractMemory from "./memory.ts"
import * as HostContractSessions from "./sessions.ts"
import * as HostContractTurns from "./turns.ts"
import * as HostContractUser from "./user.ts"
import * as HostContractWorkspace from "./workspace.ts"
import * as Process from "node:process"

const all: ReadonlyArray<Case> = [
  ...HostContractTurns.cases,
  ...HostContractInterruptions.cases,
  ...HostContractFaults.cases,
  ...HostContractSessions.cases,
  ...HostContractWorkspace.cases,
  ...HostContractUser.cases,
  ...HostContractMemory.cases
]

/** Whether all is to be tried, and not only what a change has to pass before it lands. */
export const isNight = Process.env["REFLEXION_TESTS"] === "night"

/**
 * The cases of a host, each ready to be run.
 *
 * @category cases
 */
export const casesOf = (host: Host) =>
  all
    .filter(({ night }) => isNight || night === undefined || (night === "plugin" && host.can.includes("hooks")))
    .filter(({ needs = [] }) => needs.every((need) => host.can.includes(need)))
    .map(({ name, run }) => ({ name, run: run(host) }))
